import type { Entry } from '../../src/core/model/entry.ts';
import { toolBench } from './tool-bench.ts';

/** What recall answers in a session of these entries. */
export async function recall(entries: readonly Entry[], input: object): Promise<string> {
  const bench = toolBench({ context: { transcript: () => entries } });
  try {
    return await bench.text('recall', input);
  } finally {
    bench.dispose();
  }
}

/** What it says where it cannot answer. */
export async function refusal(entries: readonly Entry[], input: object): Promise<string> {
  const bench = toolBench({ context: { transcript: () => entries } });
  try {
    return (await bench.refusal('recall', input)).message;
  } finally {
    bench.dispose();
  }
}
