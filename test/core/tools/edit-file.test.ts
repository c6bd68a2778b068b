import { appendFileSync } from 'node:fs';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toolBench } from '../../support/tool-bench.ts';
import type { ToolBench } from '../../support/tool-bench.ts';

let bench: ToolBench;
beforeEach(() => (bench = toolBench()));
afterEach(() => bench.dispose());

interface Edit {
  readonly old_text: string;
  readonly new_text: string;
  readonly replace_all?: boolean;
}

/** Reads the file with these bytes, makes the edit, and gives the bytes afterwards. */
async function edited(content: string | Uint8Array, edit: Edit): Promise<Buffer> {
  bench.put('ws/f', content);
  await bench.call('read_file', { path: 'f' });
  await bench.call('edit_file', { path: 'f', ...edit });
  return bench.bytes('ws/f');
}

const editedText = async (content: string, edit: Edit) => (await edited(content, edit)).toString();

async function refused(content: string | Uint8Array, edit: Edit) {
  bench.put('ws/f', content);
  await bench.call('read_file', { path: 'f' });
  const refusal = await bench.refusal('edit_file', { path: 'f', ...edit });
  expect(bench.bytes('ws/f')).toEqual(Buffer.from(content));
  return refusal;
}

describe('X1: encodings', () => {
  const x = { old_text: 'x', new_text: 'y' };

  it('Latin-1 bytes stay as they are', async () => {
    expect(await edited(Buffer.from('636166e90a780a', 'hex'), x)).toEqual(
      Buffer.from('636166e90a790a', 'hex'),
    );
  });

  it('UTF-8 keeps its BOM, and no BOM is added', async () => {
    expect(await edited('\ufeffé\nx\n', x)).toEqual(Buffer.from('\ufeffé\ny\n'));
    expect(await edited('é\nx\n', x)).toEqual(Buffer.from('é\ny\n'));
  });

  it.each(['utf16le', 'utf16be'])('%s stays, with its BOM and with text beyond ASCII', async (encoding) => {
    const encode = (text: string) => iconv.encode(`\ufeff${text}`, encoding);
    expect(await edited(encode('é\r\nx\r\n'), { old_text: 'x', new_text: '世界 🎉' })).toEqual(
      encode('é\r\n世界 🎉\r\n'),
    );
  });

  it('GB18030 stays', async () => {
    const text = '这是一个用来测试编码识别的中文文件,内容足够长。\nx\n';
    const expected = iconv.encode(text.replace('x', 'y'), 'gb18030');
    expect(await edited(iconv.encode(text, 'gb18030'), x)).toEqual(expected);
  });

  it('text that a guessed encoding might turn into other bytes is refused', async () => {
    const refusal = await refused(Buffer.from('636166e90a780a', 'hex'), { old_text: 'x', new_text: 'ü' });
    expect(refusal).toMatchObject({ code: 'encoding' });
  });

  it('the text around an edit may be beyond ASCII: it is not new', async () => {
    const latin1 = (text: string) => iconv.encode(text, 'latin1');
    const before = 'Le café est fermé depuis hier, déjà.\n';
    expect(await edited(latin1(before), { old_text: 'café est fermé', new_text: 'café fut fermé' })).toEqual(
      latin1(before.replace('est', 'fut')),
    );
  });

  it('binary files are refused', async () => {
    bench.put('ws/f', Buffer.from([0x89, 0x50, 0, 1, 2]));
    expect(await bench.refusal('edit_file', { path: 'f', ...x })).toMatchObject({ code: 'encoding' });
  });
});

