import * as z from 'zod';
import { AGENT_IMPORTANCE, MAX_MEMORY_CHARS, MEMORY_CATEGORIES } from '../../model/memory.ts';
import type { Importance } from '../../model/memory.ts';
import { ToolError } from '../../model/errors.ts';
import { throwIfAborted } from '../abort.ts';
import { defineTool } from '../define-tool.ts';
import { memoryFacts, memoryOf, memoryTarget } from './memory-of.ts';

/** By this name the log tells whether something was remembered. */
export const MEMORY_WRITE = 'memory_write';

const MAX_DAYS = 3_650;

export const memoryWrite = defineTool({
  name: MEMORY_WRITE,
  description:
    'Keeps something for later sessions of this project. Worth keeping: lasting facts about the project that cannot be ' +
    'read off its code, decisions and why they were made, preferences of the user, and what they corrected you on. ' +
    'Not: secrets, what the code, its history or the project instructions say, the task at hand. One self-contained ' +
    'statement a call, in the language of the project.',
  input: {
    text: z
      .string()
      .describe(
        `What to remember: one statement, understood without this conversation. At most ${MAX_MEMORY_CHARS} characters.`,
      ),
    category: z
      .enum(MEMORY_CATEGORIES)
      .describe(
        'preference: of the user; convention: how things are done here; decision: what was decided, and why; fact: of the project or its surroundings; lesson: what went wrong, and what to do instead.',
      ),
    importance: z
      .int()
      .min(1)
      .max(5)
      .optional()
      .describe(
        `From 1, nice to know, to 5, must never be missed: what is more important is shown first. Default ${AGENT_IMPORTANCE}.`,
      ),
    replaces: z
      .string()
      .optional()
      .describe(
        'Id of a memory that this one replaces, as memory_search gives it: what has changed is not kept twice. Not that of a line the user wrote.',
      ),
    days: z
      .int()
      .min(1)
      .max(MAX_DAYS)
      .optional()
      .describe('Days after which it no longer holds. Default: it holds until it is forgotten.'),
  },
  prepare({ text, category, importance = AGENT_IMPORTANCE, replaces, days }, context) {
    const memory = memoryOf(context);
    const draft = {
      text,
      category,
      importance: importance as Importance,
      origin: context.origin,
      ...(replaces !== undefined && { replaces: replaces.trim() }),
      ...(days !== undefined && { days }),
    };
    return Promise.resolve({
      access: { kind: 'memory' },
      target: memoryTarget(text),
      execute: async () => {
        throwIfAborted(context.signal);
        const answer = await memory.write(draft);
        switch (answer.kind) {
          case 'written':
            return { content: `Remembered (${memoryFacts(answer.memory)}).` };
          case 'known':
            return {
              content: `This is remembered already (${memoryFacts(answer.memory)}):\n${answer.memory.text}`,
            };
          case 'refused':
            throw new ToolError('invalid_input', `Nothing was remembered. ${answer.reason}`);
        }
      },
    });
  },
});
