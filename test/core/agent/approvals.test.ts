import { describe, expect, it } from 'vitest';
import type { ApprovalDecision } from '../../../src/core/model/event.ts';
import { text, toolUse } from '../../support/builders/entries.ts';
import { MemoryLogStore } from '../../support/memory-log-store.ts';
import { scriptedModel } from '../../support/scripted-model.ts';
import { testTool } from '../../support/test-tools.ts';
import { testSession, waitFor } from '../../support/test-session.ts';

const ran: string[] = [];
const make = testTool('make', 'command', (what) => (ran.push(what), Promise.resolve('made')));
const call = (id: string) => ({ blocks: [toolUse(id, { path: 'x' }, 'make')] });
const done = { blocks: [text('done')] };

/** Says "go", answers the first question, and tells how often was asked. */
async function turnWith(
  decision: ApprovalDecision,
  store = new MemoryLogStore(),
  model = scriptedModel([call('a'), call('b'), done]),
) {
  ran.length = 0;
  const test = await testSession({ model, tools: [make], store });
  const asked = () =>
    test.events.flatMap((event) => (event.type === 'approval_requested' ? [event.approval] : []));
  await test.session.send('go');
  await waitFor(() => asked().length > 0 || !test.session.isRunning);
  if (asked()[0]) expect(test.session.answerApproval(asked()[0]!.toolUseId, decision)).toBe(true);
  return { ...test, asked, model };
}

describe('approvals', () => {
  it('“once” runs this call and asks again for the next', async () => {
    const { asked, session } = await turnWith({ kind: 'allow', scope: 'once' });
    await waitFor(() => asked().length === 2);
    expect(ran).toEqual(['x']);
    expect(asked()[0]).toMatchObject({
      tool: 'make',
      target: 'x',
      action: 'command',
      command: 'make',
      canRemember: true,
    });
    await session.stop();
  });

  it('“for this session” holds for the session, also after a restart', async () => {
    const store = new MemoryLogStore();
    const { asked, ended } = await turnWith({ kind: 'allow', scope: 'session' }, store);
    await ended();
    expect(ran).toEqual(['x', 'x']);
    expect(asked()).toHaveLength(1);
    const reopened = await turnWith({ kind: 'deny', reason: '' }, store, scriptedModel([call('c'), done]));
    await reopened.ended();
    expect(reopened.asked()).toHaveLength(0);
    expect(ran).toEqual(['x']);
  });

  it('“always” is kept outside the session', async () => {
    const { granted, ended, session } = await turnWith({ kind: 'allow', scope: 'always' });
    await ended();
    expect([...granted]).toEqual(['command:/ws/a.txt:make']);
    expect(
      session.entries.filter((entry) => entry.kind === 'tool_intent').map(({ consent }) => consent),
    ).toEqual(['always', 'always']);
  });

  it('“deny” runs nothing, and the model sees the reason', async () => {
    const model = scriptedModel([call('a'), done]);
    const { ended, session } = await turnWith({ kind: 'deny', reason: 'use ninja' }, undefined, model);
    await ended();
    expect(ran).toEqual([]);
    expect(session.entries.find(({ kind }) => kind === 'tool_result')).toMatchObject({ status: 'denied' });
    expect(session.entries.some(({ kind }) => kind === 'tool_intent')).toBe(false);
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain('Their reason: use ninja');
  });

  it('a question can be answered once', async () => {
    const { session, ended } = await turnWith(
      { kind: 'deny', reason: '' },
      undefined,
      scriptedModel([call('a'), done]),
    );
    await ended();
    expect(session.answerApproval('a', { kind: 'allow', scope: 'once' })).toBe(false);
  });

  it('Z8: in restricted mode no tool runs, and the model is told why', async () => {
    ran.length = 0;
    const model = scriptedModel([call('a'), done]);
    const { say, events } = await testSession({
      model,
      tools: [make],
      trusted: false,
      settings: { approvalMode: 'auto' },
    });
    await say('go');
    expect(ran).toEqual([]);
    expect(events.some(({ type }) => type === 'approval_requested')).toBe(false);
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain('not trusted');
  });
});
