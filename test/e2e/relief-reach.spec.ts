import type { Locator } from '@playwright/test';
import type { EntryDraft } from '../../src/core/model/entry.ts';
import { pause, text, toolUse } from '../support/model-server/scenario.ts';
import { expect, test } from './fixtures.ts';
import { idsOf, sessionWith, workOn } from './logged-session.ts';
import { button, composer, conversation, meter, newSession, send, setSettings, turnEnds } from './steps.ts';

// That everything about reliefs can be reached and understood: by mouse, by keys, by somebody who listens.

test.use({
  rigOptions: {
    files: { 'src/tide.js': 'const high = 4;\nconst low = 1;\n' },
    model: { window: 64_000 },
  },
});

test.beforeEach(async ({ editor, panel, modelServer }) => {
  modelServer.play(workOn('src/tide.js'));
  await editor.page.setViewportSize({ width: 1280, height: 800 });
  await panel.locator('body').waitFor();
});

const note = (number: number): EntryDraft => ({
  kind: 'note',
  level: 'info',
  text: `Sounding ${number}: sand and shells, at the turn of the tide.`,
});

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (box === null) throw new Error('not drawn');
  return box;
}

test('“Jump to latest” covers nothing that can be clicked, and leads to the end', async ({
  editor,
  panel,
}) => {
  await sessionWith(editor, (log) => [
    {
      kind: 'eviction',
      trigger: 'line',
      items: idsOf(log, 'tool_result').map((entryId) => ({ entryId, reason: 'large' })),
      before: 28_600,
      after: 17_900,
    },
    ...Array.from({ length: 30 }, (_, index) => note(index)),
  ]);
  const undo = button(panel, 'Undo eviction');
  const jump = button(panel, 'Jump to latest');
  // At the very bottom of what is in sight, where the pill is.
  await undo.evaluate((element) => element.scrollIntoView({ block: 'end' }));
  await jump.waitFor();
  await undo.evaluate((element) => element.scrollIntoView({ block: 'end' }));
  const [over, under] = [await boxOf(jump), await boxOf(undo)];
  expect(under.y + under.height).toBeLessThanOrEqual(over.y);
  await undo.click({ trial: true, timeout: 2_000 });
  await jump.click();
  await expect(jump).toBeHidden();
  await expect(conversation(panel).getByText('Sounding 29')).toBeInViewport();
});

test('the bar of the meter opens the account by mouse and by keys', async ({ editor, panel }) => {
  await newSession(editor);
  await send(panel, 'Mend the tide.');
  await turnEnds(panel);
  const account = panel.getByRole('group', { name: 'Context budget details' });
  const everyItem = account.getByRole('region', { name: 'Every item' });
  await meter(panel).click();
  await expect(everyItem).toBeVisible();
  await meter(panel).press('Enter');
  await expect(everyItem).toBeHidden();
  await meter(panel).press(' ');
  await expect(everyItem).toBeVisible();
  await meter(panel).press('Escape');
  await expect(account).toBeHidden();
});

test('a compaction asked for in a turn is shown as queued at once, and can be taken back', async ({
  editor,
  panel,
  modelServer,
}) => {
  let go: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (go = resolve));
  modelServer.play(({ round }) =>
    round < 6
      ? [toolUse('read_file', { path: 'src/tide.js' })]
      : [text('The tide '), pause(gate), text('is right.')],
  );
  await newSession(editor);
  await send(panel, 'Mend the tide.');
  await expect(conversation(panel)).toContainText('The tide');
  const sign = panel.getByRole('status').filter({ hasText: 'Compaction queued' });
  for (const words of ['/compact', '/COMPACT the harbour']) {
    await composer(panel).fill(words);
    await composer(panel).press('Enter');
    await expect(sign).toBeVisible();
    await button(panel, 'Take back the queued compaction').click();
    await expect(sign).toBeHidden();
  }
  await composer(panel).fill('/Compact');
  await composer(panel).press('Enter');
  await expect(sign).toBeVisible();
  go();
  await turnEnds(panel);
  await expect(sign).toBeHidden();
  await expect(conversation(panel)).toContainText(/Compaction skipped|Conversation compacted/);
});

test('a setting that makes no sense is named, with what is used instead', async ({ editor }) => {
  await setSettings(editor, { 'plimsoll.context.evictAt': 60 });
  const told = editor.page.getByText(/plimsoll\.context\.evictAt is 60.*0\.6 is used/).first();
  await expect(told).toBeVisible();
  await setSettings(editor, { 'plimsoll.context.evictAt': null });
});

test('somebody who listens hears whole sentences', async ({ editor, panel }) => {
  await sessionWith(editor, (log) => {
    const [first, second] = idsOf(log, 'tool_result');
    return [
      {
        kind: 'eviction',
        trigger: 'line',
        items: [
          { entryId: first!, reason: 'superseded', see: second! },
          { entryId: second!, reason: 'large' },
        ],
        before: 28_600,
        after: 17_900,
      },
    ];
  });
  const row = panel.getByRole('article', { name: /old results moved/ });
  await row.getByRole('button', { name: /Results/ }).click();
  await expect(row).toMatchAriaSnapshot(`
    - article "2 old results moved out of the view, from 28.6k to 17.9k tokens":
      - text: 2 old results moved out of the view from 28.6k to 17.9k tokens automatic
      - button "Results" [expanded]
      - button "Undo eviction": Undo
      - list:
        - listitem:
          - 'button "Go to Read src/tide.js"': Read src/tide.js
          - text: read again or changed since, see
          - 'button "Go to the newer one: Read src/tide.js"': Read src/tide.js
        - listitem:
          - 'button "Go to Read src/tide.js"': Read src/tide.js
          - text: large and old
  `);
  await send(panel, 'Once more.');
  await turnEnds(panel);
  await meter(panel).click();
  await expect(panel.getByRole('group', { name: 'Context budget details' })).toMatchAriaSnapshot(`
    - group "Context budget details":
      - paragraph: /[\\d,]+ of 44,800 tokens, \\d+% of the budget; as reported by the provider/
      - term: Window
      - definition: 64,000 tokens
      - table "What fills it":
        - rowgroup:
          - row /System prompt [\\d,]+ tokens \\d+%/
          - row /Tool definitions [\\d,]+ tokens \\d+%/
          - row /Your messages [\\d,]+ tokens/
      - table "Largest items":
        - rowgroup:
          - 'row /System prompt: base [\\d,]+ tokens/'
          - 'row /Tool definitions: read_file [\\d,]+ tokens/'
      - region "Every item":
        - group "System prompt":
          - text: /^System prompt \\(2 items\\) , [\\d,]+ tokens/
          - list:
            - listitem: /base , [\\d,]+ tokens/
        - group "Your messages":
          - list:
            - listitem: /message , \\d+ rounds ago , \\d+ tokens/
  `);
});
