import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../../src/core/context/estimate-tokens.ts';
import type { FilePort } from '../../../src/core/ports/files.ts';
import { readInstructions } from '../../../src/core/prompt/instructions.ts';
import { buildSections } from '../../../src/core/prompt/sections.ts';

const root = (name: string) => ({ name, location: `/${name}` });
const environment = { now: new Date(2026, 2, 1, 23, 59), os: 'linux', shell: 'bash', roots: [root('ws')] };

/** Files in memory; a value that is an error is thrown when the file is read. */
function files(contents: Readonly<Record<string, string | Uint8Array | Error>>): FilePort {
  const bytes = (file: string) => {
    const content = contents[file];
    if (content instanceof Error) throw content;
    return typeof content === 'string' ? new TextEncoder().encode(content) : content;
  };
  const unused = () => Promise.reject(new Error('not asked for'));
  return {
    stat: async (file) => {
      const content = await Promise.resolve(bytes(file));
      return content && { kind: 'file', size: content.length, modifiedMs: 0 };
    },
    read: async (file, range) => (await Promise.resolve(bytes(file)))!.slice(range?.start, range?.end),
    realPath: (file) => Promise.resolve(file),
    write: unused,
    append: unused,
    appendLimit: () => undefined,
    remove: unused,
    list: unused,
  };
}

describe('the sections', () => {
  it('come in order, and absent ones are left out', () => {
    expect(buildSections({ environment, instructions: [] }).map(({ name }) => name)).toEqual([
      'base',
      'environment',
    ]);
  });

  it('say today’s date by the user’s calendar, and no time of day', () => {
    const [, section] = buildSections({ environment, instructions: [] });
    expect(section?.text).toContain("Today's date: 2026-03-01");
    expect(section?.text).not.toContain('23:59');
  });

  it('name every folder where there are several, and say so when there is none', () => {
    const text = (roots: readonly { name: string; location: string }[]) =>
      buildSections({ environment: { ...environment, roots }, instructions: [] })[1]?.text;
    expect(text([root('web'), root('api')])).toContain('- web: /web');
    expect(text([])).toContain('No folder is open');
  });

  it('have a base under 1,000 tokens', () => {
    const [base] = buildSections({ environment, instructions: [] });
    expect(estimateTokens(base!.text)).toBeLessThan(1_000);
  });
});

describe('project instructions', () => {
  it('are each root’s AGENTS.md; absent, empty, binary and unreadable files are skipped', async () => {
    const roots = ['a', 'b', 'c', 'd', 'e'].map(root);
    const found = await readInstructions(
      files({
        '/a/AGENTS.md': 'Use tabs.',
        '/b/AGENTS.md': '',
        '/c/AGENTS.md': 'x\0y',
        '/d/AGENTS.md': new Error('EACCES'),
      }),
      roots,
    );
    expect(found.map(({ root: { name }, text }) => `${name}: ${text}`)).toEqual(['a: Use tabs.']);
  });

  it('are cut at 8,000 characters, on a code point, and say so', async () => {
    const [file] = await readInstructions(files({ '/ws/AGENTS.md': `${'x'.repeat(7_999)}🎉 and more` }), [
      root('ws'),
    ]);
    expect(file?.text).toBe('x'.repeat(7_999));
    const text = buildSections({ environment, instructions: [file!] })[2]?.text;
    expect(text).toContain('[cut here: read the file for the rest]');
    expect(text?.isWellFormed()).toBe(true);
  });

  it('over 1 MB are not read, for some file systems read only whole files, and the prompt says so', async () => {
    const huge = {
      ...files({}),
      stat: () => Promise.resolve({ kind: 'file' as const, size: 1_000_001, modifiedMs: 0 }),
    };
    const instructions = await readInstructions(huge, [root('ws')]);
    expect(buildSections({ environment, instructions })[2]?.text).toBe(
      '# Project instructions\n\n## AGENTS.md\n[too large to be shown here: read the file]',
    );
  });

  it('share 24,000 characters', async () => {
    const roots = ['a', 'b', 'c', 'd'].map(root);
    const contents = Object.fromEntries(
      roots.map(({ location }) => [`${location}/AGENTS.md`, 'y'.repeat(8_000)]),
    );
    const instructions = await readInstructions(files(contents), roots);
    expect(buildSections({ environment, instructions })[2]?.text.match(/y/g)).toHaveLength(24_000);
  });
});
