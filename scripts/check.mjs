// Everything that a change must hold, quickest to say what is wrong first: two rows of checks side by side, then the
// unit tests, which take every core by themselves.
import { spawn } from 'node:child_process';
import { projectRoot, run } from './run.mjs';

const ROWS = [
  ['check:lint', 'check:imports', 'check:dead'],
  ['check:format', 'check:types'],
];

/** One npm script, its words kept until it ends: those of its neighbour would come in between. */
function quietly(script) {
  const child = spawn('npm', ['run', '--silent', script], {
    cwd: projectRoot,
    shell: process.platform === 'win32',
  });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => said.push(bytes));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      process.stdout.write(`${code === 0 ? 'ok' : 'FAILED'}  ${script}\n`);
      process.stdout.write(Buffer.concat(said));
      resolve(code === 0);
    });
  });
}

async function row(scripts) {
  let isGood = true;
  for (const script of scripts) isGood = (await quietly(script)) && isGood;
  return isGood;
}

const isGood = (await Promise.all(ROWS.map(row))).every(Boolean);
process.exitCode = isGood ? await run('npm', ['run', '--silent', 'test:unit']) : 1;
