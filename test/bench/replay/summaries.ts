import { SUMMARY_SECTIONS } from '../../../src/core/context/summary-prompt.ts';
import { summaryText } from '../../support/builders/summary.ts';
import type { RecordedMessage } from '../recorded.ts';
import { textOf, tokensOf } from './ruler.ts';

/** What stands in for the model that writes summaries. */
export type Summarise = (messages: readonly RecordedMessage[]) => string;

const MOST_TOKENS = 1_000;
const PATH = /(?:[\w@.-]+\/)+[\w@.-]+\.[A-Za-z]\w{0,4}\b/g;
/** A fact with the words that say what it is. */
const FACT = /(?:named|tag|reference value|Decision) (NEEDLE-\d+)/g;

/** Never forgets a fact that it was shown: what is lost then, the engine lost. Of a bounded size, as real ones are. */
export const faithful: Summarise = (messages) => {
  const texts = messages.flatMap(({ content }) => content.map(textOf));
  const facts = new Set(texts.flatMap((text) => [...text.matchAll(FACT)].map(([fact]) => fact)));
  const paths = new Set(texts.flatMap((text) => text.match(PATH) ?? []));
  const goal = messages[0]?.content.find(({ type }) => type === 'text');
  return summaryText({
    Goal: goal === undefined ? 'none' : textOf(goal).replaceAll(/\s+/g, ' ').slice(0, 300),
    Progress: 'The work goes on as it was asked for; what is done was checked.',
    'Critical context': within([...facts], MOST_TOKENS / 2).join('; '),
    Files: within([...paths].reverse(), MOST_TOKENS / 4).join('\n- '),
  });
};

/** All headings and nothing under them: what a person laid down must hold even so. */
export const forgetful: Summarise = () => SUMMARY_SECTIONS.map((title) => `## ${title}\n- none`).join('\n');

function within(items: readonly string[], tokens: number): readonly string[] {
  let left = tokens;
  return items.filter((item) => (left -= tokensOf(item) + 2) >= 0);
}
