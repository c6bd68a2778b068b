import type { FrameLocator, Locator } from '@playwright/test';
import type { ScenarioRequest } from '../support/model-server/conversation.ts';
import type { ModelServer } from '../support/model-server/model-server.ts';
import type { RecordedRequest } from '../support/model-server/recording.ts';
import { pause, text, toolUse } from '../support/model-server/scenario.ts';
import type { Reply } from '../support/model-server/scenario.ts';
import { badSummaries } from '../support/model-server/summaries.ts';
import { expect, test } from './fixtures.ts';
import { button, composer, conversation, meter, newSession, send, setSettings } from './steps.ts';
import { statusBar, turnEnds } from './steps.ts';

// What a person sees and does when a conversation is made smaller, in a window of which eight charts fill the most.

const WINDOW = 32_000;
/** How the model answers where it reads no chart. */
const HEARD = 'Heard: ';

const nameOf = (chart: number): string => `charts/chart-${chart}.md`;

/** About 2,000 tokens. */
function chart(number: number): string {
  const sounding = (line: number) =>
    `${line}. Off chart ${number} the lead found ${number * 100 + line} fathoms over sand, then over shells, at the turn of the tide.`;
  return Array.from({ length: 72 }, (_, line) => sounding(line)).join('\n');
}

/** Reads so many charts, one a round; whatever else is said it has heard. What was read last tells what comes next. */
const reading =
  (charts: number, atTheEnd: Reply = text('All charts are read.')) =>
  ({ lastUserText, round, latestResults }: ScenarioRequest): Reply => {
    const isAbout = lastUserText === '' || lastUserText.startsWith('Read');
    if (!isAbout) return text(HEARD, lastUserText);
    const last =
      round === 0 && lastUserText !== '' ? '0' : /chart (\d+)/.exec(latestResults[0]?.text ?? '')?.[1];
    const next = Number(last) + 1;
    return next > charts
      ? atTheEnd
      : [text(`Now chart ${next}.`), toolUse('read_file', { path: nameOf(next) })];
  };

/** Something that happens when the test says so. */
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

const row = (panel: FrameLocator): Locator => panel.getByRole('article', { name: /^Conversation compacted/ });
const cancel = (panel: FrameLocator): Locator => button(panel, 'Cancel compaction');
const preparing = (panel: FrameLocator): Locator => panel.getByTitle(/being prepared in the background/);

const isSummary = ({ body }: RecordedRequest): boolean => body?.compaction !== undefined;
const callsTo = ({ requests }: ModelServer): readonly RecordedRequest[] =>
  requests.filter(({ path }) => path === '/v1/messages');
const summaryCalls = (server: ModelServer) => callsTo(server).filter(isSummary);
const rounds = (server: ModelServer) => callsTo(server).filter((request) => !isSummary(request));
const sent = (server: ModelServer): string => JSON.stringify(rounds(server).at(-1)!.body!.messages);

function tokensOf({ usage }: RecordedRequest): number {
  return usage!.input + usage!.cacheRead + usage!.cacheWrite;
}

/** Reads `charts` charts in a session of its own. */
async function read(panel: FrameLocator, charts: number): Promise<void> {
  await send(panel, `Read ${charts} charts, and never touch the lighthouse.`);
  await turnEnds(panel, 60_000);
}

async function type(panel: FrameLocator, words: string): Promise<void> {
  await composer(panel).fill(words);
  await composer(panel).press('Enter');
}

test.use({
  rigOptions: {
    files: Object.fromEntries(Array.from({ length: 8 }, (_, index) => [nameOf(index + 1), chart(index + 1)])),
    model: { window: WINDOW, deltaChars: 1_000 },
    settings: { 'plimsoll.context.prepareAt': null },
  },
});

test.beforeEach(async ({ editor, panel }) => {
  await panel.locator('body').waitFor();
  await newSession(editor);
});

