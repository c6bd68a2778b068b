import type { PanelState } from '../../src/protocol/view-model.ts';
import { useStore } from '../state.ts';
import { Icon } from './icon.tsx';

/** A compaction that was asked for while something else runs: it waits for the next request, and can be taken back. */
export function QueuedCompaction({ queued }: { readonly queued: PanelState['queuedCompaction'] }) {
  const { ask, requestComposerFocus } = useStore();
  const takeBack = () => {
    void ask('withdrawCompaction', undefined);
    requestComposerFocus();
  };
  // The place is always there: what comes into it is told to somebody who listens.
  return (
    <div role="status">
      {queued !== undefined && (
        <div class="status-line queued-compaction">
          <Icon name="clock" />
          <span>
            Compaction queued: it comes before the next request.
            {queued.focus !== undefined && ` Focus: ${queued.focus}`}
          </span>
          <button
            type="button"
            class="button secondary small"
            aria-label="Take back the queued compaction"
            onClick={takeBack}
          >
            Take back
          </button>
        </div>
      )}
    </div>
  );
}
