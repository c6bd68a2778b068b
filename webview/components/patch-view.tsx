import type { PatchLine } from '../patch.ts';
import { patchLines } from '../patch.ts';
import { plainLineEnds } from '../live-text.ts';
import { ExactText } from './exact-text.tsx';

const SIGNS = { added: '+', removed: '−', context: ' ', gap: '⋯' } as const;
/** Most lines drawn of one patch; the editor's diff shows the rest. */
const SHOWN_LINES = 400;

export function PatchView({ patch }: { readonly patch: string }) {
  const lines = patchLines(patch);
  if (lines.length === 0)
    return (
      <pre class="patch">
        <ExactText text={plainLineEnds(patch)} />
      </pre>
    );
  const left = lines.length - SHOWN_LINES;
  return (
    <div class="patch" tabIndex={0} role="group" aria-label="Changes">
      <div class="patch-lines">
        {lines.slice(0, SHOWN_LINES).map((line, index) => (
          <Line key={index} line={line} />
        ))}
        {left > 0 && <div class="patch-line gap">{left} more lines in the diff</div>}
      </div>
    </div>
  );
}

function Line({ line }: { readonly line: PatchLine }) {
  return (
    <div class={`patch-line ${line.kind}`}>
      <span class="patch-number" aria-hidden="true">
        {line.number}
      </span>
      <span class="patch-sign">{SIGNS[line.kind]}</span>
      <span class="patch-text">{line.text === '' ? ' ' : <ExactText text={line.text} />}</span>
    </div>
  );
}
