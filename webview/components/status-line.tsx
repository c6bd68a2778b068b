import { useEffect, useState } from 'preact/hooks';
import type { Activity } from '../../src/protocol/view-model.ts';
import { activityText, sentence } from '../activity.ts';
import { Icon } from './icon.tsx';

/** The last line of the conversation while a turn is on. */
export function StatusLine({ activity }: { readonly activity: Activity }) {
  if (activity.kind === 'retrying') return <RetryCountdown key={activity.attempt} retry={activity} />;
  const text = activityText(activity);
  if (text === undefined) return null;
  const isWaiting = activity.kind === 'awaiting_approval';
  return (
    <p class={`status-line${isWaiting ? ' attention' : ''}`}>
      <Icon name={isWaiting ? 'question' : 'loading'} spin={!isWaiting} />
      {text}
    </p>
  );
}

type Retrying = Activity & { readonly kind: 'retrying' };

function RetryCountdown({ retry }: { readonly retry: Retrying }) {
  const left = useSecondsLeft(retry.delayMs);
  const when = left > 0 ? `Trying again in ${left} s` : 'Trying again';
  return (
    <p class="status-line attention">
      <Icon name="history" />
      {sentence(retry.reason)} {when} ({retry.attempt} of {retry.of})
    </p>
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
