import { useEffect, useState } from 'preact/hooks';
import type { TerminalTheme } from './terminal-theme.ts';
import { terminalTheme } from './terminal-theme.ts';

/** The theme as it is, and as it becomes: the editor writes its colours on the document's root. */
export function useTerminalTheme(): TerminalTheme {
  const root = document.documentElement;
  const [theme, setTheme] = useState(() => terminalTheme(root));
  useEffect(() => {
    const observer = new MutationObserver(() => setTheme(terminalTheme(root)));
    observer.observe(root, { attributes: true, attributeFilter: ['style', 'class'] });
    return () => observer.disconnect();
  }, []);
  return theme;
}
