import * as z from 'zod';
import { ToolError } from '../../model/errors.ts';
import type { ForgetAnswer } from '../../ports/project-memory.ts';
import { throwIfAborted } from '../abort.ts';
import { defineTool } from '../define-tool.ts';
import { memoryOf, memoryTarget } from './memory-of.ts';

export const memoryForget = defineTool({
  name: 'memory_forget',
  description:
    'Forgets a memory of this project that is wrong or no longer holds. To correct one, use memory_write with replaces. ' +
    'A person’s own line goes only by its whole text.',
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
        const answer: ForgetAnswer = what === '' ? { kind: 'unknown' } : await memory.forgetTold(what);
        switch (answer.kind) {
          case 'forgotten':
            return { content: `Forgotten (${answer.memory.id}):\n${answer.memory.text}` };
          case 'unknown':
            throw new ToolError(
              'no_match',
              'Nothing was forgotten: there is no memory with this id or exactly this text. memory_search gives the ids.',
            );
          case 'refused':
            throw new ToolError('invalid_input', `Nothing was forgotten. ${answer.reason}`);
        }
      },
    });
  },
});
