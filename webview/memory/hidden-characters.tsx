import { ExactText } from '../components/exact-text.tsx';
import { Icon } from '../components/icon.tsx';
import { partsWithUnseen } from '../unseen.ts';

/** Lines that are shown of those in which something hides. */
const MOST_LINES = 5;

/** A field shows its text as it would be read: the lines in which something hides are shown below it as they are. */
export function HiddenCharacters({ text }: { readonly text: string }) {
  const lines = linesThatHide(text);
  if (lines.length === 0) return null;
  return (
    <div class="memory-hidden">
      <p>
        <Icon name="warning" />
        <span>Characters that are not seen:</span>
      </p>
      <ul>
        {lines.slice(0, MOST_LINES).map((line, index) => (
          <li key={index}>
            <ExactText text={line} />
          </li>
        ))}
      </ul>
      {lines.length > MOST_LINES && <p>and in more lines</p>}
    </div>
  );
}

function linesThatHide(text: string): readonly string[] {
  // Of a file's mark at its beginning nobody is deceived.
  const plain = text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  if (!hides(plain)) return [];
  return plain.split('\n').filter(hides);
}

function hides(text: string): boolean {
  return partsWithUnseen(text).some(({ isUnseen }) => isUnseen);
}
