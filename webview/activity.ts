import { assertNever } from '../src/core/model/assert-never.ts';
import type { Activity, Retrying } from '../src/protocol/view-model.ts';
import { formatShortCount } from './format.ts';

/** What goes on, in words for somebody who waits; undefined when nothing does. */
export function activityText(activity: Activity): string | undefined {
  switch (activity.kind) {
    case 'idle':
    case 'failed':
    case 'limit':
      return undefined;
    case 'calling':
      return 'Waiting for the model…';
    case 'streaming':
      return 'Answering…';
    case 'running_tools':
      return 'Working…';
    case 'compacting':
      return `Compacting the conversation (${formatShortCount(activity.before)} tokens)…`;
    case 'awaiting_approval':
      return 'Waiting for your approval';
    case 'retrying':
      return `${retryReason(activity)} Trying again`;
    default:
      return assertNever(activity);
  }
}

/** Why a call is made again, and for what: who waits for a summary has asked nothing of the model. */
export function retryReason({ reason, isCompacting }: Retrying): string {
  return isCompacting ? `The compaction waits: ${sentence(reason)}` : sentence(reason);
}

/** The text with a capital and a full stop, where it has none of its own. */
export function sentence(text: string): string {
  const [first = '', ...rest] = text.trim();
  const trimmed = first.toUpperCase() + rest.join('');
  return /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
