// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ApprovalRequest } from '../../src/core/model/event.ts';
import type { PanelState, ToolItem } from '../../src/protocol/view-model.ts';
import { accessibleName, click, mountPanel, press, type } from './panel-harness.tsx';

const command: ApprovalRequest = {
  toolUseId: 't1',
  tool: 'run_command',
  target: 'npm test',
  action: 'command',
  command: 'npm test && rm -rf build',
  canRemember: true,
};

function asking(approval: ApprovalRequest): Partial<PanelState> {
  const { toolUseId, tool, target } = approval;
  const card: ToolItem = { kind: 'tool', toolUseId, tool, target, state: 'approval', output: '', approval };
  return { items: [card], activity: { kind: 'awaiting_approval' } };
}

const decisions = (panel: Awaited<ReturnType<typeof mountPanel>>) =>
  panel.asked.filter(({ request }) => request === 'answerApproval').map(({ body }) => body);

afterEach(() => vi.restoreAllMocks());

describe('an approval', () => {
  it('shows the exact command and every answer', async () => {
    const panel = await mountPanel(asking(command));
    const card = panel.find('article[aria-label="run_command: npm test"]');
    expect(card.querySelector('pre')?.textContent).toBe('npm test && rm -rf build');
    const names = [...card.querySelectorAll('button')].map(accessibleName);
    expect(names).toEqual(['Allow', 'Allow for this session', 'Always allow', 'Deny']);
  });

  it.each([
    ['a direction', 'rm \u202e txt.a \u2066#\u2069', 'rm ⟨U+202E⟩ txt.a ⟨U+2066⟩#⟨U+2069⟩'],
    ['a mark of direction', 'a\u200eb\u200fc\u061c', 'a⟨U+200E⟩b⟨U+200F⟩c⟨U+061C⟩'],
    ['no width', 'r\u200bm\u2060 \ufeff-r', 'r⟨U+200B⟩m⟨U+2060⟩ ⟨U+FEFF⟩-r'],
    ['control', 'rm a\r# b\u001b[8m', 'rm a⟨U+000D⟩# b⟨U+001B⟩[8m'],
    ['tag', 'ls\u{e0041}', 'ls⟨U+E0041⟩'],
    ['only what is seen', 'cat <<E\n\tנמל 港 é\nE', 'cat <<E\n\tנמל 港 é\nE'],
  ])('names what a command hides: %s', async (_, hidden, shown) => {
    const panel = await mountPanel(asking({ ...command, command: hidden, target: hidden }));
    const text = panel.find('article pre.command');
    expect(text.textContent).toBe(shown);
    expect(text.querySelectorAll('.unseen')).toHaveLength(shown.split('⟨').length - 1);
    expect(panel.find('article').getAttribute('aria-label')).toBe(`run_command: ${shown}`);
  });

  it('names what the target of a card hides, and opens the file by its own name', async () => {
    const target = 'src/\u202egnp.ts';
    const panel = await mountPanel(
      asking({ toolUseId: 't1', tool: 'edit_file', target, action: 'edit', canRemember: false }),
    );
    expect(panel.find('.card-target').textContent).toBe('src/⟨U+202E⟩gnp.ts');
    expect(panel.find('.card-target').title).toBe('src/⟨U+202E⟩gnp.ts');
    await click(panel.find('.card-target .link'));
    expect(panel.asked).toMatchObject([{ request: 'openFile', body: { path: target } }]);
  });

  it.each([
    ['Allow', 'once'],
    ['Allow for this session', 'session'],
    ['Always allow', 'always'],
  ])('%s allows it %s', async (name, scope) => {
    const panel = await mountPanel(asking(command));
    await click(panel.button(name)!);
    expect(decisions(panel)).toEqual([{ toolUseId: 't1', decision: { kind: 'allow', scope } }]);
  });

  it('is answered once', async () => {
    const panel = await mountPanel(asking(command));
    await click(panel.button('Allow')!);
    expect(panel.find('fieldset').hasAttribute('disabled')).toBe(true);
  });

  it('can be answered again when the host did not take the answer', async () => {
    const panel = await mountPanel(asking(command), { refusals: { answerApproval: 'Not now.' } });
    await click(panel.button('Allow')!);
    expect(panel.find('fieldset').hasAttribute('disabled')).toBe(false);
  });

  it('offers no lasting answer where none may be given, and says why it asks', async () => {
    const reason = 'outside the workspace';
    const panel = await mountPanel(asking({ ...command, canRemember: false, reason }));
    expect(panel.button('Allow for this session')).toBeUndefined();
    expect(panel.button('Always allow')).toBeUndefined();
    expect(panel.find('.reason').textContent).toBe('Outside the workspace.');
  });

  it('denies with a reason that the model will see', async () => {
    const panel = await mountPanel(asking(command));
    await click(panel.button('Deny')!);
    const field = panel.find('input[aria-label="Reason for denying"]');
    expect(document.activeElement).toBe(field);
    expect(decisions(panel)).toEqual([]);
    await type(field, ' keep the build ');
    await click(panel.button('Deny')!);
    expect(decisions(panel)).toEqual([
      { toolUseId: 't1', decision: { kind: 'deny', reason: 'keep the build' } },
    ]);
  });

  it('denies without a reason too, and Escape goes back without stopping the turn', async () => {
    const panel = await mountPanel(asking(command));
    await click(panel.button('Deny')!);
    await press(panel.find('input'), 'Escape');
    expect(panel.button('Allow')).toBeDefined();
    await click(panel.button('Deny')!);
    await click(panel.button('Deny')!);
    expect(panel.asked).toMatchObject([
      { request: 'answerApproval', body: { decision: { kind: 'deny', reason: '' } } },
    ]);
  });

  it('does not take the focus from somebody who types', async () => {
    const panel = await mountPanel();
    const field = panel.find('textarea');
    field.focus();
    await type(field, 'and then');
    await panel.push({ type: 'turn_started' }, { type: 'approval_requested', approval: command });
    expect(document.activeElement).toBe(field);
  });

  it('does not take the focus from somebody who has just pressed a key', async () => {
    const panel = await mountPanel();
    const field = panel.find('textarea');
    field.focus();
    await press(field, 'Backspace');
    await panel.push({ type: 'turn_started' }, { type: 'approval_requested', approval: command });
    expect(document.activeElement).toBe(field);
  });

  it('takes the focus from an empty composer to the question, never to a button', async () => {
    const panel = await mountPanel();
    panel.find('textarea').focus();
    const longAfterTheLastKey = performance.now() + 60_000;
    vi.spyOn(performance, 'now').mockReturnValue(longAfterTheLastKey);
    await panel.push({ type: 'turn_started' }, { type: 'approval_requested', approval: command });
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Approval needed. Run this command?');
  });
});
