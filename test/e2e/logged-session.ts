import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Entry, EntryDraft } from '../../src/core/model/entry.ts';
import type { Editor } from '../support/editor/editor.ts';
import { text, toolUse } from '../support/model-server/scenario.ts';
import type { Scenario } from '../support/model-server/scenario.ts';
import { expect } from './fixtures.ts';
import { conversation, newSession, send, turnEnds } from './steps.ts';

/** Rounds enough for some to be older than what is always kept. */
const ROUNDS = 6;

/** Looks at a file again and again, then answers. */
export const workOn =
  (path: string): Scenario =>
  ({ round }) =>
    round < ROUNDS ? [toolUse('read_file', { path })] : [text('The tide is right again.')];

const logsOf = ({ dataDir }: Editor): readonly string[] =>
  readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => path.join(dataDir, name));

const entriesOf = (log: string): readonly Entry[] =>
  readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry);

/** A session that did some work and was then told the rest; the window is reloaded on it. */
export async function sessionWith(
  editor: Editor,
  rest: (log: readonly Entry[]) => readonly EntryDraft[],
): Promise<void> {
  const panel = editor.panel();
  const said = `Mend the tide (${Date.now()}).`;
  await newSession(editor);
  await send(panel, said);
  await turnEnds(panel);
  const file = logsOf(editor).find((name) => readFileSync(name, 'utf8').includes(said))!;
  const log = entriesOf(file);
  rest(log).forEach((draft, index) => {
    const entry = { id: `e${log.length + 1 + index}`, at: new Date().toISOString(), ...draft };
    appendFileSync(file, `${JSON.stringify(entry)}\n`);
  });
  await editor.reload();
  await editor.api((vscode) => vscode.commands.executeCommand('plimsoll.open'));
  await expect(conversation(panel)).toContainText(said, { timeout: 30_000 });
}

export const idsOf = (log: readonly Entry[], kind: Entry['kind']) =>
  log.filter((entry) => entry.kind === kind).map(({ id }) => id);
