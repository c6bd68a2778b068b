// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { click, mountPanel, press, type } from './panel-harness.tsx';

const running = { activity: { kind: 'running_tools' } } as const;
const MESSAGE = 'textarea[aria-label="Message"]';

describe('the composer', () => {
  it('sends with Enter and is empty then', async () => {
    const panel = await mountPanel();
    const field = panel.find(MESSAGE) as HTMLTextAreaElement;
    await type(field, 'fix it');
    await press(field, 'Enter');
    expect(panel.asked).toMatchObject([{ request: 'send', body: { text: 'fix it' } }]);
    expect(field.value).toBe('');
  });

  it('leaves Shift+Enter to the field', async () => {
    const panel = await mountPanel();
    const field = panel.find(MESSAGE);
    await type(field, 'one');
    const event = await press(field, 'Enter', { shiftKey: true });
    expect(event.defaultPrevented).toBe(false);
    expect(panel.asked).toEqual([]);
  });

  it('leaves Enter and Escape to an input method while it composes', async () => {
    const panel = await mountPanel(running);
    const field = panel.find(MESSAGE);
    await type(field, 'にほん');
    await press(field, 'Enter', { isComposing: true });
    await press(field, 'Enter', { keyCode: 229 });
    await press(field, 'Escape', { isComposing: true });
    expect(panel.asked).toEqual([]);
  });

  it('sends nothing where there are no words', async () => {
    const panel = await mountPanel();
    const field = panel.find(MESSAGE);
    await type(field, ' \n ');
    await press(field, 'Enter');
    expect(panel.button('Send')?.disabled).toBe(true);
    expect(panel.asked).toEqual([]);
  });

  it('gives the text back and says why when it could not be sent', async () => {
    const panel = await mountPanel({}, { refusals: { send: 'The disk is full.' } });
    const field = panel.find(MESSAGE) as HTMLTextAreaElement;
    await type(field, 'precious');
    await press(field, 'Enter');
    expect(field.value).toBe('precious');
    expect(panel.find('[role="alert"]').textContent).toContain('The disk is full.');
  });

  it('stops with Escape and with its button, which is there only while something runs', async () => {
    const idle = await mountPanel();
    expect(idle.button('Stop')).toBeUndefined();
    await press(idle.find(MESSAGE), 'Escape');
    expect(idle.asked).toEqual([]);

    const panel = await mountPanel(running);
    await press(panel.find(MESSAGE), 'Escape');
    panel.button('Stop')?.click();
    expect(panel.asked.map(({ request }) => request)).toEqual(['stop', 'stop']);
  });

  it('stops with Escape wherever the focus is, and keeps the cursor', async () => {
    const panel = await mountPanel(running);
    await press(document.body, 'Escape');
    expect(panel.asked.map(({ request }) => request)).toEqual(['stop']);
    expect(document.activeElement).toBe(panel.find(MESSAGE));
  });

  it('U3: keeps the draft while the webview is gone', async () => {
    const panel = await mountPanel();
    await type(panel.find(MESSAGE), 'half a thought');
    const saved = panel.editor.saved as { draft: string };
    const again = await mountPanel({}, { saved });
    expect((again.find(MESSAGE) as HTMLTextAreaElement).value).toBe('half a thought');
  });

  it('U3: takes the draft from the host where the editor has lost it, and never over what is typed', async () => {
    const lost = await mountPanel({}, { draft: 'from the host' });
    expect((lost.find(MESSAGE) as HTMLTextAreaElement).value).toBe('from the host');
    let answer: (draft: { readonly text: string }) => void = () => undefined;
    const answered = new Promise<{ readonly text: string }>((resolve) => (answer = resolve));
    const panel = await mountPanel({}, { answers: { loadDraft: () => answered } });
    await type(panel.find(MESSAGE), 'newer');
    answer({ text: 'from the host' });
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect((panel.find(MESSAGE) as HTMLTextAreaElement).value).toBe('newer');
  });

  it('U3: takes the host’s draft where the editor gives back an older one, or what was sent since', async () => {
    const older = await mountPanel({}, { draft: 'a draft', saved: { draft: 'sent long ago' } });
    expect((older.find(MESSAGE) as HTMLTextAreaElement).value).toBe('a draft');
    const sent = await mountPanel({}, { draft: '', saved: { draft: 'sent' } });
    expect((sent.find(MESSAGE) as HTMLTextAreaElement).value).toBe('');
  });

  it('takes the focus when the host asks for it, and not by itself', async () => {
    const panel = await mountPanel();
    expect(document.activeElement).toBe(document.body);
    await panel.receive({ push: 'focusComposer' });
    expect(document.activeElement).toBe(panel.find(MESSAGE));
  });
});

