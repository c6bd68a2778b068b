import { useLayoutEffect, useRef } from 'preact/hooks';
import { linkTarget } from '../links.ts';
import type { MarkdownBlock, MarkdownText } from '../markdown.ts';
import { cutMarkdown, renderBlock } from '../markdown.ts';
import { memo } from '../memo.ts';
import { linkOutputs, openOutput, OUTPUT_ATTRIBUTE } from '../pager/open-output.ts';
import type { Store } from '../state.ts';
import { useStore } from '../state.ts';

interface MarkdownViewProps {
  readonly text: string;
  /** more is still coming */
  readonly isLive: boolean;
}

/** A model's words. While they stream only the last block is drawn again. */
export function MarkdownView({ text, isLive }: MarkdownViewProps) {
  const store = useStore();
  const previous = useRef<MarkdownText>();
  // A finished text is cut whole once more: a definition at its end may name a link at its start.
  const cut = cutMarkdown(text, isLive ? previous.current : undefined);
  previous.current = cut;
  const onActivate = (event: MouseEvent) => activate(event, store);
  return (
    <div class="markdown" onClick={onActivate} onAuxClick={onActivate}>
      {cut.blocks.map((block, index) => (
        <BlockView
          key={index}
          block={block}
          isLive={isLive && index === cut.blocks.length - 1}
          definitions={cut.definitions}
        />
      ))}
    </div>
  );
}

interface BlockViewProps {
  readonly block: MarkdownBlock;
  readonly isLive: boolean;
  readonly definitions: number;
}

const BlockView = memo(
  function BlockView({ block, isLive }: BlockViewProps) {
    const { panel } = useStore();
    const place = useRef<HTMLDivElement>(null);
    useLayoutEffect(() => {
      const drawn = renderBlock(block, isLive);
      linkOutputs(drawn, () => panel.peek()?.items ?? []);
      place.current?.replaceChildren(drawn);
    });
    return <div ref={place} />;
  },
  (a, b) => a.block.raw === b.block.raw && a.isLive === b.isLive && a.definitions === b.definitions,
);

function activate(event: MouseEvent, store: Store): void {
  const clicked = event.target instanceof Element ? event.target : undefined;
  const link = clicked?.closest('a');
  if (link) {
    // Handled here alone: the editor would otherwise follow the link a second time.
    event.preventDefault();
    event.stopPropagation();
    follow(link, store);
  }
  const copy = clicked?.closest<HTMLButtonElement>('button[data-copy]');
  if (copy) copyCode(copy);
}

function follow(link: HTMLAnchorElement, store: Store): void {
  const target = linkTarget(link.dataset['href'] ?? '');
  if (link.hasAttribute(OUTPUT_ATTRIBUTE)) {
    const line = link.dataset['line'];
    openOutput(store, link, line === undefined ? undefined : Number(line));
  } else if (target?.kind === 'external') void store.ask('openExternal', { url: target.url });
  else if (target) {
    const { path, line } = target;
    void store.ask('openFile', { path, ...(line !== undefined && { line }) });
  }
}

function copyCode(button: HTMLButtonElement): void {
  const code = button.closest('.code-block')?.querySelector('code')?.textContent ?? '';
  const show = (icon: string, label: string) => {
    button.className = `icon-button codicon codicon-${icon}`;
    button.setAttribute('aria-label', label);
  };
  const written = navigator.clipboard.writeText(code);
  written.then(
    () => show('check', 'Copied'),
    () => show('error', 'Could not copy'),
  );
  setTimeout(() => show('copy', 'Copy code'), 1_500);
}
