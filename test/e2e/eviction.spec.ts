import { text, toolUse } from '../support/model-server/scenario.ts';
import type { ScenarioRequest } from '../support/model-server/conversation.ts';
import { expect, test } from './fixtures.ts';
import { button, conversation, meter, newSession, send, turnEnds } from './steps.ts';

// A model that looks at the same two files again and again, as agents do: what it saw before is there twice.

const FILES = ['src/tide.js', 'src/moon.js'] as const;
const LOOKS = 8;

/** About 2,000 tokens, other ones for each file and each time. */
const source = (path: string): string =>
  Array.from(
    { length: 130 },
    (_, line) => `export const ${path.slice(4, 8)}${line} = ${line * 7}; // fathoms`,
  ).join('\n');

const look = ({ lastUserText, round }: ScenarioRequest) =>
  lastUserText.startsWith('Look') && round < LOOKS
    ? [toolUse('read_file', { path: FILES[round % FILES.length]! })]
    : [text(`Seen ${round} times.`)];

test.use({
  rigOptions: {
    files: Object.fromEntries(FILES.map((path) => [path, source(path)])),
    model: { window: 32_000, deltaChars: 1_000 },
    settings: { 'plimsoll.model': 'claude-sim-classic', 'plimsoll.context.prepareAt': null },
  },
});

test('repeated reads leave the view at the evict line; the row lists them; Undo brings them back', async ({
  editor,
  panel,
  modelServer,
}) => {
  modelServer.play(look);
  await newSession(editor);
  await send(panel, 'Look at both files.');
  await turnEnds(panel, 60_000);
  const row = panel.getByRole('article', { name: /old results moved out of the view from/ });
  await expect(row).toHaveCount(1);
  await row.getByRole('button', { name: 'Results' }).click();
  await expect(row.getByRole('listitem').first()).toContainText(
    /Read src\/(tide|moon)\.js.*(read again|the same)/,
  );
  const sent = () => JSON.stringify(modelServer.requests.at(-1)!.body!.messages);
  const stubs = () => sent().split('Out of view to save room').length - 1;
  expect(stubs()).toBe(await row.getByRole('listitem').count());
  await row
    .getByRole('button', { name: `Go to Read ${FILES[0]}` })
    .first()
    .click();
  await expect(panel.locator('.item.tool:focus')).toContainText(FILES[0]);

  const before = Number(await meter(panel).getAttribute('aria-valuenow'));
  await button(panel, 'Undo eviction').click();
  await expect(row).toContainText('undone');
  expect(Number(await meter(panel).getAttribute('aria-valuenow'))).toBeGreaterThan(before);
  await send(panel, 'And now?');
  await expect(conversation(panel)).toContainText('Seen 0 times.');
  expect(stubs()).toBe(0);
});
