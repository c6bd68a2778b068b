import { estimateTokens } from '../../src/core/context/estimate-tokens.ts';
import { viewOfMemory } from '../../src/core/memory/memory-view.ts';
import { parseDocument } from '../../src/core/memory/parse.ts';
import { documentOf } from '../../src/core/memory/reconcile.ts';
import { renderDocument } from '../../src/core/memory/render.ts';
import type { Memory } from '../../src/core/model/memory.ts';
import type { Figure } from './figure.ts';
import { cpuTimed, percentile } from './figure.ts';

const COUNT = 10_000;
const RUNS = 50;
const MOST_MS = 5;
const NOW = Date.parse('2026-05-04T10:00:00Z');

/** What the memory of ten thousand entries costs a request: finding and writing what of it the model sees. */
export async function bench(): Promise<readonly Figure[]> {
  const memories = Array.from({ length: COUNT }, (_, index) => memoryAt(index));
  const document = documentOf(parseDocument('# Harbour\n\n- Use httpie\n'), memories);
  const views: number[] = [];
  const texts: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    views.push(
      await cpuTimed(() => viewOfMemory(document, { memories, tokensOf: estimateTokens, nowMs: NOW })),
    );
    texts.push(await cpuTimed(() => renderDocument(document)));
  }
  const value = percentile(views, 0.95);
  return [
    {
      what: `what the model sees of ${COUNT} memories, p95`,
      value,
      unit: 'ms',
      reference: { what: 'writing all of MEMORY.md, p95', value: percentile(texts, 0.95) },
      bar: { text: `< ${MOST_MS} ms`, holds: value < MOST_MS },
    },
  ];
}

function memoryAt(index: number): Memory {
  return {
    id: `m${index.toString(36).padStart(7, '0')}`,
    text: `Fact ${index}: ${['buoys', 'piers', 'tides'][index % 3]} are numbered from ${index * 7} in src/harbour/${index}.ts`,
    category: 'fact',
    importance: ((index % 5) + 1) as Memory['importance'],
    source: 'agent',
    status: 'active',
    isPinned: false,
    createdMs: NOW - index * 1_000,
    updatedMs: NOW - index * 1_000,
    uses: 0,
  };
}