describe('X2: line endings', () => {
  it('an LF old text matches CRLF lines, and new lines end as they do', async () => {
    const edit = { old_text: 'alpha\nbeta\n', new_text: 'alpha\nnew\nbeta\n' };
    expect(await editedText('alpha\r\nbeta\r\n', edit)).toBe('alpha\r\nnew\r\nbeta\r\n');
  });

  it('mixed endings stay mixed, line by line', async () => {
    const before = 'a\r\nb\nc\r\nd\n';
    expect(await editedText(before, { old_text: 'a\nb\nc', new_text: 'A\nB\nC' })).toBe('A\r\nB\nC\r\nd\n');
    expect(await editedText(before, { old_text: 'c\n', new_text: 'c\nc2\n' })).toBe('a\r\nb\nc\r\nc2\r\nd\n');
    expect(await editedText(before, { old_text: 'b\nc', new_text: 'bc' })).toBe('a\r\nbc\r\nd\n');
  });

  it('a CRLF old text matches LF lines', async () => {
    expect(await editedText('a\nb\n', { old_text: 'a\r\nb', new_text: 'a\r\nB' })).toBe('a\nB\n');
  });

  it('replace_all replaces every place, each with its own endings', async () => {
    const edit = { old_text: 'x\n', new_text: 'y\nz\n', replace_all: true };
    expect(await editedText('x\r\nm\nx\n', edit)).toBe('y\r\nz\r\nm\ny\nz\n');
  });

  it('a last line without an ending stays without', async () => {
    expect(await editedText('a\r\nb', { old_text: 'b', new_text: 'b\nc' })).toBe('a\r\nb\r\nc');
  });
});

describe('one exact place', () => {
  it('two places are refused, with their lines', async () => {
    const refusal = await refused('x\ny\nx\n', { old_text: 'x', new_text: 'z' });
    expect(refusal).toMatchObject({ code: 'ambiguous' });
    expect(refusal.message).toMatchInlineSnapshot(
      `"old_text stands in f 2 times, at lines 1, 3; nothing was changed. Add surrounding lines to make it unique, or set replace_all."`,
    );
  });

  it('places that overlap are two', async () => {
    expect(await refused('aaa', { old_text: 'aa', new_text: 'b' })).toMatchObject({ code: 'ambiguous' });
    expect(await editedText('aaa', { old_text: 'aa', new_text: 'b', replace_all: true })).toBe('ba');
  });

  it('no place: the nearest line is shown with what is different', async () => {
    const file = 'function add(a, b) {\n\treturn a + b;\n}\n';
    const whiteSpace = await refused(file, { old_text: '  return a + b;', new_text: 'x' });
    expect(whiteSpace.code).toBe('no_match');
    expect(whiteSpace.message).toMatchInlineSnapshot(`
      "old_text is not in f; nothing was changed. The nearest place is line 2, which differs in white space only:
      file:     "\\treturn a + b;"
      old_text: "  return a + b;""
    `);
    const second = await refused(file, {
      old_text: 'function add(a, b) {\n\treturn a - b;\n}',
      new_text: 'x',
    });
    expect(second.message).toContain('The nearest place is line 2, which is different');
    const unlike = await refused(file, { old_text: 'qqqq', new_text: 'x' });
    expect(unlike.message).toContain('No line of the file is like its first line.');
  });

  it('line numbers taken over from read_file are recognised', async () => {
    const refusal = await refused('a\nb\n', { old_text: '     1\ta\n     2\tb', new_text: 'x' });
    expect(refusal.message).toContain('line numbers');
  });

  it.each([
    ['the same text', { old_text: 'a\n', new_text: 'a\r\n' }],
    ['an empty old text', { old_text: '', new_text: 'a' }],
  ])('%s is refused', async (_, edit) => {
    expect(await refused('a\n', edit)).toMatchObject({ code: 'invalid_input' });
  });

  it('patterns in the new text are text', async () => {
    expect(await editedText('price\n', { old_text: 'price', new_text: "$& $1 $$ $` $'" })).toBe(
      "$& $1 $$ $` $'\n",
    );
  });
});

