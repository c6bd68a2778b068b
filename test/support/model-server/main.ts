import { startModelServer } from './model-server.ts';
import { tour } from './tour.ts';

/**
 * Runs the tour until it is told to stop: by a signal, or by the end of its standard input, which a parent holds open.
 * Prints one line of JSON, `{"url": "http://127.0.0.1:…"}`, once it listens.
 */
async function main(): Promise<void> {
  const server = await startModelServer({ scenario: tour });
  const stop = () => void server.close().then(() => process.exit(0));
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.stdin.on('end', stop).on('close', stop).resume();
  process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
}

void main();
