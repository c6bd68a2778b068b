// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { click, mountPanel, press, type } from './panel-harness.tsx';
import { memoryRow, memoryState, openMemory, pause } from './memory-harness.tsx';

const MESSAGE = 'textarea[aria-label="Message"]';
const TRUSTED = { hasKey: true, isTrusted: true, hasFolder: true };

describe('the tabs of the panel', () => {
  it('are two, of which one is shown', async () => {
    const panel = await mountPanel();
    const tabs = [...panel.root.querySelectorAll('[role="tablist"] [role="tab"]')];
    expect(tabs.map(({ textContent }) => textContent)).toEqual(['Chat', 'Memory']);
    expect(tabs.map((tab) => tab.getAttribute('aria-selected'))).toEqual(['true', 'false']);
    for (const tab of tabs) {
      const shown = panel.find(`#${tab.getAttribute('aria-controls')}[role="tabpanel"]`);
      expect(shown.getAttribute('aria-labelledby')).toBe(tab.id);
      expect(shown.hasAttribute('inert')).toBe(tab.textContent === 'Memory');
    }
  });

  it('are gone through with the arrow keys, Home and End; Tab stops at one', async () => {
    const { tab, find } = await openMemory();
    const list = find('[role="tablist"]');
    const selected = () => find('[role="tab"][aria-selected="true"]').textContent;
    for (const [key, wanted] of [
      ['ArrowRight', 'Chat'],
      ['ArrowRight', 'Memory'],
      ['ArrowLeft', 'Chat'],
      ['ArrowLeft', 'Memory'],
      ['Home', 'Chat'],
      ['End', 'Memory'],
    ] as const) {
      await press(list, key);
      expect(selected(), key).toBe(wanted);
      expect(document.activeElement).toBe(tab(wanted));
      expect([tab('Chat').tabIndex, tab('Memory').tabIndex]).toEqual(wanted === 'Chat' ? [0, -1] : [-1, 0]);
    }
  });

  it('keep what is typed in the other one', async () => {
    const panel = await openMemory();
    await type(panel.field(), 'half a line');
    await click(panel.tab('Chat'));
    await type(panel.find(MESSAGE), 'half a message');
    await click(panel.tab('Memory'));
    expect(panel.field().value).toBe('half a line');
    await click(panel.tab('Chat'));
    expect((panel.find(MESSAGE) as HTMLTextAreaElement).value).toBe('half a message');
  });

  it('say what waits behind them', async () => {
    const panel = await openMemory({ proposals: [memoryRow('m1', 'a'), memoryRow('m2', 'b')] });
    await type(panel.field(), 'x');
    expect(panel.tab('Memory').textContent).toBe('Memory, unsaved changes2, 2 suggestions');
    const approval = { activity: { kind: 'awaiting_approval' } } as const;
    const waiting = await openMemory({}, { panel: approval });
    expect(waiting.tab('Chat').textContent).toBe('Chat: the agent waits for your approval');
  });

  it('are as they were after a reload', async () => {
    const before = await openMemory();
    const after = await mountPanel({}, { saved: before.editor.saved as { draft: string } });
    expect(after.find('[role="tab"][aria-selected="true"]').textContent).toBe('Memory');
  });

  it('change where the host or a new session wants the focus elsewhere', async () => {
    const panel = await mountPanel();
    const selected = () => panel.find('[role="tab"][aria-selected="true"]').textContent;
    await panel.receive({ push: 'showMemory' });
    expect(selected()).toBe('Memory');
    expect(document.activeElement).toBe(panel.find('textarea[aria-label="Project memory"]'));
    await panel.receive({ push: 'focusComposer' });
    expect(selected()).toBe('Chat');
    expect(document.activeElement).toBe(panel.find(MESSAGE));
    await panel.receive({ push: 'showMemory' });
    await panel.receive({ push: 'showContext' });
    expect(selected()).toBe('Chat');
    await panel.receive({ push: 'showMemory' });
    await click(panel.button('New session')!);
    expect(selected()).toBe('Chat');
  });
});

describe('the Memory tab', () => {
  it('says which store is in use, and opens MEMORY.md in an editor tab', async () => {
    const panel = await openMemory(
      { store: 'harbour, shared by its worktrees' },
      {
        answers: {
          openMemory: () => {
            throw new Error('The disk is full.');
          },
        },
      },
    );
    expect(panel.find('.memory-store').textContent).toContain('Memory of harbour, shared by its worktrees');
    await click(panel.button('Open MEMORY.md in an editor tab')!);
    expect(panel.bodiesOf('openMemory')).toHaveLength(1);
    expect(panel.find('.memory [role="alert"]').textContent).toContain('The disk is full.');
    await click(panel.button('Dismiss')!);
    expect(panel.root.querySelector('.memory [role="alert"]')).toBeNull();
  });

  it('says what the host has to say of it, for as long as it does', async () => {
    const panel = await openMemory({ notices: ['The store was damaged and is rebuilt.'] });
    const notices = () => [...panel.root.querySelectorAll('.memory-notice')].map((n) => n.textContent);
    expect(notices()).toEqual(['The store was damaged and is rebuilt.']);
    expect(panel.find('.memory-notice').closest('[role="status"]')).not.toBeNull();
    await panel.tell({});
    expect(notices()).toEqual([]);
  });

  it('says why there is none, and asks again where the surroundings have changed or it is told to', async () => {
    let hasFolder = false;
    let asked = 0;
    const panel = await openMemory(
      {},
      {
        panel: { environment: { ...TRUSTED, hasFolder } },
        answers: {
          memory: () => {
            asked += 1;
            if (!hasFolder) throw new Error('A project’s memory needs a folder: open one first.');
            return memoryState({ text: '- Use tabs\n' });
          },
        },
      },
    );
    expect(panel.find('#panel-memory').textContent).toContain('A project’s memory needs a folder');
    expect(panel.root.querySelector('textarea[aria-label="Project memory"]')).toBeNull();
    expect(asked).toBe(1);
    await click(panel.button('Try again')!);
    expect(asked).toBe(2);
    hasFolder = true;
    await panel.push({ type: 'environment_changed', environment: TRUSTED });
    await pause(0);
    expect(asked).toBe(3);
    expect(panel.field().value).toBe('- Use tabs\n');
  });

  it('takes the focus to the text as soon as there is one', async () => {
    let isTrusted = false;
    const panel = await mountPanel(
      { environment: { ...TRUSTED, isTrusted } },
      {
        answers: {
          memory: () => {
            if (!isTrusted) throw new Error('This folder is not trusted.');
            return memoryState();
          },
        },
      },
    );
    await panel.receive({ push: 'showMemory' });
    isTrusted = true;
    await panel.push({ type: 'environment_changed', environment: TRUSTED });
    await pause(0);
    expect(document.activeElement).toBe(panel.find('textarea[aria-label="Project memory"]'));
  });

  it('leaves a running turn alone at Escape', async () => {
    const panel = await openMemory({}, { panel: { activity: { kind: 'running_tools' } } });
    await press(panel.field(), 'Escape');
    expect(panel.bodiesOf('stop')).toEqual([]);
  });
});
