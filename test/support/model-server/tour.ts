import type { ScenarioRequest, ToolResultView } from './conversation.ts';
import { fact, pace, text, thinking, toolUse } from './scenario.ts';
import type { Part, Reply } from './scenario.ts';

/**
 * A walk through the sample project that finds and fixes its bug. What comes next is read off the conversation, so the
 * tour goes on where it stopped: after a stop, a restart or a denied call.
 */

const PACE_MS = 15;
const FAILED = /(?:#|ℹ) fail (\d+)/;
const PASSED = /(?:#|ℹ) pass (\d+)/;

/** The bug, exactly as it stands in the sample project, and its cure. */
export const TOUR_EDIT = {
  path: 'src/tide.js',
  old_text: '  const range = Math.abs(tide.to - tide.from);\n',
  new_text: '  const range = tide.to - tide.from;\n',
} as const;

interface Stop {
  /** the calls that this stop makes have brought what the tour needs */
  readonly isDone: (results: readonly ToolResultView[]) => boolean;
  readonly says: (request: ScenarioRequest) => readonly Part[];
}

function hasResult(tool: string, pattern = /./) {
  return (results: readonly ToolResultView[]) =>
    results.some((result) => result.tool === tool && !result.isError && pattern.test(result.text));
}

/** A failing test run may count as an error; what matters is that it ran. */
function hasRun(results: readonly ToolResultView[], failures: RegExp): boolean {
  return results.some((result) => result.tool === 'run_command' && failures.test(result.text));
}

function quoted(message: string): string {
  const line = message.trim().split('\n')[0] ?? '';
  return line.length > 100 ? `${line.slice(0, 99).replace(/\p{Surrogate}$/u, '')}…` : line;
}

const lookAround: Stop = {
  isDone: hasResult('list_files'),
  says: ({ lastUserText }) => [
    thinking(
      'No key is set, so I am a script. I shall say so first, and then show what an agent does: look, read, run, fix, check.',
    ),
    text(
      `> ${quoted(lastUserText)}\n\n**I am a simulated model.** No API key is set, so nothing you write leaves this machine, and I cannot really answer. `,
      'What I can do is walk you through a scripted tour: in this little harbour project one test fails, and together we mend it. ',
      'The files, the commands and the approvals are real.\n\nFirst a look around.',
    ),
    toolUse('list_files', { depth: 2 }),
  ],
};

const readCode: Stop = {
  isDone: hasResult('read_file', /heightAt/),
  says: () => [
    text('The water is in `src/tide.js`, its tests in `test/tide.test.js`. I read both at once.'),
    toolUse('read_file', { path: 'src/tide.js' }),
    toolUse('read_file', { path: 'test/tide.test.js' }),
  ],
};

const runTests: Stop = {
  isDone: (results) => hasRun(results, /(?:#|ℹ) fail [1-9]/),
  says: () => [
    thinking(
      'Math.abs makes the range positive, whichever way the tide runs. A falling tide would rise. The tests should show it.',
    ),
    text(
      'This line looks odd to me. The range is made positive, whether the sea comes or goes:\n\n',
      '```js\nconst range = Math.abs(tide.to - tide.from);\n```\n\n',
      'Before I touch it I want to see it fail. Running a command needs your approval.',
    ),
    toolUse('run_command', { command: 'node --test' }),
  ],
};

const fixBug: Stop = {
  isDone: hasResult('edit_file'),
  says: () => [
    text(
      'The tests agree: ',
      fact(PASSED),
      ' pass, ',
      fact(FAILED),
      ' fails, the falling tide. Without `Math.abs` the range keeps its sign. The card shows the change before it is made; it is yours to allow.',
    ),
    toolUse('edit_file', TOUR_EDIT),
  ],
};

const checkFix: Stop = {
  isDone: (results) => hasRun(results, /(?:#|ℹ) fail 0/),
  says: () => [text('And once more, to be sure.'), toolUse('run_command', { command: 'node --test' })],
};

const STOPS: readonly Stop[] = [lookAround, readCode, runTests, fixBug, checkFix];

function farewell(): Reply {
  return [
    text(
      'All ',
      fact(PASSED),
      ' tests pass, and the tide falls again.\n\n',
      '### What was done\n\n',
      '| step | file |\n| --- | --- |\n| read | `src/tide.js`, `test/tide.test.js` |\n| changed | `src/tide.js`, one line |\n| checked | `node --test` |\n\n',
      '### To work with a real model\n\n',
      '```sh\nANTHROPIC_API_KEY=sk-ant-… npm start\n```\n\n',
      'Or store the key with **Plimsoll: Set API Key** and start with `npm start -- --real`. ',
      'An installed Plimsoll needs only the stored key.\n\n',
      'Until then I am only a script: everything from here on I answer in a sentence.',
    ),
  ];
}

function stoppedAt(request: ScenarioRequest): Reply {
  const result = request.latestResults.at(-1);
  return [
    text(
      `That did not go as planned, so I leave everything as it is. The \`${result?.tool}\` call came back with:\n\n`,
      `> ${quoted(result?.text ?? '')}\n\n`,
      'Say "go on" and I try this step again.',
    ),
  ];
}

function smallTalk(request: ScenarioRequest): Reply {
  return [
    text(
      `You wrote "${quoted(request.lastUserText)}". I am still the simulated model and the tour is over, so this is all I have to say. `,
      'Start again with `ANTHROPIC_API_KEY` set and a real one takes my place.',
    ),
  ];
}

function paced(reply: Reply): Reply {
  return [pace(PACE_MS), ...(Array.isArray(reply) ? (reply as readonly Part[]) : [reply as Part])];
}

/** The scenario that runs when there is no key. */
export function tour(request: ScenarioRequest): Reply {
  const done = STOPS.findIndex(({ isDone }) => !isDone(request.toolResults));
  const next = done < 0 ? STOPS.length : done;
  const hasAdvanced = STOPS[next - 1]?.isDone(request.latestResults) ?? false;
  if (request.round > 0 && !hasAdvanced) return paced(stoppedAt(request));
  const stop = STOPS[next];
  if (stop) return paced(stop.says(request));
  return paced(request.round > 0 ? farewell() : smallTalk(request));
}
