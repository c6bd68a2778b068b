import type { ErrorReport } from '../../src/core/model/errors.ts';
import { useStore } from '../state.ts';
import { Icon } from './icon.tsx';
import { SetKeyButton } from './notices.tsx';

interface ErrorBlockProps {
  readonly error: ErrorReport;
  /** it is the last word: its buttons still mean something */
  readonly isCurrent: boolean;
}

const ABOUT_KEY: ReadonlySet<ErrorReport['code']> = new Set(['no_key', 'auth', 'permission']);
const ABOUT_SETTINGS: ReadonlySet<ErrorReport['code']> = new Set([
  'not_found',
  'connection',
  'invalid_request',
  'context_full',
]);

/** What failed, in the provider's words, and what to do about it. */
export function ErrorBlock({ error, isCurrent }: ErrorBlockProps) {
  const { ask, requestComposerFocus } = useStore();
  const retry = () => {
    void ask('goOn', undefined);
    requestComposerFocus();
  };
  return (
    <section class="error-block" role={isCurrent ? 'alert' : undefined} aria-label={error.title}>
      <h3>
        <Icon name="error" />
        {error.title}
      </h3>
      <p>{error.advice}</p>
      {error.detail !== '' && <pre tabIndex={0}>{error.detail}</pre>}
      {isCurrent && (
        <div class="buttons">
          {ABOUT_KEY.has(error.code) && <SetKeyButton />}
          {error.canRetry && (
            <button
              type="button"
              class={ABOUT_KEY.has(error.code) ? 'button secondary' : 'button'}
              onClick={retry}
            >
              Retry
            </button>
          )}
          {ABOUT_SETTINGS.has(error.code) && (
            <button
              type="button"
              class="button secondary"
              onClick={() => void ask('openSettings', undefined)}
            >
              Open settings
            </button>
          )}
        </div>
      )}
    </section>
  );
}

export function LimitBlock() {
  const { ask } = useStore();
  return (
    <section class="limit-block" aria-label="Round limit">
      <h3>
        <Icon name="debug-pause" />
        Paused at the round limit
      </h3>
      <p>The agent made as many model calls for this message as the settings allow. Go on?</p>
      <div class="buttons">
        <button type="button" class="button" onClick={() => void ask('goOn', undefined)}>
          Go on
        </button>
        <button type="button" class="button secondary" onClick={() => void ask('openSettings', undefined)}>
          Open settings
        </button>
      </div>
    </section>
  );
}
