import type { EvictedResult, EvictionItem } from '../../src/protocol/view-model.ts';
import { useStore } from '../state.ts';
import { evictionTitle, REASON_WORDS, TRIGGER_WORDS } from '../relief.ts';
import { toolLook } from '../tools.ts';
import { withUnseen } from '../unseen.ts';
import { OutputLink } from './output-link.tsx';
import { ReliefRow } from './relief-row.tsx';
import { SourceLink } from './source-link.tsx';

export function EvictionRow({ item }: { readonly item: EvictionItem }) {
  return (
    <ReliefRow
      item={item}
      icon="archive"
      title={evictionTitle(item)}
      words={[TRIGGER_WORDS[item.trigger]]}
      contentName="Results"
    >
      {() => (
        <ul class="evicted">
          {item.results.map((result) => (
            <Evicted key={result.entryId} result={result} />
          ))}
        </ul>
      )}
    </ReliefRow>
  );
}

function Evicted({
  result: { entryId, tool, target, reason, isShortened, see },
}: {
  readonly result: EvictedResult;
}) {
  const { panel } = useStore();
  const card = panel.peek()?.items.find((item) => item.kind === 'tool' && item.resultId === entryId);
  const name = tool === '' ? undefined : `${toolLook(tool).verb} ${withUnseen(target)}`.trim();
  return (
    <li>
      <SourceLink id={entryId} name={name} />
      <span class="quiet">
        {isShortened ? 'its beginning and end are still there' : REASON_WORDS[reason]}
        {see !== undefined && (
          <>
            {', see '}
            <SourceLink id={see} role="the newer one" />
          </>
        )}
      </span>
      {card?.kind === 'tool' && card.kept && <OutputLink item={card} kept={card.kept} />}
    </li>
  );
}