test('in the middle of a turn: what was before and after, the summary, its sources, and the server’s own figures', async ({
  editor,
  panel,
  modelServer,
}) => {
  modelServer.play(reading(8));
  await read(panel, 8);
  await expect(conversation(panel)).toContainText('All charts are read.');
  await expect(row(panel)).toContainText(/[\d.]+k → [\d.]+k tokens/);
  await expect(row(panel)).toContainText('signed summary · automatic');

  const load = tokensOf(rounds(modelServer).at(-1)!);
  const budget = Number(await meter(panel).getAttribute('aria-valuemax'));
  await expect(meter(panel)).toHaveAttribute('aria-valuenow', String(load));
  await expect(statusBar(editor)).toHaveText(`⦵ ${Math.round((100 * load) / budget)}%`);

  await row(panel).getByRole('button', { name: 'Summary' }).click();
  await expect(row(panel)).toContainText('never touch the lighthouse');
  await expect(row(panel)).toContainText('State of the work');
  await row(panel)
    .getByRole('button', { name: `Go to Read ${nameOf(4)}` })
    .first()
    .click();
  await expect(panel.locator('.item.tool:focus')).toContainText(nameOf(4));

  await editor.runCommand('Plimsoll: Show Context Budget');
  const account = panel.getByRole('group', { name: 'Context budget details' });
  await expect(account).toBeFocused();
  await expect(account).toContainText('Summary');
});

test('asked for with a focus: the summariser is told, the meter stays the conversation’s, and Undo brings all back', async ({
  panel,
  modelServer,
}) => {
  modelServer.play(reading(5));
  await read(panel, 5);
  const before = Number(await meter(panel).getAttribute('aria-valuenow'));
  await type(panel, '/compact keep the API names');
  await expect(row(panel)).toContainText('asked');
  const [call] = summaryCalls(modelServer);
  expect(call!.body!.compaction!.instructions).toContain('keep the API names');
  const after = Number(await meter(panel).getAttribute('aria-valuenow'));
  expect(after).toBeLessThan(0.7 * before);
  expect(after).not.toBe(tokensOf(call!));
  await row(panel).getByRole('button', { name: 'Summary' }).click();
  await expect(row(panel)).toContainText('Focus: keep the API names');

  await send(panel, 'What now?');
  await turnEnds(panel);
  expect(sent(modelServer)).not.toContain('Off chart 1 ');
  await expect(meter(panel)).toHaveAttribute('aria-valuenow', String(tokensOf(rounds(modelServer).at(-1)!)));
  await button(panel, 'Undo compaction').click();
  await expect(row(panel)).toContainText('undone');
  await send(panel, 'And now?');
  await turnEnds(panel);
  expect(sent(modelServer)).toContain('Off chart 1 ');
  expect(sent(modelServer)).not.toContain('"compaction"');
});

test('cancelled while it is waited for: the turn goes on without', async ({ panel, modelServer }) => {
  modelServer.play(reading(8));
  modelServer.summarize([badSummaries.slow(600_000)]);
  await send(panel, 'Read 8 charts.');
  await cancel(panel).click({ timeout: 60_000 });
  await expect(conversation(panel)).toContainText('Compaction cancelled.');
  await expect(conversation(panel)).toContainText('All charts are read.', { timeout: 60_000 });
  await turnEnds(panel);
  await expect(cancel(panel)).toBeHidden();
});

test('C6: a summary that fails says so and is replaced by a fold; one in vain is skipped; the rows outlive a reload', async ({
  editor,
  panel,
  modelServer,
}) => {
  await editor.runCommand('Plimsoll: Compact Conversation');
  await expect(editor.page.getByText('There is nothing to compact yet.').first()).toBeVisible();
  modelServer.play(reading(5));
  modelServer.summarize([badSummaries.blank]);
  await read(panel, 5);
  await editor.runCommand('Plimsoll: Compact Conversation');
  await expect(conversation(panel)).toContainText('Compaction failed. No summary:');
  await expect(row(panel)).toContainText('without a model · asked');
  // What the fold has left may just be worth a summary, or not: it is asked until nothing is left to gain.
  const skipped = conversation(panel).getByText('Compaction skipped.');
  await expect(async () => {
    await editor.runCommand('Plimsoll: Compact Conversation');
    await expect(skipped.first()).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 60_000 });
  const rows = await row(panel).count();
  await editor.reload();
  await expect(conversation(panel)).toContainText('Compaction skipped.', { timeout: 30_000 });
  await expect(row(panel)).toHaveCount(rows);
  await expect(panel.getByRole('alert')).toHaveCount(0);
  await expect(button(panel, 'Stop')).toBeHidden();
  await send(panel, 'What now?');
  await expect(conversation(panel)).toContainText(`${HEARD}What now?`);
  expect(sent(modelServer)).not.toContain('Off chart 1 ');
});

