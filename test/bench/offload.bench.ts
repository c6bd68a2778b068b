import { appendFileSync, rmSync } from 'node:fs';
import { estimateTokens } from '../../src/core/context/estimate-tokens.ts';
import { keepOutput } from '../../src/core/offload/keep-output.ts';
import { outputBench } from '../support/output-bench.ts';
import { textCounter } from '../support/billed-session.ts';
import { readModule } from '../support/real-texts.ts';
import type { Figure } from './figure.ts';
import { percentile, timed } from './figure.ts';

const RUNS = 300;
const SMALL = 9_000;
const MOST_SMALL_MS = 1;
const LARGE = 5_000_000;
const MOST_TOKENS = 1_500;
const STREAM = 50_000_000;
const CHUNK = 65_536;

/** What it costs that every result passes one place on its way into the log. */
export async function bench(): Promise<readonly Figure[]> {
  const outputs = outputBench();
  try {
    const keep = (content: string) =>
      keepOutput(
        { content, isPaged: false },
        { threshold: 10_000, room: 40_000, writer: outputs.begin(), estimate: estimateTokens },
      );
    return [await smallFigure(keep), await viewFigure(keep), await streamFigure(outputs)];
  } finally {
    outputs.dispose();
  }
}

/** Real source code of any length. */
function code(length: number): string {
  return readModule('typescript/lib/typescript.js', length);
}

type Keep = (content: string) => ReturnType<typeof keepOutput>;

async function smallFigure(keep: Keep): Promise<Figure> {
  const text = code(SMALL);
  const kept: number[] = [];
  const copied: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    kept.push(await timed(() => keep(`${run}\n${text}`)));
    copied.push(await timed(() => JSON.stringify(`${run}\n${text}`)));
  }
  const value = percentile(kept, 0.95);
  return {
    what: 'a small result on its way into the log, p95',
    value,
    unit: 'ms',
    reference: { what: 'writing it as JSON, p95', value: percentile(copied, 0.95) },
    bar: { text: `< ${MOST_SMALL_MS} ms`, holds: value < MOST_SMALL_MS },
  };
}

async function viewFigure(keep: Keep): Promise<Figure> {
  const count = textCounter();
  const kinds = [code(LARGE), 'QUJDREVG0123+/'.repeat(LARGE / 14), '漢字仮名交じり文'.repeat(LARGE / 24)];
  const costs: number[] = [];
  for (const text of kinds) {
    const { content } = await keep(text);
    costs.push(count(content.map((block) => (block.type === 'text' ? block.text : '')).join('')));
  }
  const value = Math.max(...costs);
  return {
    what: 'tokens in the view for an output of 5 MB: code, base64, Chinese',
    value,
    unit: 'tokens',
    reference: { what: 'the whole, by its characters', value: estimateTokens(kinds[0] ?? '') },
    bar: { text: `≤ ${MOST_TOKENS}`, holds: value <= MOST_TOKENS },
  };
}

async function streamFigure(outputs: ReturnType<typeof outputBench>): Promise<Figure> {
  const chunk = Buffer.from(code(CHUNK));
  const writer = outputs.begin();
  const stream = async () => {
    for (let sent = 0; sent < STREAM; sent += chunk.length) await writer.write(chunk);
    await writer.finish();
  };
  const value = await timed(stream);
  const plain = `${outputs.folder}/plain`;
  const reference = await timed(() => {
    for (let sent = 0; sent < STREAM; sent += chunk.length) appendFileSync(plain, chunk);
  });
  rmSync(plain);
  return {
    what: `${STREAM / 1e6} MB of a command’s output, redacted and written`,
    value,
    unit: 'ms',
    reference: { what: 'the same bytes appended to a file', value: reference },
  };
}
