import { MEMORY_BOUND } from '../../src/core/model/memory.ts';
import type { MemoryMeasure } from '../../src/protocol/memory.ts';
import { Icon } from '../components/icon.tsx';
import { formatCount } from '../format.ts';
import { countLines } from './memory-lines.ts';

interface MemoryCountsProps {
  readonly id: string;
  readonly measure: MemoryMeasure | undefined;
  readonly trouble: string | undefined;
  readonly text: string;
}

const BOUNDS = ['entries', 'bytes', 'tokens'] as const;

/** What the text takes of its bounds, and what the model sees of it. Not told as one types: it is there to be read. */
export function MemoryCounts({ id, measure, trouble, text }: MemoryCountsProps) {
  return (
    <div class="memory-counts" id={id}>
      {measure && (
        <>
          <p class="memory-figures">
            {BOUNDS.map((bound) => (
              <Figure key={bound} name={bound} count={measure[bound]} />
            ))}
          </p>
          <p>{seenText(measure, countLines(text))}</p>
        </>
      )}
      {trouble !== undefined && <p>It could not be counted: {trouble}</p>}
    </div>
  );
}

function Figure({ name, count }: { readonly name: (typeof BOUNDS)[number]; readonly count: number }) {
  const isOver = count > MEMORY_BOUND[name];
  return (
    <span class={isOver ? 'memory-figure over' : 'memory-figure'}>
      {isOver && <Icon name="warning" />}
      {name === 'tokens' && '~'}
      {formatCount(count)} / {formatCount(MEMORY_BOUND[name])} {name}
      {isOver && ', too many'}
    </span>
  );
}

function seenText({ shownLines }: MemoryMeasure, lines: number): string {
  if (lines === 0) return 'There is nothing for the model to see.';
  if (shownLines === undefined || shownLines >= lines) return 'The model sees all of it.';
  if (shownLines === 0) return `The model sees none of the ${formatCount(lines)} lines.`;
  const shown = shownLines === 1 ? 'the first' : `the first ${formatCount(shownLines)}`;
  return `The model sees ${shown} of ${formatCount(lines)} lines. What is below is kept.`;
}
