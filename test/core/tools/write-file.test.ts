import { writeFileSync } from 'node:fs';
import iconv from 'iconv-lite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toolBench } from '../../support/tool-bench.ts';
import type { ToolBench } from '../../support/tool-bench.ts';

let bench: ToolBench;
beforeEach(() => (bench = toolBench()));
afterEach(() => bench.dispose());

const write = (content: string) => bench.text('write_file', { path: 'f', content });
const refusal = (content: string) => bench.refusal('write_file', { path: 'f', content });

describe('a new file', () => {
  it('is created with its folders, and may be written again at once', async () => {
    const path = 'deep/er/f.txt';
    expect(await bench.text('write_file', { path, content: 'a\nb\n' })).toBe(
      'Created deep/er/f.txt (2 lines).',
    );
    expect(await bench.text('write_file', { path, content: 'c\n' })).toBe(
      'Replaced the content of deep/er/f.txt (+1 −2 lines).',
    );
    expect(bench.bytes('ws/deep/er/f.txt').toString()).toBe('c\n');
  });

  it('shows all its lines as added', async () => {
    const prepared = await bench.prepare('write_file', { path: 'f', content: 'a\nb\n' });
    expect(prepared.patch).toMatchInlineSnapshot(`
      "--- /dev/null
      +++ b/f
      @@ -0,0 +1,2 @@
      +a
      +b
      "
    `);
  });

  it('that somebody else makes in the meantime is not overwritten', async () => {
    const prepared = await bench.prepare('write_file', { path: 'f', content: 'mine' });
    writeFileSync(`${bench.ws}/f`, 'theirs');
    await expect(prepared.execute()).rejects.toMatchObject({ code: 'changed_since_read' });
    expect(bench.bytes('ws/f').toString()).toBe('theirs');
  });

  it('P1: half a character is healed before it reaches the disk', async () => {
    await write('a\ud83db');
    expect(bench.bytes('ws/f').toString()).toBe('a\ufffdb');
  });

  it('a folder is not a file', async () => {
    bench.put('ws/dir/x', '');
    expect(await bench.refusal('write_file', { path: 'dir', content: '' })).toMatchObject({
      code: 'invalid_input',
    });
    expect(await bench.refusal('write_file', { path: 'new/', content: '' })).toMatchObject({
      code: 'invalid_input',
    });
  });
});

describe('X6: an existing file', () => {
  it('that was never read is refused, and the reason said', async () => {
    bench.put('ws/f', 'precious');
    const { code, message } = await refusal('x');
    expect(code).toBe('not_read');
    expect(message).toBe(
      'f exists and has not been read in this session, so nothing was written. Read it first with read_file.',
    );
    expect(bench.bytes('ws/f').toString()).toBe('precious');
  });

  it('that changed since it was read is refused', async () => {
    bench.put('ws/f', 'old');
    await bench.call('read_file', { path: 'f' });
    bench.put('ws/f', 'newer');
    expect(await refusal('x')).toMatchObject({ code: 'changed_since_read' });
  });

  it('of which only a part was read is not replaced as a whole', async () => {
    bench.put('ws/f', 'a\nb\nc\n');
    await bench.call('read_file', { path: 'f', limit: 1 });
    expect(await refusal('x')).toMatchObject({
      code: 'not_read',
      message: expect.stringContaining('edit_file') as string,
    });
    await bench.call('edit_file', { path: 'f', old_text: 'a', new_text: 'A' });
    expect(await refusal('x')).toMatchObject({ code: 'not_read' });
  });

  it('that is empty has nothing to lose', async () => {
    bench.put('ws/f', '');
    await write('x');
    expect(bench.bytes('ws/f').toString()).toBe('x');
  });

  it('that is binary is refused', async () => {
    bench.put('ws/f', Buffer.from([0, 1, 2]));
    expect(await refusal('x')).toMatchObject({ code: 'encoding' });
  });

  it('with this very content is left alone', async () => {
    bench.put('ws/f', 'same\r\n');
    await bench.call('read_file', { path: 'f' });
    expect(await refusal('same\n')).toMatchObject({ code: 'invalid_input' });
  });
});

describe('what stays when a file is replaced', () => {
  async function replaced(before: string | Uint8Array, content: string): Promise<Buffer> {
    bench.put('ws/f', before);
    await bench.call('read_file', { path: 'f' });
    await write(content);
    return bench.bytes('ws/f');
  }

  it('X2: CRLF, where every line has it', async () => {
    expect((await replaced('a\r\nb\r\n', 'c\nd\r\n')).toString()).toBe('c\r\nd\r\n');
    expect((await replaced('a\r\nb\n', 'c\n')).toString()).toBe('c\n');
  });

  it('X1: the encoding and the BOM', async () => {
    expect(await replaced('\ufeffa', 'é')).toEqual(Buffer.from('\ufeffé'));
    expect(await replaced(iconv.encode('\ufeffa', 'utf16le'), 'é')).toEqual(
      iconv.encode('\ufeffé', 'utf16le'),
    );
  });

  it('X1: or it is refused', async () => {
    const latin1 = Buffer.from('636166e90a780a', 'hex');
    bench.put('ws/f', latin1);
    await bench.call('read_file', { path: 'f' });
    expect(await refusal('世界')).toMatchObject({ code: 'encoding' });
    expect(bench.bytes('ws/f')).toEqual(latin1);
  });
});

describe('Z1: a secret that the model is not shown', () => {
  const token = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
  const mark = '[redacted: GitHub token]';

  it('is not replaced by the mark that stands for it', async () => {
    bench.put('ws/f', `TOKEN=${token}\nPORT=1\n`);
    await bench.text('read_file', { path: 'f' });
    expect((await refusal(`TOKEN=${mark}\nPORT=2\n`)).message).toContain('would destroy the secret');
    const edit = { path: 'f', old_text: `TOKEN=${token}\nPORT=1`, new_text: `TOKEN=${mark}\nPORT=2` };
    expect((await bench.refusal('edit_file', edit)).code).toBe('invalid_input');
    expect(bench.bytes('ws/f').toString()).toBe(`TOKEN=${token}\nPORT=1\n`);
    await bench.text('edit_file', { path: 'f', old_text: 'PORT=1', new_text: 'PORT=2' });
    expect(bench.bytes('ws/f').toString()).toBe(`TOKEN=${token}\nPORT=2\n`);
  });

  it('is no matter where the text speaks of such marks itself', async () => {
    bench.put('ws/f', `Tokens become ${mark}.\n`);
    await bench.text('read_file', { path: 'f' });
    expect(await write(`Tokens are shown as ${mark}.\n`)).toContain('Replaced');
  });
});
