// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import type { PanelItem, ToolItem } from '../../src/protocol/view-model.ts';
import { asEvents, assistant, failure, ledger, log, text } from '../protocol/panel-builders.ts';
import { click, mountPanel } from './panel-harness.tsx';

function card(more: Partial<ToolItem>): ToolItem {
  return {
    kind: 'tool',
    toolUseId: 't1',
    tool: 'run_command',
    target: 'npm test',
    state: 'ok',
    output: '',
    ...more,
  };
}

describe('a tool card', () => {
  it('says what, where, how it stands, how long and how it exited', async () => {
    const panel = await mountPanel({
      items: [card({ state: 'error', output: 'boom', exitCode: 1, durationMs: 4_200 })],
    });
    const article = panel.find('article[aria-label="run_command: npm test"]');
    for (const words of ['Run', 'npm test', 'exit 1', '4.2 s', 'Failed', 'boom'])
      expect(article.textContent).toContain(words);
  });

  it('keeps a result that went well out of the page until it is wanted', async () => {
    const panel = await mountPanel({ items: [card({ output: 'one\ntwo\n' })] });
    const toggle = panel.button('Output, 2 lines')!;
    expect(panel.root.querySelector('pre')).toBeNull();
    await click(toggle);
    expect(toggle.getAttribute('aria-expanded')).toBe('true');
    expect(panel.find('article pre').textContent).toBe('one\ntwo\n');
  });

  it('shows what an edit changed, and opens the file and the diff', async () => {
    const patch = '@@ -1 +1 @@\n-old\n+new';
    const edit = card({
      tool: 'edit_file',
      target: 'src/a.ts',
      patch,
      added: 1,
      removed: 1,
      output: 'Edited.',
    });
    const panel = await mountPanel({ items: [edit] });
    expect(panel.find('.patch-line.added').textContent).toBe('1+new');
    expect(panel.find('.line-counts').textContent).toBe('+1 −1');
    await click(panel.button('Open diff')!);
    await click(panel.button('src/a.ts')!);
    expect(panel.asked).toMatchObject([
      { request: 'openDiff', body: { toolUseId: 't1' } },
      { request: 'openFile', body: { path: 'src/a.ts' } },
    ]);
  });
});

describe('the conversation', () => {
  it('is a polite log that stays quiet while an answer streams', async () => {
    const panel = await mountPanel();
    const region = panel.find('[role="log"][aria-label="Conversation"]');
    expect(region.getAttribute('aria-live')).toBe('polite');
    await panel.push({ type: 'turn_started' }, { type: 'text_delta', text: 'Hel' });
    expect(region.getAttribute('aria-busy')).toBe('true');
    await panel.push(...asEvents(log(assistant(text('Hello **there**')))), {
      type: 'turn_ended',
      end: 'done',
    });
    expect(region.getAttribute('aria-busy')).toBe('false');
    expect(panel.find('.assistant-message strong').textContent).toBe('there');
  });

  it('draws only the last block of a streamed answer again', async () => {
    const panel = await mountPanel();
    await panel.push({ type: 'text_delta', text: '# One\n\nTwo' });
    const heading = panel.find('.markdown h1');
    await panel.push({ type: 'text_delta', text: ' and more' });
    await panel.push(...asEvents(log(assistant(text('# One\n\nTwo and more')))));
    expect(panel.find('.markdown h1')).toBe(heading);
    expect(panel.find('.markdown p').textContent).toBe('Two and more');
  });

  it('opens web links outside and file links in the editor', async () => {
    const items: readonly PanelItem[] = [
      { kind: 'assistant', id: 'e1', text: '[a](https://example.com/) [b](src/b.ts:7)', thinking: '' },
    ];
    const panel = await mountPanel({ items });
    for (const link of panel.root.querySelectorAll('a')) await click(link);
    expect(panel.asked).toMatchObject([
      { request: 'openExternal', body: { url: 'https://example.com/' } },
      { request: 'openFile', body: { path: 'src/b.ts', line: 7 } },
    ]);
  });

  it('U7: reaches the first message of a long session', async () => {
    const items = Array.from({ length: 700 }, (_, index): PanelItem => {
      return { kind: 'user', id: `e${index + 1}`, text: `message ${index + 1}` };
    });
    const panel = await mountPanel({ items });
    expect(panel.root.textContent).toContain('message 700');
    for (let tries = 0; tries < 10; tries++) {
      const earlier = panel.button('Show earlier messages');
      if (earlier) await click(earlier);
    }
    expect(panel.find('.user-message').textContent).toContain('message 1');
    expect(panel.root.querySelectorAll('.user-message')).toHaveLength(700);
  });

  const queued: readonly PanelItem[] = [
    { kind: 'user', id: 'e1', text: 'later', isQueued: true },
    { kind: 'note', id: 'e2', level: 'info', text: 'a note' },
  ];

  it('shows queued messages last, as queued', async () => {
    const panel = await mountPanel({ items: queued, activity: { kind: 'streaming' } });
    const last = [...panel.root.querySelectorAll('.item')].at(-1);
    expect(last?.textContent).toContain('later');
    expect(last?.textContent).toContain('Queued');
  });

  it('says of a message that waits after a stop that it is not sent, and sends it when asked to', async () => {
    const panel = await mountPanel({ items: queued });
    expect(panel.root.textContent).toContain('Not sent yet');
    panel.button('Send now')?.click();
    expect(panel.asked.map(({ request }) => request)).toEqual(['goOn']);
  });
});

