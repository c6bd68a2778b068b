import { COMPACT, compactFocus, completion } from '../slash.ts';
import { Icon } from './icon.tsx';

export const SLASH_HINT_ID = 'slash-hint';

interface SlashHintProps {
  readonly text: string;
  readonly complete: (text: string) => void;
}

/** What a text that begins with a slash would do. The keyboard has Tab and Enter in the field for it. */
export function SlashHint({ text, complete }: SlashHintProps) {
  const rest = completion(text);
  if (rest === undefined && compactFocus(text) === undefined) return null;
  return (
    <button
      type="button"
      id={SLASH_HINT_ID}
      class="slash-hint"
      tabIndex={-1}
      disabled={rest === undefined}
      onClick={() => complete(rest ?? text)}
    >
      <Icon name="fold" />
      <span>
        <strong>{COMPACT} [focus]</strong> makes the conversation smaller now; a focus says what its summary
        must keep.
      </span>
    </button>
  );
}
