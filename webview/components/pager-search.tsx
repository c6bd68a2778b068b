import { assertNever } from '../../src/core/model/assert-never.ts';
import { formatCount } from '../format.ts';
import type { CurrentMatch, Findings, OutputSearch } from '../pager/output-search.ts';
import { ToolButton } from './tool-button.tsx';

export function PagerSearch({ search }: { readonly search: OutputSearch }) {
  const { text, isCaseSensitive } = search.query.value;
  const findings = search.findings.value;
  const hasMatches = findings.kind === 'found' && findings.result.matches.length > 0;
  return (
    <div class="pager-group pager-search" role="search" aria-label="In the output">
      <input
        type="search"
        aria-label="Search output"
        placeholder="Search"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => search.type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.isComposing) return;
          event.preventDefault();
          search.step(event.shiftKey ? -1 : 1);
        }}
      />
      <ToolButton
        name="Match case"
        icon="case-sensitive"
        isPressed={isCaseSensitive}
        act={() => search.toggleCase()}
      />
      <span class="pager-count" role="status">
        {countText(findings, search.current.value)}
        {cutNote(findings)}
      </span>
      <ToolButton
        name="Previous match"
        icon="arrow-up"
        isDisabled={!hasMatches}
        act={() => search.step(-1)}
      />
      <ToolButton name="Next match" icon="arrow-down" isDisabled={!hasMatches} act={() => search.step(1)} />
    </div>
  );
}

function countText(findings: Findings, current: CurrentMatch | undefined): string {
  switch (findings.kind) {
    case 'none':
      return '';
    case 'searching':
      return 'Searching…';
    case 'failed':
      return 'Failed';
    case 'found': {
      const { count } = findings.result;
      if (count === 0) return 'No results';
      const all = formatCount(count); // all are counted, also those that are not gone through
      return current === undefined ? all : `${formatCount(current.index + 1)} of ${all}`;
    }
    default:
      return assertNever(findings);
  }
}

/** What cannot be gone to is told where everybody reads it. */
function cutNote(findings: Findings): string {
  if (findings.kind !== 'found' || !findings.result.isCut) return '';
  return `; goes through the first ${formatCount(findings.result.matches.length)} rows with matches`;
}