describe('a failure', () => {
  it('says what happened, in whose words, what to do, and retries', async () => {
    const panel = await mountPanel({ activity: { kind: 'failed', error: failure } });
    for (const words of [failure.title, failure.detail, failure.advice])
      expect(panel.find('.error-block').textContent).toContain(words);
    await click(panel.button('Retry')!);
    expect(panel.asked).toMatchObject([{ request: 'goOn' }]);
  });

  it.each(['no_key', 'auth'] as const)('offers to set a key for %s', async (code) => {
    const panel = await mountPanel({
      activity: { kind: 'failed', error: { ...failure, code, canRetry: false } },
    });
    await click(panel.button('Set API key')!);
    expect(panel.button('Retry')).toBeUndefined();
    expect(panel.asked).toMatchObject([{ request: 'setApiKey' }]);
  });

  it('is said once where the log tells it too, and cannot be retried from the past', async () => {
    const note = { kind: 'note', level: 'error', text: failure.title, error: failure } as const;
    const panel = await mountPanel({
      items: [
        { ...note, id: 'e1' },
        { ...note, id: 'e2' },
      ],
      activity: { kind: 'failed', error: failure },
    });
    expect(panel.root.querySelectorAll('.error-block')).toHaveLength(2);
    expect(panel.root.querySelectorAll('.error-block button')).toHaveLength(1);
  });

  it('C29: counts the wait down', async () => {
    const reason = 'Rate limited';
    const panel = await mountPanel({
      activity: { kind: 'retrying', attempt: 2, of: 5, delayMs: 12_000, reason },
    });
    expect(panel.find('.status-line').textContent).toBe('Rate limited. Trying again in 12 s (2 of 5)');
  });

  it('asks whether to go on at the round limit', async () => {
    const panel = await mountPanel({ activity: { kind: 'limit' } });
    await click(panel.button('Go on')!);
    expect(panel.asked).toMatchObject([{ request: 'goOn' }]);
  });
});

describe('the panel', () => {
  it('invites with examples that fill the composer', async () => {
    const panel = await mountPanel();
    const example = panel.find('.example');
    await click(example);
    expect((panel.find('textarea') as HTMLTextAreaElement).value).toBe(example.textContent.trim());
    expect(panel.asked).toEqual([]);
  });

  it('asks for a key where there is none', async () => {
    const environment = { hasKey: false, isTrusted: true, hasFolder: true };
    const panel = await mountPanel({ environment });
    await click(panel.button('Set API key')!);
    expect(panel.asked).toMatchObject([{ request: 'setApiKey' }]);
  });

  it('Z8: says that restricted mode runs no tool', async () => {
    const environment = { hasKey: true, isTrusted: false, hasFolder: true };
    const panel = await mountPanel({ environment });
    expect(panel.find('[aria-label="Restricted mode"]').textContent).toContain('runs no tool');
  });

  it('names the model that answers', async () => {
    const panel = await mountPanel();
    await panel.push({ type: 'model_resolved', model: 'Simulated model' });
    expect(panel.find('header').textContent).toContain('Simulated model');
  });

  it('T1: shows the ledger, and its account on a click', async () => {
    const panel = await mountPanel({ ledger: ledger(83_000, { phase: 'usage' }) });
    const meter = panel.find('[role="meter"][aria-label="Context budget"]');
    expect(meter.getAttribute('aria-valuenow')).toBe('83000');
    expect(meter.getAttribute('aria-valuemax')).toBe('166000');
    expect(meter.getAttribute('aria-valuetext')).toContain('50% of the budget');
    await click(panel.button('Context budget details')!);
    expect(panel.find('.meter-details').textContent).toContain('System prompt83,000');
  });

  it('T4: gives the meter no end where the window is unknown', async () => {
    const known = ledger(83_000);
    const { window: _window, tokens: _tokens, ...budget } = known.budget;
    const panel = await mountPanel({ ledger: { ...known, budget } });
    expect(panel.find('[role="meter"]').hasAttribute('aria-valuemax')).toBe(false);
    expect(panel.find('.meter-row').textContent).toContain('window unknown');
  });
});
