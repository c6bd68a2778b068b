import type { FrameLocator, Locator } from '@playwright/test';
import { fact, text, toolUse } from '../support/model-server/scenario.ts';
import type { ScenarioRequest } from '../support/model-server/conversation.ts';
import type { Reply, Scenario } from '../support/model-server/scenario.ts';
import { button, card, send, turnEnds } from './steps.ts';

// Commands that print a lot, and how a person reads that.

/** Prints 5 MB: 60,001 lines in colours, the needle in the last one. */
const TIDES = `
const paint = (codes, text) => '\\x1b[' + codes + 'm' + text + '\\x1b[0m';
const lines = [];
for (let hour = 1; hour <= 60000; hour++) {
  const name = 'hour ' + hour;
  const kinds = [
    paint('32', '\\u2713') + ' ' + name + ' ' + paint('2', '(12 ms)'),
    paint('1;31', '\\u2717 ' + name) + ' ' + paint('93', 'storm') + ' ' + paint('44;37', ' INFO '),
    name + ': the tide ' + paint('34', 'rises') + ', ' + paint('38;5;208', 'falls') + ' and ' + paint('7', 'turns'),
    name + ' is told at length, ' + 'as the water comes and goes, '.repeat(6) + paint('3;4;36', 'slowly'),
    '',
    'counting 10%\\rcounting 55%\\r' + name + ' is counted',
  ];
  lines.push(kinds[hour % kinds.length]);
}
lines.push('the needle');
process.stdout.write(lines.join('\\n') + '\\n');
`;

/** Prints three pages, and then line after line until it is stopped. */
const FLOOD = `
let line = 0;
const print = (count) => {
  let text = '';
  for (let index = 0; index < count; index++) text += 'wave ' + ++line + '\\n';
  process.stdout.write(text);
};
print(3000);
setInterval(() => print(25), 50);
`;

/** Prints 100 MB: a million lines, and the needle. */
const HUGE = `
for (let block = 0; block < 1000; block++) {
  let text = '';
  for (let line = 1; line <= 1000; line++)
    text += 'wave ' + (block * 1000 + line) + ' of many, ' + 'that come and go. '.repeat(5) + '\\n';
  process.stdout.write(text);
}
process.stdout.write('the needle\\n');
`;

export const files = { 'tides.mjs': TIDES, 'flood.mjs': FLOOD, 'huge.mjs': HUGE };

const OUTPUT_PATH = /[^\s"'`]*tool_results\/[^\s"'`]+\.txt/;

/** Runs what it is told to run, and says where the output is; reads it page by page when it is told to. */
export const runs: Scenario = (request) => {
  const { lastUserText, round } = request;
  const command = /^Run (.+)\.$/.exec(lastUserText)?.[1];
  if (lastUserText.startsWith('Read on from line')) return readOn(request);
  if (command === undefined) return [text('I see.')];
  return round === 0
    ? [toolUse('run_command', { command })]
    : [text('All of it is in `', fact(OUTPUT_PATH), '`.')];
};

function readOn({ lastUserText, latestResults, round }: ScenarioRequest): Reply {
  const page = latestResults[0]?.text ?? '';
  if (round > 0 && page.includes('the needle')) return [text(`I have it, on page ${round}: the needle.`)];
  const next = round === 0 ? /\d+/.exec(lastUserText) : /(?<=read on with offset=)\d+/.exec(page);
  const path = fact(OUTPUT_PATH, { from: 'all' });
  return [toolUse('read_file', { path, offset: Number(next?.[0]), limit: 500 })];
}

export const TIDES_COMMAND = 'node tides.mjs';
export const FLOOD_COMMAND = 'node flood.mjs';
export const HUGE_COMMAND = 'node huge.mjs';

export async function run(panel: FrameLocator, command: string): Promise<void> {
  await send(panel, `Run ${command}.`);
  await card(panel, 'run_command', command).getByRole('button', { name: 'Allow', exact: true }).click();
}

export async function runToTheEnd(panel: FrameLocator, command: string): Promise<void> {
  await run(panel, command);
  await turnEnds(panel, 60_000);
}

export const outputLink = (place: FrameLocator | Locator, command: string): Locator =>
  place.getByRole('link', { name: `Open output run_command ${command}`, exact: true });

export const pager = (panel: FrameLocator): Locator => panel.getByRole('region', { name: 'Output pager' });

export const back = (panel: FrameLocator): Locator => button(panel, 'Back to conversation');
