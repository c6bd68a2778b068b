import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format } from 'node:util';
import Mocha from 'mocha';

const TEST_TIMEOUT_MS = 30_000;

/**
 * Called by the editor inside its extension host: runs every test beside this file. Where PLIMSOLL_RESULTS names a
 * file, `{passed, failed, report}` is written there, else the report goes to the console.
 * @throws Error when a test fails, which makes the editor exit with a failure
 */
export async function run(): Promise<void> {
  const resultsFile = process.env.PLIMSOLL_RESULTS;
  const report: string[] = [];
  Mocha.reporters.Base.consoleLog = (...line: unknown[]) => {
    // Formatted here: the consoles that repeat an extension host's messages lose their arguments.
    if (resultsFile === undefined) console.log(format(...line));
    else report.push(format(...line));
  };
  const { passes: passed = 0, failures: failed = 0 } = await runMocha();
  if (resultsFile !== undefined)
    writeFileSync(resultsFile, JSON.stringify({ passed, failed, report: report.join('\n') }));
  if (failed > 0) throw new Error(`${failed} of ${passed + failed} tests failed`);
}

async function runMocha(): Promise<Partial<Mocha.Stats>> {
  const mocha = new Mocha({ ui: 'bdd', timeout: TEST_TIMEOUT_MS });
  for (const file of readdirSync(__dirname, { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('.test.js')) mocha.addFile(path.join(__dirname, file));
  const runner = await new Promise<Mocha.Runner>((resolve) => {
    const started = mocha.run(() => resolve(started));
  });
  return runner.stats ?? {};
}
