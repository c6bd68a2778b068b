// @vitest-environment jsdom
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { Rgb } from '../../webview/pager/colors.ts';
import { contrast, over, parseColor, readable } from '../../webview/pager/colors.ts';
import { showRows } from '../../webview/pager/terminal-row.ts';
import { terminalTheme } from '../../webview/pager/terminal-theme.ts';

const esc = '\u001b';
const lookOf = (codes: string) =>
  showRows([{ line: 1, text: `${esc}[${codes}mx`, byte: 0 }], '')[0]!.spans[0]!.look;

const root = document.documentElement;
function useTheme(colors: Readonly<Record<string, string>>) {
  for (const [name, color] of Object.entries(colors)) root.style.setProperty(`--vscode-${name}`, color);
  return terminalTheme(root);
}
afterEach(() => root.removeAttribute('style'));

const part = fc.integer({ min: 0, max: 255 });
const rgb = fc.tuple(part, part, part);

describe('a colour', () => {
  it.each([
    ['#1f1f1f', [31, 31, 31], 1],
    ['#FFF', [255, 255, 255], 1],
    ['#ea5c0055', [234, 92, 0], 1 / 3],
    ['rgba(10, 20, 30, 0.5)', [10, 20, 30], 0.5],
  ])('is read as the editor writes it: %s', (text, expected, alpha) => {
    expect(parseColor(text)?.rgb).toEqual(expected);
    expect(parseColor(text)?.alpha).toBeCloseTo(alpha);
  });

  it('is none where nothing is said', () => {
    expect(parseColor('')).toBeUndefined();
    expect(parseColor('var(--x)')).toBeUndefined();
  });

  it('can be read before any background', () => {
    fc.assert(
      fc.property(rgb, rgb, (color, background) => {
        const shown = readable(color, background);
        expect(contrast(shown, background)).toBeGreaterThanOrEqual(4.5);
        if (contrast(color, background) >= 4.5) expect(shown).toEqual(color);
      }),
    );
  });

  it('lets through what is behind it', () => {
    const white: Rgb = [255, 255, 255];
    expect(over({ rgb: [0, 0, 0], alpha: 0.5 }, white)).toEqual([128, 128, 128]);
  });
});

describe('the theme', () => {
  const light = {
    'editor-background': '#ffffff',
    'editor-foreground': '#3b3b3b',
    'terminal-ansiRed': '#cd3131',
    'terminal-ansiBrightYellow': '#b5ba00',
  };

  it('gives the 16 colours, as its variables', () => {
    expect(useTheme(light).colorsOf(lookOf('31'))).toEqual({ color: 'var(--vscode-terminal-ansiRed)' });
    expect(useTheme(light).colorsOf(lookOf('38;5;1'))).toEqual({ color: 'var(--vscode-terminal-ansiRed)' });
  });

  it('lets no text be pale, in any colour, faint or turned about', () => {
    const theme = useTheme(light);
    for (const codes of ['93', '2', '7;93', '38;5;231', '38;2;250;250;250', '2;31', '41;31']) {
      const { color = '', backgroundColor = 'rgb(255, 255, 255)' } = theme.colorsOf(lookOf(codes));
      const back = {
        'var(--vscode-terminal-ansiRed)': '#cd3131',
        'var(--vscode-terminal-ansiBrightYellow)': '#b5ba00',
      };
      const behind = parseColor(back[backgroundColor as keyof typeof back] ?? backgroundColor)!.rgb;
      expect(contrast(parseColor(color)!.rgb, behind), codes).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('turns the plain colours about', () => {
    expect(useTheme(light).colorsOf(lookOf('7'))).toEqual({
      color: 'var(--vscode-editor-background)',
      backgroundColor: 'var(--vscode-editor-foreground)',
    });
  });

  it('has something for a number that is no colour', () => {
    expect(useTheme(light).colorsOf(lookOf('38;5;999'))).toMatchObject({ color: '' });
  });
});
