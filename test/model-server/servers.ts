import { afterEach } from 'vitest';
import { startModelServer } from '../support/model-server/model-server.ts';
import type { ModelServer } from '../support/model-server/model-server.ts';
import type { ModelServerOptions } from '../support/model-server/options.ts';
import { text } from '../support/model-server/scenario.ts';

const running: ModelServer[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

/** A server that is closed when the test ends; says "ok" unless told otherwise. */
export async function serverWith(options: Partial<ModelServerOptions> = {}): Promise<ModelServer> {
  const server = await startModelServer({ scenario: () => text('ok'), ...options });
  running.push(server);
  return server;
}
