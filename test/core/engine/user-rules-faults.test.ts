import { describe, expect, it } from 'vitest';
import { engineSession, ofKind, prose, rounds } from '../../support/builders/engine-session.ts';
import { text } from '../../support/builders/entries.ts';
import { textIn, tokensIn } from '../../support/builders/request-text.ts';

/** What people forbid, in their own words, said early and never again. */
const RULES = [
  'Never touch db.sqlite.',
  'Do not use lodash.',
  'Hands off legacy.py.',
  'Leave config.yml alone.',
  'Stay on Node 18.',
  'No semicolons please.',
  'You cannot delete fixtures.json',
  'Stop reformatting my imports.',
  'Bitte fass die Datei alt.py auf keinen Fall an.',
  'Keine neuen Abhängigkeiten einbauen.',
  'Ne touche pas au fichier vieux.c',
  'No toques el archivo secreto.txt',
  'Не трогай production.env',
  '絶対に schema.sql を変更しないでください',
  '절대 main.cfg 를 수정하지 마세요',
  '别动 prod.yaml',
];

interface Talk {
  readonly window: number;
  readonly turns: number;
  /** tokens of what is said in a turn that rules nothing */
  readonly chatter: number;
}

/** A long talk that begins with the rules, compacted once more at its end. */
async function talk({ window, turns, chatter }: Talk, rules: readonly string[] = RULES) {
  const bench = await engineSession({
    info: { window },
    work: (_, call) => ({ blocks: [text(prose(Math.min(1_200, window / 50), `${call}`))] }),
  });
  for (let turn = 0; turn < turns; turn += 1)
    await bench.say(rules[turn - 1] ?? `question ${turn} about ${prose(chatter, `t${turn}`)}`);
  await bench.session.compact();
  await bench.say('last');
  return { ...bench, view: textIn(bench.model.work.at(-1)!) };
}

describe('C7: every rule that the user has ever stated is in view', () => {
  it.each<Talk>([
    { window: 40_000, turns: 120, chatter: 8 },
    { window: 32_000, turns: 60, chatter: 120 },
    { window: 200_000, turns: 260, chatter: 60 },
  ])('after $turns turns, in a window of $window', async (shape) => {
    const { view, entries, model } = await talk(shape);
    expect(ofKind(entries(), 'compaction').length).toBeGreaterThan(0);
    for (const rule of RULES) expect(view).toContain(rule);
    for (const request of model.requests)
      expect(tokensIn(request) + request.maxTokens).toBeLessThanOrEqual(shape.window);
  });

  it('where every message rules something', async () => {
    const rules = Array.from(
      { length: 119 },
      (_, n) =>
        `Rule ${n}: never touch src/module${n}/index.ts, and always run suite ${n} before you commit.`,
    );
    const { view } = await talk({ window: 64_000, turns: 120, chatter: 8 }, rules);
    for (const rule of rules) expect(view).toContain(rule);
  });

  it('in the middle of a message of 60,000 characters', async () => {
    const long = `${prose(6_000, 'a')}\nIMPORTANT: never touch db.sqlite, always use httpie.\n${prose(6_000, 'b')}`;
    const { view, entries } = await talk({ window: 200_000, turns: 40, chatter: 2_000 }, [long]);
    expect(ofKind(entries(), 'compaction').length).toBeGreaterThan(0);
    expect(view).toContain('never touch db.sqlite, always use httpie.');
  });
});

describe('what the person asks to keep in mind', () => {
  it('is bounded, however long it is: the request for the summary fits, and the log says what was left out', async () => {
    for (const words of [prose(170_000, 'focus '), '潮汐表很重要'.repeat(20_000)]) {
      const { session, entries, model, say } = await engineSession({
        info: { window: 40_000 },
        work: rounds(7, (round) => `f${round}:2000`),
      });
      await say('go');
      await session.compact(words);
      const [compaction] = ofKind(entries(), 'compaction');
      expect(compaction).toMatchObject({ method: 'summary', trigger: 'asked' });
      expect(compaction!.focus!.length).toBeLessThan(2_100);
      expect(compaction!.focus).toContain(words.slice(0, 1_900));
      expect(compaction!.focus).toMatch(/ \[…\] \([\d,]+ characters more were left out\)$/);
      for (const request of model.summaries)
        expect(tokensIn(request) + request.maxTokens).toBeLessThanOrEqual(40_000);
    }
  });
});
