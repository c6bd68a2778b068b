// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { mountPanel, press, type } from './panel-harness.tsx';

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
    const kept = await mountPanel({}, { draft: 'from the host', saved: { draft: 'newer' } });
    expect((kept.find(MESSAGE) as HTMLTextAreaElement).value).toBe('newer');
  });

  it('takes the focus when the host asks for it, and not by itself', async () => {
    const panel = await mountPanel();
    expect(document.activeElement).toBe(document.body);
    await panel.receive({ push: 'focusComposer' });
    expect(document.activeElement).toBe(panel.find(MESSAGE));
  });
});
