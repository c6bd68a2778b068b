import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AbortedError, ToolError } from '../../../src/core/model/errors.ts';
import { standardTools } from '../../../src/core/tools/standard-tools.ts';
import { createToolSet, toolErrorResult } from '../../../src/core/tools/tool-set.ts';
import { toolBench } from '../../support/tool-bench.ts';
import type { ToolBench } from '../../support/tool-bench.ts';

let bench: ToolBench;
beforeEach(() => (bench = toolBench()));
afterEach(() => bench.dispose());

describe('the tools as the model is told of them', () => {
  it('are sorted by name, whoever registered first', () => {
    const names = (tools: typeof standardTools) => createToolSet(tools).schemas.map((schema) => schema.name);
    expect(names(standardTools)).toEqual([
      'edit_file',
      'list_files',
      'memory_forget',
      'memory_search',
      'memory_write',
      'read_file',
      'recall',
      'run_command',
      'search',
      'write_file',
    ]);
    expect(names(standardTools.toReversed())).toEqual(names(standardTools));
  });

  it('have a plain JSON schema with every field described', () => {
    for (const { inputSchema } of createToolSet(standardTools).schemas) {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(inputSchema).not.toHaveProperty('$schema');
      for (const field of Object.values(inputSchema['properties'] as object))
        expect(field).toHaveProperty('description');
    }
    expect(createToolSet(standardTools).schemas[0]?.inputSchema).toMatchInlineSnapshot(`
      {
        "additionalProperties": false,
        "properties": {
          "new_text": {
            "description": "The text to put in its place.",
            "type": "string",
          },
          "old_text": {
            "description": "The text to replace, exactly as the file has it.",
            "type": "string",
          },
          "path": {
            "description": "The file: relative to the workspace folder, or absolute.",
            "type": "string",
          },
          "replace_all": {
            "description": "Replace every place where old_text stands. Default false.",
            "type": "boolean",
          },
        },
        "required": [
          "path",
          "old_text",
          "new_text",
        ],
        "type": "object",
      }
    `);
  });
});

describe('a bad call goes back with what to do about it', () => {
  it('names the fields that are wrong, and what was expected', async () => {
    const refusal = await bench.refusal('read_file', { offset: '5', file: 'a' });
    expect(refusal.code).toBe('invalid_input');
    expect(refusal.message).toMatchInlineSnapshot(`
      "The input of read_file is not valid, so nothing was done.
      - path: Invalid input: expected string, received undefined
      - offset: Invalid input: expected number, received string
      - Unrecognized key: "file"
      Its fields are: path, offset, limit, byte_offset, byte_limit."
    `);
  });

  it.each([null, 'text', 7, []])('%j is no input', async (input) => {
    expect(await bench.refusal('read_file', input)).toMatchObject({ code: 'invalid_input' });
  });

  it('lists the tools where there is none of that name', async () => {
    const { code, message } = await bench.refusal('str_replace', {});
    expect(code).toBe('unknown_tool');
    expect(message).toBe(
      'There is no tool "str_replace". The tools are: edit_file, list_files, memory_forget, memory_search, memory_write, read_file, recall, run_command, search, write_file.',
    );
  });

  it('Z8: in a workspace that is not trusted nothing is even prepared', async () => {
    bench.dispose();
    bench = toolBench({ trusted: false });
    bench.put('ws/f', 'x');
    for (const [tool, input] of [
      ['read_file', { path: 'f' }],
      ['write_file', { path: 'g', content: '' }],
      ['run_command', { command: 'ls' }],
    ] as const)
      expect(await bench.refusal(tool, input)).toMatchObject({ code: 'restricted' });
  });
});

describe('any thrown value becomes one error result', () => {
  it('in the words of a ToolError, and marked as a failure otherwise', () => {
    expect(toolErrorResult(new ToolError('failed', 'say this'))).toEqual({
      content: 'say this',
      isError: true,
    });
    expect(toolErrorResult(new Error('EACCES')).content).toBe('The tool failed: EACCES');
    expect(toolErrorResult('a string').content).toBe('The tool failed: a string');
    expect(toolErrorResult(undefined).content).toBe('The tool failed: undefined');
  });

  it('bounded and well-formed', () => {
    const { content } = toolErrorResult(new Error(`\ud83d${'🎉'.repeat(50_000)}`));
    expect(content.length).toBeLessThanOrEqual(40_000);
    expect(content.isWellFormed()).toBe(true);
  });

  it('except a stop, which passes', () => {
    expect(() => toolErrorResult(new AbortedError())).toThrow(AbortedError);
  });
});
