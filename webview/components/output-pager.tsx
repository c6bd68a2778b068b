import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ToolItem } from '../../src/protocol/view-model.ts';
import { formatBytes } from '../format.ts';
import { OUTPUT_ATTRIBUTE } from '../pager/open-output.ts';
import { usePager } from '../pager/use-pager.ts';
import { useTerminalTheme } from '../pager/use-terminal-theme.ts';
import { useStore } from '../state.ts';
import { cardLabel, toolLook } from '../tools.ts';
import { ExactText } from './exact-text.tsx';
import { Icon } from './icon.tsx';
import { PagerContent } from './pager-content.tsx';
import { PagerToolbar } from './pager-toolbar.tsx';

/** An output that is kept in a file, read in the place of the conversation. */
export function OutputPager({ item }: { readonly item: ToolItem }) {
  const { output } = useStore();
  const region = useRef<HTMLElement>(null);
  const pager = usePager(item.toolUseId);
  const theme = useTerminalTheme();
  useBorrowedFocus(pager.scroller, item.toolUseId);
  const close = () => (output.value = undefined);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      close();
    } else if (event.key.toLowerCase() === 'f' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      region.current?.querySelector<HTMLInputElement>('input[type="search"]')?.select();
    }
  };
  return (
    <section
      ref={region}
      class="pager"
      aria-label="Output pager"
      style={theme.matchColors}
      onKeyDown={onKeyDown}
    >
      <div class="pager-head">
        <button
          type="button"
          class="button secondary small"
          aria-label="Back to conversation"
          title="Back to conversation (Escape)"
          onClick={close}
        >
          <Icon name="arrow-left" />
          Back
        </button>
        <h2 title={cardLabel(item)}>
          {toolLook(item.tool).verb}{' '}
          <span class="pager-target">
            <ExactText text={item.target} />
          </span>
        </h2>
        <span class="quiet">{formatBytes(pager.size?.bytes ?? item.kept?.bytes ?? 0)}</span>
      </div>
      <PagerNotices item={item} close={close} />
      {pager.reader.trouble.value === undefined && <PagerToolbar pager={pager} />}
      <PagerContent pager={pager} item={item} theme={theme} />
    </section>
  );
}

interface NoticesProps {
  readonly item: ToolItem;
  readonly close: () => void;
}

/** What the reader would miss: a question of the agent's, and what could not be kept. */
function PagerNotices({ item: { kept }, close }: NoticesProps) {
  const { panel } = useStore();
  const isAsked = panel.value?.activity.kind === 'awaiting_approval';
  return (
    <>
      <div role="status" class="pager-asked">
        {isAsked && (
          <p class="pager-notice">
            <Icon name="question" />
            <span class="grow">The agent waits for your approval.</span>
            <button type="button" class="button secondary small" onClick={close}>
              Show the question
            </button>
          </p>
        )}
      </div>
      {kept?.lostBytes !== undefined && (
        <p class="pager-notice">
          <Icon name="warning" />
          <span class="grow">{lossText(kept.lostBytes, kept.lostFirstBytes)}</span>
        </p>
      )}
    </>
  );
}

function lossText(lost: number, first = 0): string {
  const last = lost - first;
  if (first === 0) return `The last ${formatBytes(last)} could not be kept.`;
  if (last === 0) return `The first ${formatBytes(first)} could not be kept.`;
  return `The first ${formatBytes(first)} and the last ${formatBytes(last)} could not be kept.`;
}

/** Takes the focus from the link that was followed, and gives it back. A pager that a reload brings back takes none. */
function useBorrowedFocus(content: RefObject<HTMLElement>, toolUseId: string): void {
  const { requestComposerFocus } = useStore();
  useLayoutEffect(() => {
    const origin = document.activeElement;
    const isFollowed = origin?.getAttribute(OUTPUT_ATTRIBUTE) === toolUseId;
    if (isFollowed) content.current?.focus({ preventScroll: true });
    return () => {
      const link = isFollowed && origin.isConnected ? origin : linkOf(toolUseId);
      // The conversation can take the focus when this drawing is done.
      queueMicrotask(() => {
        if (link instanceof HTMLElement && link.isConnected) link.focus();
        else requestComposerFocus();
      });
    };
  }, []);
}

function linkOf(toolUseId: string): HTMLElement | undefined {
  const links = document.querySelectorAll<HTMLElement>(`[${OUTPUT_ATTRIBUTE}]`);
  return [...links].find((link) => link.getAttribute(OUTPUT_ATTRIBUTE) === toolUseId);
}
