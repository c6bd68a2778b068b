import { describe, expect, it } from 'vitest';
import { toolTarget } from '../../../src/core/model/tool-target.ts';

describe('what a call is about, as soon as its input is there', () => {
  it.each([
    ['read_file', { path: 'src/a.ts', limit: 3 }, 'src/a.ts'],
    ['search', { path: 'src', pattern: ' x ' }, 'src'],
    ['recall of an entry', { entry: 'e12' }, 'e12'],
    ['memory_write', { text: 'Use httpie,\n  never curl.', category: 'fact' }, 'Use httpie, never curl.'],
    ['memory_forget', { memory: 'm0000001' }, 'm0000001'],
    ['memory_search', { query: 'curl' }, 'curl'],
  ])('%s', (_, input, target) => {
    expect(toolTarget(input)).toBe(target);
  });

  it('is the beginning of a long text, in one line and with no half of a character', () => {
    const target = toolTarget({ text: `${'a '.repeat(49)}b🎉${'c'.repeat(100_000)}` });
    expect(target).toBe(`${'a '.repeat(49)}b`);
  });

  it.each([undefined, null, 'text', {}, { path: 3 }, { text: ' \n' }])('is nothing for %j', (input) => {
    expect(toolTarget(input)).toBe('');
  });
});
