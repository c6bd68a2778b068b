import { describe, expect, it } from 'vitest';
import { checkSummary, checkSummaryText } from '../../../src/core/context/summary-check.ts';
import { SUMMARY_SECTIONS } from '../../../src/core/context/summary-prompt.ts';
import type { ModelMessage } from '../../../src/core/model/request.ts';
import { text, thinking, toolUse } from '../../support/builders/entries.ts';
import { summaryText } from '../../support/builders/summary.ts';

const LARGE = 100_000;
const reply = (change: Partial<ModelMessage> = {}): ModelMessage => ({
  id: 'm',
  model: 'm',
  blocks: [text(summaryText({ Goal: 'win' }))],
  stopReason: 'end_turn',
  ...change,
});
const sections = (value: string) => {
  const checked = checkSummaryText(value, LARGE);
  return checked.kind === 'accepted' ? checked.sections : checked.reason;
};

describe('a reply that is a summary', () => {
  it('gives its sections with their bullets, those with nothing to say left out', () => {
    expect(checkSummary(reply(), LARGE)).toEqual({
      kind: 'accepted',
      sections: [{ title: 'Goal', bullets: ['win'] }],
    });
    expect(checkSummary(reply({ stopReason: 'stop_sequence' }), LARGE).kind).toBe('accepted');
  });

  it('may think before it writes', () => {
    const blocks = [thinking('hm'), text(summaryText())];
    expect(checkSummary(reply({ blocks }), LARGE).kind).toBe('accepted');
  });

  it.each<[string, (title: string) => string]>([
    ['in bold', (title) => `**${title.toUpperCase()}:**`],
    ['in bold, with the colon behind', (title) => `**${title}**:`],
    ['with numbers', (title) => `### 3. ${title}`],
    ['with words of their own behind', (title) => `# ${title} (so far)`],
  ])('may write headings %s, in any order', (_, heading) => {
    const body = SUMMARY_SECTIONS.toReversed()
      .map((title) => `${heading(title)}\n1. one of ${title}\n* two\n  goes on`)
      .join('\n');
    expect(sections(body)).toEqual(
      SUMMARY_SECTIONS.map((title) => ({ title, bullets: [`one of ${title}`, 'two\n  goes on'] })),
    );
  });

  it('keeps what stands under a heading of its own with the section before it', () => {
    const body = summaryText({ Files: 'a.ts' }).replace('- a.ts', '- a.ts\n### More\n- b.ts');
    expect(sections(body)).toEqual([{ title: 'Files', bullets: ['a.ts\n  ### More', 'b.ts'] }]);
  });
});

describe('a reply that is none is refused, with the reason:', () => {
  it.each([
    'max_tokens',
    'tool_use',
    'refusal',
    'pause_turn',
    'model_context_window_exceeded',
    'aborted',
  ] as const)('it ended with %s', (stopReason) => {
    expect(checkSummary(reply({ stopReason }), LARGE)).toEqual({
      kind: 'refused',
      reason: `it ended with ${stopReason}`,
    });
  });

  it('it called a tool', () => {
    const blocks = [text(summaryText()), toolUse('x')];
    expect(checkSummary(reply({ blocks }), LARGE)).toEqual({ kind: 'refused', reason: 'it called a tool' });
  });

  it.each([
    ['no block', []],
    ['white space', [text(' \n\t')]],
    ['only thinking', [thinking(summaryText())]],
  ])('it was empty: %s', (_, blocks) => {
    expect(checkSummary(reply({ blocks }), LARGE)).toEqual({ kind: 'refused', reason: 'it was empty' });
  });

  it.each(SUMMARY_SECTIONS)('the section %s is missing', (title) => {
    const value = summaryText().replace(`## ${title}\n- none`, '');
    expect(sections(value)).toBe(`sections are missing: ${title}`);
  });

  it('it is more than half of what it would replace', () => {
    const value = summaryText({ Progress: 'word '.repeat(100) });
    const refused = checkSummaryText(value, 200);
    expect(refused).toMatchObject({ kind: 'refused' });
    const tokens = Number(
      /takes (\d+) tokens for the 200 /.exec((refused as { reason: string }).reason)?.[1],
    );
    expect(checkSummaryText(value, 2 * tokens).kind).toBe('accepted');
    expect(checkSummaryText(value, 2 * tokens - 1).kind).toBe('refused');
  });
});

it.each(['# a', '**', '#', '- ', '* '])(
  'T15: a line of %j and blanks without end is read in the time that reading takes',
  (begin) => {
    const line = `${begin}${' '.repeat(200_000)}b`;
    expect(checkSummaryText(`${summaryText()}\n${line}`, LARGE).kind).toMatch(/accepted|refused/);
  },
);
