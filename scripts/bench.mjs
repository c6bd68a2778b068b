// Measures, and prints a table: each figure beside its reference, both from this run, and their ratio.
//   npm run bench [-- name …]     only the benchmarks whose file name holds one of the names
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { projectRoot, runNode } from './run.mjs';
import './typescript.mjs';

const names = process.argv.slice(2);
const folder = path.join(projectRoot, 'test/bench');
const files = readdirSync(folder)
  .filter((file) => file.endsWith('.bench.ts'))
  .filter((file) => names.length === 0 || names.some((name) => file.includes(name)));

const number = (value) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));

const built = await runNode('esbuild.mjs', ['--production']);
if (built !== 0) process.exit(built);

// What is measured may hold nothing open itself: the tokenizer's worker does not keep a process alive.
setInterval(() => undefined, 1_000);

const rows = [];
for (const file of files) {
  const { bench } = await import(path.join(folder, file));
  for (const { what, value, unit, reference, bar } of await bench()) {
    if (bar?.holds === false) process.exitCode = 1;
    rows.push({
      figure: what,
      value: `${number(value)} ${unit}`,
      reference: `${number(reference.value)} ${unit} (${reference.what})`,
      ratio: number(value / reference.value),
      bar: bar === undefined ? '' : `${bar.text}: ${bar.holds ? 'holds' : 'BROKEN'}`,
    });
  }
}
console.table(rows);
process.exit();
