import type { FrameLocator } from '@playwright/test';
import type { ScenarioRequest } from '../support/model-server/conversation.ts';
import { text, toolUse } from '../support/model-server/scenario.ts';
import type { Reply } from '../support/model-server/scenario.ts';
import { expect, test } from './fixtures.ts';
import { conversation, newSession, send, setSettings, turnEnds } from './steps.ts';

// An audit that is several windows long. The model notes what it finds in each file, as a model does, and at the end it
// may name only what stands in the request that it is then given: in its messages or its summary, or fetched by recall.

const FILES = 40;
const WINDOW = 64_000;
const TURN_TIMEOUT_MS = 100_000;

const name = (file: number): string => `docks/berth-${String(file).padStart(2, '0')}.md`;
const finding = (file: number): string => `crane K${file * 137} lifts ${file * 31 + 5} tonnes too much`;

/** About 3,000 tokens, of which one line matters. */
function berth(file: number): string {
  const day = (line: number) =>
    `${line}. The watch at berth ${file} saw hull ${file * 1000 + line} come in on the tide, take on ${line % 17} crates of cargo and leave before the lamp was lit.`;
  const days = Array.from({ length: 85 }, (_, line) => day(line));
  return days.toSpliced(40, 0, `FINDING: ${finding(file)}.`).join('\n');
}

/** What the model has before its eyes. */
const inView = ({ body }: ScenarioRequest): string => JSON.stringify([body.system, body.messages]);

function audit(request: ScenarioRequest): Reply {
  const read = /berth (\d+) saw/.exec(request.latestResults.at(-1)?.text ?? '')?.[1];
  const lastTool = request.latestResults.at(-1)?.tool;
  if (read === undefined && lastTool === undefined) return [toolUse('read_file', { path: name(1) })];
  if (lastTool !== 'read_file') return report(request);
  const file = Number(read);
  const found = /FINDING: (.*)\./.exec(request.latestResults.at(-1)?.text ?? '')?.[1];
  const note = text(`${name(file)}: ${found}.`);
  if (file < FILES) return [note, toolUse('read_file', { path: name(file + 1) })];
  const missing = missingIn(inView(request));
  return missing.length === 0
    ? [note, ...report(request)]
    : [note, ...missing.map((one) => toolUse('recall', { query: `FINDING ${name(one)} crane` }))];
}

const missingIn = (view: string): readonly number[] =>
  Array.from({ length: FILES }, (_, index) => index + 1).filter((file) => !view.includes(finding(file)));

function report(request: ScenarioRequest) {
  const missing = missingIn(inView(request));
  const told = Array.from({ length: FILES }, (_, index) => index + 1).filter(
    (file) => !missing.includes(file),
  );
  const lines = told.map((file) => `- \`${name(file)}\` ${finding(file)}`);
  return [text(`### Report of ${told.length} berths\n\n${lines.join('\n')}`)];
}

test.use({
  rigOptions: {
    files: Object.fromEntries(
      Array.from({ length: FILES }, (_, index) => [name(index + 1), berth(index + 1)]),
    ),
    model: { window: WINDOW, deltaChars: 2_000 },
  },
});

const ENGINE = ['evictAt', 'prepareAt', 'compactAt', 'foldAt'].map((line) => `plimsoll.context.${line}`);

async function handOver(panel: FrameLocator): Promise<void> {
  await send(panel, 'Audit every file in docks, and report what you found in each.');
  await turnEnds(panel, TURN_TIMEOUT_MS);
}

const METHODS = { 'claude-sim-current': 'signed summary', 'claude-sim-classic': 'summary' } as const;

for (const [model, method] of Object.entries(METHODS))
  test(`forty files of 3,000 tokens in a window of 64,000: ${model} reports each finding`, async ({
    editor,
    panel,
    modelServer,
  }) => {
    modelServer.play(audit);
    await setSettings(editor, { 'plimsoll.model': model });
    await newSession(editor);
    await handOver(panel);
    const answer = conversation(panel).locator('.item.assistant').last();
    await expect(answer).toContainText(`Report of ${FILES} berths`);
    const said = await answer.innerText();
    for (let file = 1; file <= FILES; file += 1) expect(said).toContain(`${name(file)} ${finding(file)}`);
    const compaction = panel.getByRole('article', { name: /^Conversation compacted/ });
    await expect(compaction.first()).toContainText(`${method} · automatic`);
  });

test('the same without the engine: the session ends before the fortieth file, and says that it does not fit', async ({
  editor,
  panel,
  modelServer,
}) => {
  modelServer.play(audit);
  await setSettings(editor, Object.fromEntries(ENGINE.map((line) => [line, null])));
  await newSession(editor);
  await handOver(panel);
  await expect(panel.getByRole('alert')).toContainText('does not fit');
  await expect(conversation(panel)).not.toContainText('Report of');
  const last = JSON.stringify(modelServer.requests.at(-1)!.body!.messages);
  expect(last).not.toContain(name(FILES));
});
