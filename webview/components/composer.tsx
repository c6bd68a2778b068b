import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Activity } from '../../src/protocol/view-model.ts';
import { isRunning } from '../../src/protocol/activity.ts';
import { compactFocus, completion } from '../slash.ts';
import { useStore } from '../state.ts';
import { SLASH_HINT_ID, SlashHint } from './slash-hint.tsx';

/** Where the person writes. Enter sends, Shift+Enter is a new line, Escape stops what runs. */
export function Composer({ activity }: { readonly activity: Activity }) {
  const { draft, ask, requestComposerFocus } = useStore();
  const input = useComposerInput();
  const send = useSend();
  const isOn = isRunning(activity);
  const isBlank = draft.value.trim() === '';

  const complete = (text: string) => {
    draft.value = text;
    requestComposerFocus();
  };
  const stop = () => {
    void ask('stop', undefined);
    requestComposerFocus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const completed = completion(draft.value);
    if (completed !== undefined && isPlain(event, ['Tab', 'Enter'])) {
      event.preventDefault();
      complete(completed);
      return;
    }
    if (event.key !== 'Enter' || event.shiftKey || event.altKey) return;
    event.preventDefault();
    send();
  };
  useEscape(stop, isOn);

  return (
    <div class="composer">
      <SlashHint text={draft.value} complete={complete} />
      <textarea
        ref={input}
        rows={1}
        aria-label="Message"
        aria-describedby={SLASH_HINT_ID}
        placeholder={isOn ? 'Add to what is being done…' : 'Ask, or hand over a task…'}
        value={draft.value}
        onInput={(event) => (draft.value = event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="composer-bar">
        <span class="hint">
          <kbd>Enter</kbd> to send · <kbd>{isOn ? 'Esc' : 'Shift+Enter'}</kbd>{' '}
          {isOn ? 'to stop' : 'for a new line'}
        </span>
        {isOn && <StopButton stop={stop} />}
        <SendButton send={send} isBlank={isBlank} />
      </div>
    </div>
  );
}

/** Sends what is written, or does it where it is a command; what was refused is given back. */
function useSend(): () => void {
  const { draft, ask } = useStore();
  return () => {
    const text = draft.value;
    if (text.trim() === '') return;
    draft.value = '';
    const focus = compactFocus(text);
    const asked = focus === undefined ? ask('send', { text }) : ask('compact', focus === '' ? {} : { focus });
    void asked.then((isDone) => {
      if (!isDone && draft.value === '') draft.value = text;
    });
  };
}

function isPlain(event: KeyboardEvent, keys: readonly string[]): boolean {
  return keys.includes(event.key) && !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey;
}

function StopButton({ stop }: { readonly stop: () => void }) {
  return (
    <button
      type="button"
      class="icon-button stop codicon codicon-debug-stop"
      title="Stop (Escape)"
      aria-label="Stop"
      onClick={stop}
    />
  );
}

function SendButton({ send, isBlank }: { readonly send: () => void; readonly isBlank: boolean }) {
  return (
    <button
      type="button"
      class="icon-button send codicon codicon-send"
      title="Send (Enter)"
      aria-label="Send"
      disabled={isBlank}
      onClick={send}
    />
  );
}

/** While an input method composes, Enter and Escape are its own. */
function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
}

/** Escape stops what runs, wherever in the panel the focus is, unless something nearer has a use for it. */
function useEscape(stop: () => void, isOn: boolean): void {
  useLayoutEffect(() => {
    if (!isOn) return undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event)) return;
      event.preventDefault();
      stop();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isOn]);
}

/** A field that takes the focus when it is asked to. */
function useComposerInput() {
  const { focusRequests } = useStore();
  const input = useRef<HTMLTextAreaElement>(null);
  const requests = focusRequests.value;
  useEffect(() => {
    // Nobody asked yet: a panel that merely opens must not take the focus from the editor.
    if (requests === 0) return;
    const field = input.current;
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  }, [requests]);
  return input;
}
