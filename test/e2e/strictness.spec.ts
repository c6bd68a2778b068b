import { CONVERSATION_CASES } from '../model-server/conversation-cases.ts';
import { SHAPE_CASES } from '../model-server/shape-cases.ts';
import { clientOf } from '../model-server/sdk-client.ts';
import { test } from './fixtures.ts';

// A product that broke a rule of the API would show in no screenshot: here each rule is broken on purpose, and the run
// must fail for it.
for (const { rule, when, send, server, key } of [...SHAPE_CASES, ...CONVERSATION_CASES]) {
  if (server !== undefined) continue; // needs a server of another kind than the one behind the editor
  test(`a request that breaks ${rule}${when ? ` (${when})` : ''} fails the run`, async ({ modelServer }) => {
    test.fail();
    modelServer.play(() => []);
    await send(clientOf(modelServer, key)).catch(() => undefined);
  });
}
