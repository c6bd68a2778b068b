import { deepEqual } from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DEFAULT_MEMORY } from '../../src/core/model/settings.ts';
import { memoryObjections, readMemorySettings } from '../../src/host/memory-settings.ts';
import { readSettings } from '../../src/host/settings.ts';

const getIn = (values: Readonly<Record<string, unknown>>) => (name: string) => values[name];

describe('the settings of the project memory', () => {
  it('are the defaults where nothing is set, in the manifest too', () => {
    deepEqual(readMemorySettings(getIn({})), DEFAULT_MEMORY);
    deepEqual(readSettings().memory, DEFAULT_MEMORY);
    deepEqual(memoryObjections(getIn({})), []);
  });

  it('are taken as they are where they make sense', () => {
    for (const path of ['MEMORY.md', 'docs/agents/notes.MD', 'a b/ü.markdown'])
      deepEqual(readMemorySettings(getIn({ path, extract: 'off' })), { path, extract: 'off' });
    deepEqual(readMemorySettings(getIn({ path: ' ./docs/MEMORY.md ' })).path, 'docs/MEMORY.md');
  });

  for (const path of [
    ...['', '/etc/MEMORY.md', '../MEMORY.md', 'a/../../MEMORY.md', 'C:/MEMORY.md', 'a\\MEMORY.md'],
    ...['MEMORY', 'src/main.ts', 'docs/', 3, null],
  ])
    it(`a path that is no Markdown file of the folder is not taken, and that is said: ${path}`, () => {
      deepEqual(readMemorySettings(getIn({ path })), DEFAULT_MEMORY);
      deepEqual(memoryObjections(getIn({ path })), [
        `plimsoll.memory.path is ${JSON.stringify(path)}, but must be the path of a Markdown file below the workspace folder, with forward slashes; ".plimsoll/MEMORY.md" is used.`,
      ]);
    });

  const INSTRUCTIONS = 'is read as instructions or as a description';
  const kept: readonly (readonly [path: string, reason: string])[] = [
    ...['AGENTS.md', 'docs/claude.md', 'GEMINI.MD', 'README.md', 'Readme.markdown', 'CLAUDE.local.md'].map(
      (path) => [path, INSTRUCTIONS] as const,
    ),
    ['.claude/skills/tide/SKILL.md', INSTRUCTIONS],
    ['.github/copilot-instructions.md', INSTRUCTIONS],
    ['docs/ts.instructions.md', INSTRUCTIONS],
    ['.git/MEMORY.md', 'is version control’s own'],
    ['a/.Git/MEMORY.md', 'is version control’s own'],
  ];
  for (const [path, reason] of kept)
    it(`a file that is kept for something else is not taken, and the reason is said: ${path}`, () => {
      deepEqual(readMemorySettings(getIn({ path })), DEFAULT_MEMORY);
      deepEqual(memoryObjections(getIn({ path })), [
        `plimsoll.memory.path is ${JSON.stringify(path)}, but must be the path of a file that is the memory alone: this one ${reason}; ".plimsoll/MEMORY.md" is used.`,
      ]);
    });

  it('a name that only reminds of those is one like any other', () => {
    for (const path of ['docs/agents.notes/MEMORY.md', 'my-readme.md', 'agents-memory.md'])
      deepEqual(readMemorySettings(getIn({ path })).path, path);
  });

  it('no other word is a way to extract', () => {
    deepEqual(readMemorySettings(getIn({ extract: 'on' })), DEFAULT_MEMORY);
    deepEqual(memoryObjections(getIn({ extract: 'on' })), [
      'plimsoll.memory.extract is "on", but must be "off" or "review" or "automatic"; "review" is used.',
    ]);
  });
});
