import { useEffect, useRef } from 'preact/hooks';
import type { RefObject } from 'preact';
import type { MemoryState } from '../../src/protocol/memory.ts';
import { Icon } from '../components/icon.tsx';
import { useStore } from '../state.ts';
import { MemoryEditor } from './memory-editor.tsx';
import { MemoryInboxView } from './memory-inbox-view.tsx';
import { MemoryListView } from './memory-list-view.tsx';
import { Trouble } from './trouble.tsx';

/** The project's memory: which one it is, what the agent suggests, its text, and its memories one by one. */
export function MemoryPanel() {
  const { memory } = useStore();
  const field = useRef<HTMLTextAreaElement>(null);
  const state = memory.state.value;
  const onKeyDown = (event: KeyboardEvent) => {
    // It would stop what the agent does, which is not to be seen from here.
    if (event.key === 'Escape') event.preventDefault();
    if (!isSaveKey(event)) return;
    event.preventDefault();
    event.stopPropagation(); // the editor would save its own tab
    void memory.text.save();
  };
  useFocusRequests(field);
  return (
    <div class="memory" onKeyDown={onKeyDown}>
      <div class="memory-content">
        {state === undefined ? <NoMemory /> : <Memory state={state} field={field} />}
      </div>
      <p class="visually-hidden" role="status">
        {memory.inbox.said.value}
      </p>
    </div>
  );
}

interface MemoryProps {
  readonly state: MemoryState;
  readonly field: RefObject<HTMLTextAreaElement>;
}

function Memory({ state, field }: MemoryProps) {
  const { memory } = useStore();
  return (
    <>
      <StoreLine store={state.store} path={state.path} />
      <Trouble text={memory.refusal.value} dismiss={() => (memory.refusal.value = undefined)} />
      <Notices notices={state.notices} />
      <MemoryInboxView inbox={memory.inbox} leave={() => field.current?.focus()} />
      <MemoryEditor text={memory.text} path={state.path} field={field} />
      <MemoryListView list={memory.list} count={state.memories.length} />
    </>
  );
}

function StoreLine({ store, path }: { readonly store: string; readonly path: string }) {
  const { memory } = useStore();
  return (
    <div class="memory-store">
      <span class="grow">
        Memory of <strong>{store}</strong>
      </span>
      <button
        type="button"
        class="button secondary small"
        title={path}
        aria-label="Open MEMORY.md in an editor tab"
        onClick={() => void memory.open()}
      >
        <Icon name="go-to-file" />
        Open
      </button>
    </div>
  );
}

/** What the host says of the memory, for as long as it says it. */
function Notices({ notices }: { readonly notices: readonly string[] }) {
  return (
    <div role="status">
      {notices.map((notice) => (
        <p key={notice} class="memory-notice">
          <Icon name="warning" />
          <span class="grow">{notice}</span>
        </p>
      ))}
    </div>
  );
}

function NoMemory() {
  const { memory } = useStore();
  const trouble = memory.trouble.value;
  return (
    <div class="memory-none">
      <p role="status">{trouble ?? 'Reading the project’s memory…'}</p>
      {trouble !== undefined && (
        <button type="button" class="button secondary" onClick={() => void memory.load()}>
          Try again
        </button>
      )}
    </div>
  );
}

function isSaveKey({ key, metaKey, ctrlKey, shiftKey, altKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 's' && metaKey !== ctrlKey && !shiftKey && !altKey;
}

/** Gives the text the focus when it is asked for, as soon as there is one. */
function useFocusRequests(field: RefObject<HTMLTextAreaElement>): void {
  const { memory } = useStore();
  const answered = useRef(0);
  const requests = memory.focusRequests.value;
  const isThere = memory.state.value !== undefined;
  useEffect(() => {
    if (requests === answered.current || field.current === null) return;
    answered.current = requests;
    field.current.focus();
  }, [requests, isThere]);
}