test('U5: a window reloaded while a turn waits for a summary shows neither it nor its Cancel, and goes on', async ({
  editor,
  panel,
  modelServer,
}) => {
  modelServer.play(reading(8));
  modelServer.summarize([badSummaries.slow(600_000)]);
  await send(panel, 'Read 8 charts.');
  await cancel(panel).waitFor({ timeout: 60_000 });
  await editor.reload();
  await expect(conversation(panel)).toContainText('Now chart 6.', { timeout: 30_000 });
  await expect(cancel(panel)).toBeHidden();
  await expect(button(panel, 'Stop')).toBeHidden();
  await send(panel, 'What now?');
  await expect(conversation(panel)).toContainText(`${HEARD}What now?`);
  await expect(row(panel)).toHaveCount(1);
});

test('C10: what is typed while a summary is waited for is queued, and arrives in order', async ({
  panel,
  modelServer,
}) => {
  const summary = gate();
  modelServer.play(reading(5));
  modelServer.summarize([badSummaries.slow(summary.opened)]);
  await read(panel, 5);
  await type(panel, '/compact');
  await cancel(panel).waitFor();
  for (const words of ['First.', 'Second.']) {
    await type(panel, words);
    await expect(conversation(panel)).toContainText(`${words} Queued`);
  }
  summary.open();
  await expect(row(panel)).toHaveCount(1);
  await expect(conversation(panel)).toContainText(HEARD);
  await turnEnds(panel);
  expect(sent(modelServer)).toMatch(/First\..*Second\./);
  await expect(panel.getByText('Queued')).toHaveCount(0);
});

test('prepared in the background: said quietly, no request waits for it, and it is there when it is needed', async ({
  editor,
  panel,
  modelServer,
}) => {
  await setSettings(editor, { 'plimsoll.context.prepareAt': 0.6 });
  const [summary, answer] = [gate(), gate()];
  modelServer.play(reading(6, [text('All charts '), pause(answer.opened), text('are read.')]));
  modelServer.summarize([badSummaries.slow(summary.opened)]);
  await send(panel, 'Read 6 charts.');
  await expect(conversation(panel)).toContainText('All charts', { timeout: 60_000 });
  await expect(preparing(panel)).toBeVisible();
  await expect(cancel(panel)).toBeHidden();
  expect(summaryCalls(modelServer)[0]!.verdict.kind).toBe('pending');
  summary.open();
  await expect(preparing(panel)).toBeHidden();
  await expect(row(panel)).toHaveCount(0);
  answer.open();
  await turnEnds(panel);
  await type(panel, '/compact');
  await expect(row(panel)).toHaveCount(1);
  expect(summaryCalls(modelServer)).toHaveLength(1);
});

test('repeated reads leave the view at the evict line; the row lists them; Undo brings them back', async ({
  editor,
  panel,
  modelServer,
}) => {
  const classic = { 'plimsoll.model': 'claude-sim-classic', 'plimsoll.context.prepareAt': null };
  await setSettings(editor, classic);
  modelServer.play(({ lastUserText, round }) =>
    lastUserText.startsWith('Look') && round < 6
      ? [toolUse('read_file', { path: nameOf(1 + (round % 2)) })]
      : [text(HEARD, lastUserText)],
  );
  await send(panel, 'Look at both charts, again and again.');
  await turnEnds(panel, 60_000);
  const evicted = panel.getByRole('article', { name: /old results moved out of the view, from/ });
  await evicted.getByRole('button', { name: 'Results' }).click();
  const results = evicted.getByRole('listitem');
  await expect(results.first()).toContainText(/Read charts\/chart-[12]\.md.*(read again|the same)/);
  const stubs = () => sent(modelServer).split('Out of view to save room').length - 1;
  expect(stubs()).toBe(await results.count());

  const before = Number(await meter(panel).getAttribute('aria-valuenow'));
  await button(panel, 'Undo eviction').click();
  await expect(evicted).toContainText('undone');
  expect(Number(await meter(panel).getAttribute('aria-valuenow'))).toBeGreaterThan(before);
  await send(panel, 'And now?');
  await expect(conversation(panel)).toContainText(`${HEARD}And now?`);
  expect(stubs()).toBe(0);
});
