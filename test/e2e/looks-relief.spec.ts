import path from 'node:path';
import type { FrameLocator } from '@playwright/test';
import type { Entry, EntryDraft } from '../../src/core/model/entry.ts';
import { badSummaries } from '../support/model-server/summaries.ts';
import { expect, test } from './fixtures.ts';
import { idsOf, sessionWith, workOn } from './logged-session.ts';
import { glance, lookEverywhere, THEMES } from './looks-everywhere.ts';
import { button, composer, conversation, send, turnEnds } from './steps.ts';

// What the rows of evictions and compactions look like. The rows come from the session's log, and so does what is shown
// here: which entries the engine writes when is the business of other tests.

test.use({
  rigOptions: {
    files: {
      'src/tide.js': 'const high = 4;\nconst low = 1;\n',
      // worth a compaction after a few looks
      'src/soundings.js': 'lead(4, 17); // sand and shells\n'.repeat(300),
    },
    model: { window: 64_000 },
  },
});

const compaction = (log: readonly Entry[]): EntryDraft => ({
  kind: 'compaction',
  method: 'summary',
  trigger: 'line',
  through: log.at(-1)!.id,
  text: '## Goal\n- Mend the tide in src/tide.js\n\n## Files\n- src/tide.js: high 4, low 1',
  summary: [
    {
      title: 'Goal',
      bullets: [
        { text: 'Mend the tide in src/tide.js, without a new dependency', sources: idsOf(log, 'user') },
      ],
    },
    {
      title: 'Decisions and why',
      bullets: [
        { text: 'low stays 1: the tests of the harbour rely on it', sources: idsOf(log, 'tool_result') },
        { text: 'The customer prefers spring tides', sources: [] },
      ],
    },
  ],
  state: {
    goal: 'Mend the tide in src/tide.js',
    step: 'Run the tests of test/aVeryLongFileNameThatDoesNotFitIntoANarrowPanelAtAll.test.js',
    completed: ['Read src/tide.js', 'Changed one line'],
    pending: ['Write a test for neap tides'],
    errors: ['1 of 12 tests failed: falling tide'],
    files: ['src/tide.js', 'test/tide.test.js'],
    updated: log.at(-1)!.id,
  },
  facts: { messages: [], files: [], steps: [] },
  before: 36_100,
  after: 11_400,
  cost: { input: 1_200, cacheRead: 34_000, cacheWrite: 0, output: 900 },
  model: 'simulated-model',
  focus: 'the harbour',
});

/** Where it is not open already. */
async function open(panel: FrameLocator, name: string): Promise<void> {
  const toggle = button(panel, name).first();
  if ((await toggle.getAttribute('aria-expanded')) !== 'true') await toggle.click();
}

test.beforeEach(async ({ editor, panel, modelServer }) => {
  modelServer.play(workOn('src/tide.js'));
  await editor.page.setViewportSize({ width: 1280, height: 800 });
  await panel.locator('body').waitFor();
});

test('compacting, with a way out of it', async ({ editor, panel, modelServer }) => {
  test.slow(); // twelve pictures
  modelServer.play(workOn('src/soundings.js'));
  modelServer.summarize([badSummaries.slow(600_000)]);
  await sessionWith(editor, () => []);
  await composer(panel).fill('/comp');
  for (const theme of THEMES) {
    await editor.setTheme(theme);
    await glance(editor, panel, `slash-300-${theme}`); // Tab completes here, and goes on only then
  }
  await composer(panel).press('Tab');
  await expect(composer(panel)).toHaveValue('/compact ');
  await composer(panel).press('Enter');
  await button(panel, 'Cancel compaction').waitFor();
  await lookEverywhere(editor, 'compacting');
  await button(panel, 'Cancel compaction').click();
  await expect(conversation(panel)).toContainText('Compaction cancelled.');
  await expect(button(panel, 'Stop')).toBeHidden();
});

/** An eviction, one that was taken back, and reliefs that came to nothing. */
function otherReliefs(log: readonly Entry[]): readonly EntryDraft[] {
  const [first, second] = idsOf(log, 'tool_result');
  const eviction: EntryDraft = {
    kind: 'eviction',
    trigger: 'asked',
    items: [
      { entryId: first!, reason: 'superseded', see: second! },
      { entryId: second!, reason: 'large' },
    ],
    before: 28_600,
    after: 17_900,
  };
  return [
    eviction,
    { ...eviction, trigger: 'line' },
    { kind: 'undo', of: `e${log.length + 2}` },
    {
      kind: 'note',
      level: 'info',
      text: 'There is nothing older than the newest rounds.',
      relief: 'skipped',
    },
    { kind: 'note', level: 'warning', text: 'The summary was empty twice.', relief: 'failed' },
    { kind: 'note', level: 'info', text: 'Nothing was changed.', relief: 'cancelled' },
  ];
}

test('every kind of row, open', async ({ editor, panel }) => {
  test.slow(); // sixteen pictures
  await sessionWith(editor, (log) => [...otherReliefs(log), compaction(log)]);
  await lookEverywhere(editor, 'reliefs', (place) => open(place, 'Results'));
  await lookEverywhere(editor, 'compaction', (place) => open(place, 'Summary'));
  await expect(panel.getByRole('alert')).toHaveCount(0);
  await open(panel, 'Summary');
  await button(panel, 'Go to Read src/tide.js').first().click();
  await expect(panel.locator('.item.tool:focus')).toContainText('src/tide.js');
});

test('the account behind the meter, by its command', async ({ editor, panel }) => {
  await sessionWith(editor, () => []);
  await send(panel, 'Once more.');
  await turnEnds(panel);
  await editor.runCommand('Plimsoll: Show Context Budget');
  const account = panel.getByRole('group', { name: 'Context budget details' });
  await expect(account).toBeFocused();
  await expect(account).toContainText('Every item');
  await account.locator('.meter-group').last().scrollIntoViewIfNeeded();
  await editor.page.screenshot({
    path: path.resolve(import.meta.dirname, '../../test-results/looks/account-300.png'),
  });
});
