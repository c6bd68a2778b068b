import { parseArgs } from 'node:util';
import { hiddenTokenizer } from './hidden-tokenizer.ts';
import { startModelServer } from './model-server.ts';
import type { ModelServerOptions } from './options.ts';
import { classicModel } from './profiles.ts';
import { tour } from './tour.ts';

/** What the command line or the environment asks for: the window, the tokenizer, the largest body, an older model. */
function optionsFrom(args: readonly string[], env: NodeJS.ProcessEnv): ModelServerOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      window: { type: 'string' },
      tokenizer: { type: 'string' },
      'max-body-bytes': { type: 'string' },
      classic: { type: 'boolean' },
    },
  });
  const window = values.window ?? env.MODEL_SERVER_WINDOW;
  const maxBodyBytes = values['max-body-bytes'] ?? env.MODEL_SERVER_MAX_BODY_BYTES;
  const tokenizer = values.tokenizer ?? env.MODEL_SERVER_TOKENIZER;
  return {
    scenario: tour,
    ...(window && { window: Number(window) }),
    ...(maxBodyBytes && { maxBodyBytes: Number(maxBodyBytes) }),
    ...(tokenizer === 'hidden' && { tokenize: hiddenTokenizer() }),
    ...((values.classic ?? env.MODEL_SERVER_CLASSIC) && { models: [classicModel()] }),
  };
}

/**
 * Runs the tour until it is told to stop: by a signal, or by the end of its standard input, which a parent holds open.
 * Prints one line of JSON, `{"url": "http://127.0.0.1:…"}`, once it listens.
 */
async function main(): Promise<void> {
  const server = await startModelServer(optionsFrom(process.argv.slice(2), process.env));
  const stop = () => void server.close().then(() => process.exit(0));
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.stdin.on('end', stop).on('close', stop).resume();
  process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
}

void main();
