// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { accessibleName, click, type } from './panel-harness.tsx';
import { memoryRow, openMemory } from './memory-harness.tsx';

const first = memoryRow('m1', 'The build needs Node 20', { source: 'extractor', category: 'fact' });
const second = memoryRow('m2', 'Prefers short answers', { source: 'extractor', category: 'preference' });
const proposals = [first, second];

const suggestion = (panel: { find: (selector: string) => HTMLElement }, text: string) =>
  panel.find(`textarea[aria-label="Suggestion: ${text}"]`) as HTMLTextAreaElement;

describe('what the agent suggests remembering', () => {
  it('is there only when there is something', async () => {
    const panel = await openMemory();
    expect(panel.root.querySelector('.memory-inbox')).toBeNull();
    await panel.tell({ proposals });
    expect(panel.find('.memory-inbox').textContent).toContain('The agent suggests remembering:');
    expect(panel.root.querySelectorAll('.memory-proposal')).toHaveLength(2);
  });

  it('is accepted as it is, or rejected; the focus goes on to the next, and then to the text', async () => {
    const panel = await openMemory({ proposals });
    await click(panel.button('Accept: The build needs Node 20')!);
    expect(accessibleName(document.activeElement!)).toBe('Accept: Prefers short answers');
    expect(panel.find('.memory > [role="status"]').textContent).toBe('Remembered.');
    await click(panel.button('Reject: Prefers short answers')!);
    expect(panel.bodiesOf('answerProposal')).toEqual([
      { id: 'm1', answer: 'accept' },
      { id: 'm2', answer: 'reject' },
    ]);
    expect(document.activeElement).toBe(panel.field());
    expect(panel.root.querySelector('.memory-inbox')).toBeNull();
    expect(panel.tab('Memory').textContent).toBe('Memory');
  });

  it('can be put in other words first, which stay while other things change', async () => {
    const panel = await openMemory({ proposals });
    await type(suggestion(panel, 'The build needs Node 20'), 'The build needs Node 20.19');
    await panel.tell({ proposals, text: '- New\n' });
    expect(suggestion(panel, 'The build needs Node 20').value).toBe('The build needs Node 20.19');
    await click(panel.button('Accept: The build needs Node 20')!);
    expect(panel.bodiesOf('answerProposal')).toEqual([
      { id: 'm1', answer: 'accept', text: 'The build needs Node 20.19' },
    ]);
  });

  it('cannot be accepted without words', async () => {
    const panel = await openMemory({ proposals });
    await type(suggestion(panel, 'The build needs Node 20'), ' \n');
    await click(panel.button('Accept: The build needs Node 20')!);
    expect(panel.bodiesOf('answerProposal')).toEqual([]);
  });

  it('stays, with what was typed, where the answer is refused, and why is said', async () => {
    const refuse = () => {
      throw new Error('It holds a secret.');
    };
    const panel = await openMemory({ proposals }, { answers: { answerProposal: refuse } });
    await type(suggestion(panel, 'The build needs Node 20'), 'the key is 123');
    await click(panel.button('Accept: The build needs Node 20')!);
    expect(suggestion(panel, 'The build needs Node 20').value).toBe('the key is 123');
    expect(panel.find('.memory-proposal [role="alert"]').textContent).toContain('It holds a secret.');
  });

  it('hides nothing, and says where it was learnt', async () => {
    const origin = { sessionId: 's1', entryId: 'e2', isHere: true } as const;
    const panel = await openMemory(
      { proposals: [{ ...first, text: 'is\u202eAdmin', origin }] },
      { panel: { items: [{ kind: 'user', id: 'e2', text: 'Hello.' }] } },
    );
    expect(panel.find('.memory-proposal .memory-hidden').textContent).toContain('is⟨U+202E⟩Admin');
    expect(panel.button('Go to Learnt at: You: Hello.')).toBeDefined();
  });
});
