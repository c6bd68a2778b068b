import * as z from 'zod';
import { AbortedError } from '../../src/core/model/errors.ts';
import type { Access, Tool } from '../../src/core/tools/define-tool.ts';
import { defineTool } from '../../src/core/tools/define-tool.ts';

const inside = {
  location: '/ws/a.txt',
  label: 'a.txt',
  root: { name: 'ws', location: '/ws' },
  inside: 'a.txt',
};
const ACCESS: Record<string, Access> = {
  read: { kind: 'read', files: [inside] },
  edit: { kind: 'edit', files: [inside] },
  command: { kind: 'command', line: 'make', cwd: { ...inside, label: '.', inside: '' } },
};

/** A tool that does what the test says, behind the real definition, validation and access. */
export function testTool(
  name: string,
  kind: 'read' | 'edit' | 'command',
  execute: (what: string, signal: AbortSignal) => Promise<string>,
): Tool {
  return defineTool({
    name,
    description: `A ${kind} for tests.`,
    input: { path: z.string().describe('what to do it to') },
    prepare: ({ path }, { signal }) =>
      Promise.resolve({
        access: ACCESS[kind]!,
        target: path,
        execute: async () => ({ content: await execute(path, signal) }),
      }),
  });
}

/** Rejects when it is stopped, and never resolves. */
export const hang = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(new AbortedError()), { once: true }),
  );
