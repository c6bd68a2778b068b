import type { AssistantItem, NoteItem, UserItem } from '../../src/protocol/view-model.ts';
import { ErrorBlock } from './error-block.tsx';
import { Icon } from './icon.tsx';
import { MarkdownView } from './markdown-view.tsx';
import { useStore } from '../state.ts';

export function UserMessage({ item }: { readonly item: UserItem }) {
  return (
    <div class={`user-message${item.isQueued ? ' queued' : ''}`}>
      <span class="visually-hidden">You: </span>
      {item.text}
      {item.isQueued && <QueuedLabel />}
    </div>
  );
}

/** What waits is sent with the next request; where none is coming, the person decides when. */
function QueuedLabel() {
  const { panel, ask } = useStore();
  const activity = panel.value?.activity.kind;
  const isStanding = activity === 'idle' || activity === 'failed' || activity === 'limit';
  return (
    <span class="queued-label">
      <Icon name="clock" /> {isStanding ? 'Not sent yet: goes with your next message' : 'Queued'}
      {isStanding && (
        <button type="button" class="link" onClick={() => void ask('goOn', undefined)}>
          Send now
        </button>
      )}
    </span>
  );
}

export function AssistantMessage({ item }: { readonly item: AssistantItem }) {
  const isLive = item.id === 'live';
  const isThinking = isLive && item.text === '';
  return (
    <div class="assistant-message" aria-busy={isLive}>
      {item.thinking.trim() !== '' && (
        <details class="thinking">
          <summary>
            <Icon name="lightbulb" />
            {isThinking ? 'Thinking…' : 'Thought'}
          </summary>
          <div class="thinking-text">{item.thinking}</div>
        </details>
      )}
      {item.text !== '' && <MarkdownView text={item.text} isLive={isLive} />}
    </div>
  );
}

const NOTE_ICONS = { info: 'info', warning: 'warning', error: 'error' } as const;

interface NoteProps {
  readonly item: NoteItem;
  readonly isCurrent: boolean;
}

export function Note({ item, isCurrent }: NoteProps) {
  if (item.error) return <ErrorBlock error={item.error} isCurrent={isCurrent} />;
  return (
    <p class={`note ${item.level}`}>
      <Icon name={NOTE_ICONS[item.level]} />
      <span class="grow">{item.text}</span>
    </p>
  );
}
