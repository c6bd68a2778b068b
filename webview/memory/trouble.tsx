import { Icon } from '../components/icon.tsx';

interface TroubleProps {
  /** why something was refused, in the host's words */
  readonly text: string | undefined;
  readonly dismiss?: () => void;
}

/** A refusal, in the place of what was refused. */
export function Trouble({ text, dismiss }: TroubleProps) {
  if (text === undefined) return null;
  return (
    <div class="refusal" role="alert">
      <Icon name="error" />
      <span class="grow">{text}</span>
      {dismiss && (
        <button
          type="button"
          class="icon-button codicon codicon-close"
          aria-label="Dismiss"
          title="Dismiss"
          onClick={dismiss}
        />
      )}
    </div>
  );
}
