import type { SummaryBullet, WorkState } from '../../src/core/model/relief-entry.ts';
import type { CompactionItem } from '../../src/protocol/view-model.ts';
import { compactionWords, placesOf } from '../relief.ts';
import { useStore } from '../state.ts';
import { Icon } from './icon.tsx';
import { ReliefRow } from './relief-row.tsx';
import { SourceLink } from './source-link.tsx';

export function CompactionRow({ item }: { readonly item: CompactionItem }) {
  return (
    <ReliefRow
      item={item}
      icon="fold"
      title="Conversation compacted"
      words={compactionWords(item)}
      contentName="Summary"
    >
      {() => <Summary item={item} />}
    </ReliefRow>
  );
}

function Summary({ item }: { readonly item: CompactionItem }) {
  const { focus, fallback, model, summary, state, text } = item;
  return (
    <>
      {fallback !== undefined && <Remark name="Instead of what was meant" text={fallback} />}
      {focus !== undefined && <Remark name="Focus" text={focus} />}
      {model !== undefined && <Remark name="Written by" text={model} />}
      {summary.map(({ title, bullets }) => (
        <section key={title}>
          <h4>{title}</h4>
          <ul>
            {bullets.map((bullet, index) => (
              <Bullet key={index} bullet={bullet} />
            ))}
          </ul>
        </section>
      ))}
      <State state={state} />
      {text !== '' && (
        <details>
          <summary>What the model sees in its place</summary>
          <pre tabIndex={0}>{text}</pre>
        </details>
      )}
    </>
  );
}

function Remark({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <p>
      <span class="quiet">{name}: </span>
      {text}
    </p>
  );
}

const MOST_SOURCES = 5;

/** What the summary says and where it has it from: what nobody can look up is marked as such. */
function Bullet({ bullet: { text, sources } }: { readonly bullet: SummaryBullet }) {
  const { panel } = useStore();
  const places = placesOf(panel.peek()?.items ?? [], sources);
  const more = places.length - MOST_SOURCES;
  return (
    <li>
      {text}{' '}
      <span class="sources">
        {places.slice(0, MOST_SOURCES).map(({ id, name }) => (
          <SourceLink key={id} id={id} name={name} />
        ))}
        {more > 0 && <span>and {more} more</span>}
        {sources.length === 0 && (
          <span class="unmatched">
            <Icon name="question" /> no source found
          </span>
        )}
      </span>
    </li>
  );
}

/** Where the work stood, as code read it off the transcript. */
function State({ state }: { readonly state: WorkState }) {
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['Goal', [state.goal]],
    ['Step', [state.step]],
    ['Completed', state.completed],
    ['Pending', state.pending],
    ['Errors', state.errors],
    ['Files', state.files],
  ];
  const told = rows
    .map(([name, texts]) => [name, texts.filter((text) => text !== '')] as const)
    .filter(([, texts]) => texts.length > 0);
  if (told.length === 0) return null;
  return (
    <section class="work-state">
      <h4>State of the work</h4>
      <dl>
        {told.map(([name, texts]) => (
          <div key={name}>
            <dt>{name}</dt>
            {texts.map((text, index) => (
              <dd key={index}>{text}</dd>
            ))}
          </div>
        ))}
      </dl>
    </section>
  );
}