describe('only what was seen is edited', () => {
  const edit = { path: 'f', old_text: 'a', new_text: 'b' };

  it('a file that was not read is refused', async () => {
    bench.put('ws/f', 'a\n');
    expect(await bench.refusal('edit_file', edit)).toMatchObject({ code: 'not_read' });
  });

  it('a file that changed since is refused, and after a second look it works', async () => {
    bench.put('ws/f', 'a\n');
    await bench.call('read_file', { path: 'f' });
    appendFileSync(`${bench.ws}/f`, 'more\n');
    expect(await bench.refusal('edit_file', edit)).toMatchObject({ code: 'changed_since_read' });
    await bench.call('read_file', { path: 'f' });
    expect(await bench.text('edit_file', edit)).toBe('Edited f at line 1 (+1 −1 lines).');
  });

  it('a file that changes while the person thinks about it is refused', async () => {
    bench.put('ws/f', 'a\n');
    await bench.call('read_file', { path: 'f' });
    const prepared = await bench.prepare('edit_file', edit);
    appendFileSync(`${bench.ws}/f`, 'more\n');
    await expect(prepared.execute()).rejects.toMatchObject({ code: 'changed_since_read' });
    expect(bench.bytes('ws/f').toString()).toBe('a\nmore\n');
  });

  it('edits in a row need no read between them', async () => {
    bench.put('ws/f', 'a\n');
    await bench.call('read_file', { path: 'f' });
    await bench.call('edit_file', edit);
    await bench.call('edit_file', { path: 'f', old_text: 'b', new_text: 'c' });
    expect(bench.bytes('ws/f').toString()).toBe('c\n');
  });

  it('is prepared with its patch, and nothing is written before it is executed', async () => {
    bench.put('ws/f', 'one\ntwo\nthree\n');
    await bench.call('read_file', { path: 'f' });
    const prepared = await bench.prepare('edit_file', { path: 'f', old_text: 'two', new_text: '2' });
    expect(bench.bytes('ws/f').toString()).toBe('one\ntwo\nthree\n');
    expect(prepared).toMatchObject({ target: 'f', access: { kind: 'edit', files: [{ inside: 'f' }] } });
    expect(prepared.patch).toMatchInlineSnapshot(`
      "--- a/f
      +++ b/f
      @@ -1,3 +1,3 @@
       one
      -two
      +2
       three
      "
    `);
    expect((await prepared.execute()).details).toMatchObject({ added: 1, removed: 1, patch: prepared.patch });
  });
});

describe('X1 X2: bytes outside the edit are identical', () => {
  const encodings = ['utf8', 'utf16le', 'utf16be'] as const;
  const ending = fc.constantFrom('\n', '\r\n');
  const word = fc.constantFrom('', 'a', 'é', '世', '🎉', 'b c', '\t', '\ufeff', 'x'.repeat(5));
  const lines = fc.array(fc.tuple(word, ending), { maxLength: 6 });
  const join = (parts: readonly (readonly [string, string])[]) =>
    parts.map(([text, end]) => text + end).join('');

  const files = fc.record({
    before: lines,
    after: lines,
    name: fc.constantFrom(...encodings),
    bom: fc.boolean(),
  });

  it('in every encoding, BOM or not, with any mixture of endings', async () => {
    await fc.assert(
      fc.asyncProperty(files, async ({ before, after, name, bom }) => {
        fc.pre(name === 'utf8' || bom);
        const encode = (text: string) => iconv.encode(text, name);
        const head = encode((bom ? '\ufeff' : '') + join(before));
        const tail = encode(join(after));
        const edit = { old_text: 'NEEDLE', new_text: 'nee\ndle ü' };
        const result = await edited(Buffer.concat([head, encode('NEEDLE'), tail]), edit);
        expect(result.subarray(0, head.length)).toEqual(head);
        expect(result.subarray(result.length - tail.length)).toEqual(tail);
        const middle = iconv.decode(result.subarray(head.length, result.length - tail.length), name);
        expect(middle).toMatch(/^nee\r?\ndle ü$/);
      }),
      { numRuns: 60 },
    );
  });
});
