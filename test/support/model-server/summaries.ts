import { sectionsIn } from './conversation.ts';
import type { ScenarioRequest } from './conversation.ts';
import type { Reply, ScenarioFunction, Step } from './scenario.ts';
import { fail, pause, stop, text, thinking, toolUse } from './scenario.ts';
import type { WireMessage } from './wire.ts';

/**
 * What the simulated model writes when it is asked for a summary, whichever way: a list is used up one by one, and
 * where it ends, or a function has nothing to say, comes the plausible one.
 */
export type SummaryScript = readonly Step[] | ScenarioFunction;

const USUAL_SECTIONS = [
  'Goal',
  'Constraints',
  'Progress',
  'Decisions',
  'Failed attempts',
  'Files',
  'Verified',
  'Open questions',
  'Next steps',
  'Critical context',
];

const CONSTRAINT = /\b(?:never|always|must|only|do not|don't|use|avoid)\b/i;
const PATH = /(?:[\w.-]+\/)*[\w-]+\.[a-z]{1,5}\b/g;
const MOST_BULLETS = 6;

function textsOf(messages: readonly WireMessage[], role: string): readonly string[] {
  return messages
    .filter((message) => message.role === role)
    .flatMap(({ content }) => content.flatMap((block) => (block.type === 'text' ? [block.text] : [])));
}

function shortened(line: string): string {
  const clean = line.replaceAll(/\s+/g, ' ').trim();
  return clean.length > 160 ? `${clean.slice(0, 160).replace(/\p{Surrogate}$/u, '')}…` : clean;
}

function inputsOf(messages: readonly WireMessage[]): string {
  const calls = messages.flatMap(({ content }) => content.filter((block) => block.type === 'tool_use'));
  return calls.map((call) => JSON.stringify(call.input)).join('\n');
}

/** What the earlier summary said of this section. */
function carried(messages: readonly WireMessage[], title: string): readonly string[] {
  const [signed] = messages[0]?.content ?? [];
  const texts = [...textsOf(messages, 'user'), ...textsOf(messages, 'system')];
  const old = signed?.type === 'compaction' ? [signed.content ?? '', ...texts] : texts;
  const sections = old.flatMap((one) => (sectionsIn(one).length >= 3 ? one.split(/^#{1,4} +/m) : []));
  const body = sections.filter((section) => section.startsWith(`${title}\n`)).join('\n');
  return [...body.matchAll(/^- (.+)$/gm)].flatMap(([, line]) => (line && line !== 'None.' ? [line] : []));
}

function bulletsFor(title: string, messages: readonly WireMessage[]): readonly string[] {
  const asked = textsOf(messages, 'user').filter(
    (said) => !/^\s*</.test(said) && sectionsIn(said).length < 3,
  );
  if (/goal|intent|task/i.test(title)) return asked.slice(0, 1);
  if (/constraint|preference/i.test(title)) return asked.filter((said) => CONSTRAINT.test(said));
  if (/file/i.test(title)) return inputsOf(messages).match(PATH) ?? [];
  if (/progress|done|complete/i.test(title)) return textsOf(messages, 'assistant');
  if (/next|pending/i.test(title)) return asked.slice(-1);
  return [];
}

/** Deterministic, with the sections that were asked for, out of what was said. */
export function plausibleSummary({ messages, summaryAsk = '' }: ScenarioRequest): Reply {
  const named = sectionsIn(summaryAsk);
  const sections = (named.length > 0 ? named : USUAL_SECTIONS).map((title) => {
    const all = [...carried(messages, title), ...bulletsFor(title, messages).map(shortened)];
    const bullets = [...new Set(all)].slice(-MOST_BULLETS);
    return `## ${title}\n${(bullets.length > 0 ? bullets : ['None.']).map((line) => `- ${line}`).join('\n')}`;
  });
  return [text(sections.join('\n\n'))];
}

/** Summaries that go wrong, each in its own way, and one that takes its time. */
export const badSummaries = {
  empty: [stop('end_turn')],
  blank: text(' \n\t '),
  onlyThinking: [thinking('I should summarize.'), stop('end_turn')],
  toolCall: toolUse('read_file', { path: 'a.txt' }),
  cut: [text('## Goal\n- Half a sen'), stop('max_tokens')],
  refusal: [text('I will not.'), stop('refusal')],
  noSections: text('We talked about this and that.'),
  tooLarge: (words: number): Reply => text('## Goal\n', 'word '.repeat(words)),
  error: (status: number, message?: string): Reply => fail(status, message),
  /** the plausible one, so many milliseconds later */
  slow:
    (ms: number | Promise<unknown>): ScenarioFunction =>
    (request) => [pause(ms), ...[plausibleSummary(request)].flat()],
} satisfies Readonly<Record<string, unknown>>;
