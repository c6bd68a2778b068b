import type { ComponentChild } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Activity, Retrying } from '../../src/protocol/view-model.ts';
import { activityText, retryReason } from '../activity.ts';
import { useStore } from '../state.ts';
import { Icon } from './icon.tsx';

interface StatusLineProps {
  readonly activity: Activity;
  /** a relief is waited for, and may be given up */
  readonly isRelieving: boolean;
}

/** The last line of the conversation while something goes on. */
export function StatusLine({ activity, isRelieving }: StatusLineProps) {
  const cancel = isRelieving ? <CancelRelief /> : null;
  if (activity.kind === 'retrying')
    return <RetryCountdown key={activity.attempt} retry={activity} cancel={cancel} />;
  const text = activityText(activity);
  if (text === undefined) return null;
  const isWaiting = activity.kind === 'awaiting_approval';
  return (
    <div class={`status-line${isWaiting ? ' attention' : ''}`}>
      <Icon name={isWaiting ? 'question' : 'loading'} spin={!isWaiting} />
      <span>{text}</span>
      {cancel}
    </div>
  );
}

function CancelRelief() {
  const { ask, requestComposerFocus } = useStore();
  const cancel = () => {
    void ask('cancelRelief', undefined);
    requestComposerFocus();
  };
  return (
    <button type="button" class="button secondary small" aria-label="Cancel compaction" onClick={cancel}>
      Cancel
    </button>
  );
}

interface RetryCountdownProps {
  readonly retry: Retrying;
  readonly cancel: ComponentChild;
}

function RetryCountdown({ retry, cancel }: RetryCountdownProps) {
  const left = useSecondsLeft(retry.delayMs);
  const when = left > 0 ? `Trying again in ${left} s` : 'Trying again';
  return (
    <div class="status-line attention">
      <Icon name="history" />
      <span>
        {retryReason(retry)} {when} ({retry.attempt} of {retry.of})
      </span>
      {cancel}
    </div>
  );
}

function useSecondsLeft(delayMs: number): number {
  const [end] = useState(() => performance.now() + delayMs);
  const [left, setLeft] = useState(delayMs);
  useEffect(() => {
    const timer = setInterval(() => setLeft(Math.max(0, end - performance.now())), 250);
    return () => clearInterval(timer);
  }, [end]);
  return Math.ceil(left / 1_000);
}
