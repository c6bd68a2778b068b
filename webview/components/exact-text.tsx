import { partsWithUnseen } from '../unseen.ts';

/** A text in which nothing hides: what is read is what is there. */
export function ExactText({ text }: { readonly text: string }) {
  return (
    <>
      {partsWithUnseen(text).map((part) =>
        part.isUnseen ? <span class="unseen">{part.text}</span> : part.text,
      )}
    </>
  );
}
