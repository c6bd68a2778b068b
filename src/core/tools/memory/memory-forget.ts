import * as z from 'zod';
import { ToolError } from '../../model/errors.ts';
import { throwIfAborted } from '../abort.ts';
import { defineTool } from '../define-tool.ts';
import { memoryOf, memoryTarget } from './memory-of.ts';

export const memoryForget = defineTool({
  name: 'memory_forget',
  description:
    'Forgets a memory of this project that is wrong or no longer holds. To correct one, use memory_write with replaces.',
  input: {
    memory: z.string().describe('Its id, as memory_search gives it, or its whole text.'),
  },
  prepare(input, context) {
    const memory = memoryOf(context);
    const what = input.memory.toWellFormed().trim();
    return Promise.resolve({
      access: { kind: 'memory' },
      target: memoryTarget(what),
      execute: async () => {
        throwIfAborted(context.signal);
        const forgotten = what === '' ? undefined : await memory.forget(what);
        if (forgotten === undefined)
          throw new ToolError(
            'no_match',
            'Nothing was forgotten: there is no memory with this id or exactly this text. memory_search gives the ids.',
          );
        return { content: `Forgotten (${forgotten.id}):\n${forgotten.text}` };
      },
    });
  },
});