describe('/compact', () => {
  it('compacts instead of being said', async () => {
    const panel = await mountPanel();
    const field = panel.find(MESSAGE) as HTMLTextAreaElement;
    await type(field, '/compact');
    await press(field, 'Enter');
    expect(panel.asked).toMatchObject([{ request: 'compact', body: {} }]);
    expect(field.value).toBe('');
  });

  it.each(['/Compact', '/COMPACT', ' /cOMPACT '])('is meant by %j too', async (text) => {
    const panel = await mountPanel();
    await type(panel.find(MESSAGE), text);
    expect(panel.find('.slash-hint').textContent).toContain('makes the conversation smaller');
    await press(panel.find(MESSAGE), 'Enter');
    expect(panel.asked).toMatchObject([{ request: 'compact', body: {} }]);
  });

  it('in capitals has its focus as it is, and is completed', async () => {
    const panel = await mountPanel();
    const field = panel.find(MESSAGE) as HTMLTextAreaElement;
    await type(field, '/COMPACT The API');
    await press(field, 'Enter');
    expect(panel.asked).toMatchObject([{ request: 'compact', body: { focus: 'The API' } }]);
    await type(field, '/COM');
    await press(field, 'Tab');
    expect(field.value).toBe('/compact ');
  });

  it('hands over what to keep in mind', async () => {
    const panel = await mountPanel(running);
    const field = panel.find(MESSAGE);
    await type(field, '/compact  the failing tests,\nall of them ');
    await click(panel.button('Send')!);
    expect(panel.asked).toMatchObject([
      { request: 'compact', body: { focus: 'the failing tests,\nall of them' } },
    ]);
  });

  it.each(['/compaction is odd', '/etc/hosts is empty', 'say /compact'])(
    'is not meant by %j',
    async (text) => {
      const panel = await mountPanel();
      const field = panel.find(MESSAGE);
      await type(field, text);
      expect(panel.root.querySelector('.slash-hint')).toBeNull();
      await press(field, 'Enter');
      expect(panel.asked).toMatchObject([{ request: 'send', body: { text } }]);
    },
  );

  it.each(['Enter', 'Tab'])('is offered from the slash on, and completed with %s', async (key) => {
    const panel = await mountPanel();
    const field = panel.find(MESSAGE) as HTMLTextAreaElement;
    await type(field, '/c');
    expect(panel.find('.slash-hint').textContent).toContain('makes the conversation smaller');
    expect(field.getAttribute('aria-describedby')).toBe(panel.find('.slash-hint').id);
    const event = await press(field, key);
    expect(event.defaultPrevented).toBe(true);
    expect(field.value).toBe('/compact ');
    expect(panel.asked).toEqual([]);
  });

  it('leaves Tab alone where there is nothing to complete', async () => {
    const panel = await mountPanel();
    await type(panel.find(MESSAGE), '/compact now');
    expect((await press(panel.find(MESSAGE), 'Tab')).defaultPrevented).toBe(false);
  });

  it('is given back with the reason when it was refused', async () => {
    const refusals = { compact: 'There is nothing to compact yet.' };
    const panel = await mountPanel({}, { refusals });
    const field = panel.find(MESSAGE) as HTMLTextAreaElement;
    await type(field, '/compact tests');
    await press(field, 'Enter');
    expect(field.value).toBe('/compact tests');
    expect(panel.find('[role="alert"]').textContent).toContain('nothing to compact');
  });
});
