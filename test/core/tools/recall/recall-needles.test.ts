import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../../../src/core/context/estimate-tokens.ts';
import type { EntryDraft } from '../../../../src/core/model/entry.ts';
import { recallQuery } from '../../../../src/core/tools/recall/recall.ts';
import { assistant, logOf, result, text, toolUse, user } from '../../../support/builders/entries.ts';

const ROUNDS = 300;

interface Needle {
  readonly id: string;
  /** the sentence around it, without it */
  readonly sentence: string;
}

/** A long session with facts in sentences that are nearly the same all over it, at random places. */
function session(seed: number) {
  const random = generator(seed);
  const needles: Needle[] = [];
  const plant = (before: string, after: string) => {
    const id = `NEEDLE-${1_000 + needles.length}`;
    needles.push({ id, sentence: `${before} ${after}` });
    return `${before} ${id}${after}`;
  };
  const places = (count: number) =>
    new Set(Array.from({ length: count }, (_, index) => Math.floor(((index + random()) * ROUNDS) / count)));
  const [inUser, inResult, inAnswer] = [places(12), places(27), places(20)];
  const drafts: EntryDraft[] = [
    user(`[goal ${plant('Ship the release', ' before the freeze')}] ${prose(random, 400)}`),
  ];
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round % 10 === 0 || inUser.has(round)) {
      const constraint = (count: number) =>
        plant(`Constraint ${count}: everything you ship for this must carry the tag`, '.');
      drafts.push(
        user([prose(random, 80), ...(inUser.has(round) ? [constraint(1), constraint(2)] : [])].join('\n\n')),
      );
    }
    const decision = inAnswer.has(round)
      ? [plant('Decision', ': I keep this approach and will not revisit it.')]
      : [];
    const said = [`Now I check the reference value of step ${round}.`, prose(random, 40), ...decision].join(
      '\n\n',
    );
    drafts.push(assistant(text(said), toolUse(`c${round}`, { path: `src/part-${round % 40}.ts` })));
    const lines = code(random, 30 + Math.floor(random() * 150));
    if (inResult.has(round))
      lines.splice(
        Math.floor(random() * lines.length),
        0,
        plant('# note: reference value', ' is in effect here'),
      );
    drafts.push(result(`c${round}`, lines.join('\n'), { target: `src/part-${round % 40}.ts` }));
  }
  return { entries: logOf(...drafts), needles };
}

/** Mulberry32. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const WORDS =
  'the value of this note is kept in effect for every reference here and you must keep it while I ship an approach with tags that carry what will not change when a decision about the release is made before it'.split(
    ' ',
  );

function prose(random: () => number, words: number): string {
  const all = Array.from({ length: words }, (_, index) => {
    const word = WORDS[Math.floor(random() * WORDS.length)] ?? '';
    return index % 12 === 11 ? `${word}.` : word;
  });
  return all.join(' ');
}

function code(random: () => number, lines: number): string[] {
  return Array.from({ length: lines }, (_, index) => {
    const name = WORDS[Math.floor(random() * WORDS.length)] ?? '';
    return `${String(index + 1).padStart(6)}\tconst ${name}Value = referenceOf('${name}', ${Math.floor(random() * 50)});`;
  });
}

/** What fits into 2,000 tokens, of the first five hits. */
function firstHits(answer: string): string {
  const sixth = answer.search(/\n6\. /);
  const five = sixth < 0 ? answer : answer.slice(0, sixth);
  expect(estimateTokens(five)).toBeLessThanOrEqual(2_000);
  return five;
}

describe('a fact asked for by the sentence it stands in', () => {
  it.each([1, 2, 3])('is in the first five hits within 2,000 tokens (session %i)', async (seed) => {
    const { entries, needles } = session(seed);
    expect(needles.length).toBeGreaterThan(60);
    const answers = new Map<string, string>();
    const missed: string[] = [];
    for (const { id, sentence } of needles) {
      const answer =
        answers.get(sentence) ?? firstHits(await recallQuery(entries, { query: sentence, page: 1 }));
      answers.set(sentence, answer);
      if (!answer.includes(id)) missed.push(`${id} ${sentence}`);
    }
    expect(missed).toEqual([]);
  });

  it('and by some words of it', async () => {
    const { entries, needles } = session(4);
    const queries = [
      'reference value in effect',
      'which tag must be carried by everything I ship?',
      'decisions not to be revisited',
    ];
    const found = await Promise.all(queries.map((query) => recallQuery(entries, { query, page: 1 })));
    const all = found.map(firstHits).join('\n');
    expect(needles.slice(1).filter(({ id }) => !all.includes(id))).toEqual([]);
  });
});
