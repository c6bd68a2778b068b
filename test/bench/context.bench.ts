import type { Figure } from './figure.ts';
import { percentile, timed } from './figure.ts';
import { plimsoll } from './replay/engines.ts';
import { generate } from './replay/generate.ts';
import { Replay, replay } from './replay/replay.ts';
import { layoutOf } from './replay/ruler.ts';
import type { ReplaySession } from './replay/session.ts';
import { toSession } from './replay/session.ts';
import { faithful } from './replay/summaries.ts';

/** Filled to the first load line, where the most is weighed. */
const WINDOW = 400_000;
const TOKENS = 200_000;
const ROUNDS_AROUND = 100;
const MOST_MS = 3;

const LONG_ROUNDS = 10_000;
const SMALL_WINDOW = 16_000;
const SCALE = 0.2;
const MOST_GROWTH = 1.3;

/**
 * What deciding about a request costs the processor: the fold, the view, its repair, the ledger and the load lines, as
 * the agent goes through them before each call. Around 200,000 tokens; and in a session that fills its window again and
 * again.
 */
export async function bench(): Promise<readonly Figure[]> {
  return [await fullFigure(), await flatFigure()];
}

async function fullFigure(): Promise<Figure> {
  const session = cutAt(toSession(generate(3, 400)), TOKENS);
  const { cpu } = await replay(session, { contender: plimsoll({}), window: WINDOW, summarise: faithful });
  const value = percentile(cpu.slice(-ROUNDS_AROUND), 0.95);
  const json = await Promise.all(
    Array.from({ length: ROUNDS_AROUND }, () => timed(() => JSON.stringify(session.messages))),
  );
  return {
    what: `deciding about a request of ${TOKENS / 1_000}k tokens, p95`,
    value,
    unit: 'ms',
    reference: { what: 'writing it as JSON, p95', value: percentile(json, 0.95) },
    bar: { text: `≤ ${MOST_MS} ms`, holds: value <= MOST_MS },
  };
}

/** The beginning of a session, up to so many tokens. */
function cutAt(session: ReplaySession, tokens: number): ReplaySession {
  const { system, tools, messages } = session;
  let rounds = messages.length;
  while (layoutOf({ system, tools, messages: messages.slice(0, rounds) }).total > tokens) rounds -= 2;
  return { ...session, messages: messages.slice(0, rounds) };
}

/** A long session in its last tenth and another one in its first, in turns: what else the machine does strikes both. */
async function flatFigure(): Promise<Figure> {
  const tenth = LONG_ROUNDS / 10;
  const long = inSmallWindow(4, LONG_ROUNDS);
  const fresh = inSmallWindow(5, tenth);
  await long.go(LONG_ROUNDS - tenth);
  for (let round = 0; round < tenth; round += 1) {
    await long.go(1);
    await fresh.go(1);
  }
  const last = percentile(long.outcome().cpu.slice(-tenth), 0.5);
  const first = percentile(fresh.outcome().cpu.slice(-tenth), 0.5);
  return {
    what: `the same in the last tenth of ${LONG_ROUNDS} rounds, median`,
    value: last,
    unit: 'ms',
    reference: { what: 'in the first tenth', value: first },
    bar: { text: `≤ ${MOST_GROWTH} times`, holds: last <= MOST_GROWTH * first },
  };
}

function inSmallWindow(seed: number, rounds: number): Replay {
  const session = toSession(generate(seed, rounds, SCALE));
  return new Replay(session, { contender: plimsoll({}), window: SMALL_WINDOW, summarise: faithful });
}
