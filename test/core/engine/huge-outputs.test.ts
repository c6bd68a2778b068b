import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_RESULT_CHARS } from '../../../src/core/text/bound-text.ts';
import { standardTools } from '../../../src/core/tools/standard-tools.ts';
import { engineSession, lastEnd, ofKind } from '../../support/builders/engine-session.ts';
import { text, toolUse } from '../../support/builders/entries.ts';
import { tokensIn } from '../../support/builders/request-text.ts';
import { MemoryLogStore } from '../../support/memory-log-store.ts';
import type { ToolBench } from '../../support/tool-bench.ts';
import { toolBench } from '../../support/tool-bench.ts';

let bench: ToolBench;
beforeAll(() => {
  bench = toolBench();
  bench.put('ws/bundle.js', `var a="${'minified;'.repeat(500_000)}"`);
});
afterAll(() => bench.dispose());

describe('what a tool gives without a single newline', () => {
  it.each([
    [
      '20 MB that a command prints',
      toolUse('c', { command: "head -c 20000000 /dev/zero | tr '\\0' a" }, 'run_command'),
    ],
    ['a bundle of one line, read', toolUse('c', { path: 'bundle.js' }, 'read_file')],
    ['a bundle of one line, searched', toolUse('c', { pattern: 'minified' }, 'search')],
  ])(
    'C12: %s, is bounded before it is stored or sent, and the session opens again',
    async (_, call) => {
      const store = new MemoryLogStore();
      const options = {
        ...{ store, tools: standardTools, world: bench.context },
        settings: { approvalMode: 'auto' as const },
      };
      const { model, entries, events, say } = await engineSession(
        {
          work: (_request, count) =>
            count === 1 ? { blocks: [call], stopReason: 'tool_use' } : { blocks: [text('ok')] },
        },
        options,
      );
      await say('go');
      expect(lastEnd(events)).toMatchObject({ end: 'done' });
      const [result] = ofKind(entries(), 'tool_result');
      expect(JSON.stringify(result?.content).length).toBeLessThan(MAX_RESULT_CHARS + 1_000);
      for (const line of store.lines('s')) expect(line.length).toBeLessThan(3 * MAX_RESULT_CHARS);
      for (const event of events) expect(JSON.stringify(event).length).toBeLessThan(3 * MAX_RESULT_CHARS);
      expect(tokensIn(model.work.at(-1)!)).toBeLessThan(40_000);
      const again = await engineSession({ work: () => ({ blocks: [text('still here')] }) }, options);
      await again.say('and now?');
      expect(lastEnd(again.events)).toMatchObject({ end: 'done' });
      expect(again.model.work[0]?.messages.slice(0, 3)).toEqual(model.work.at(-1)!.messages);
    },
    20_000,
  );
});
