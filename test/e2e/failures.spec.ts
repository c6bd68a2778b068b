import { text } from '../support/model-server/scenario.ts';
import { expect, test } from './fixtures.ts';
import { button, conversation, newSession, send, turnEnds } from './steps.ts';

test.beforeEach(async ({ editor, panel, modelServer }) => {
  modelServer.play(() => [text('Here I am.')]);
  await panel.getByRole('textbox').first().waitFor();
  await newSession(editor);
});

test('a server that is down: the panel says what and where, and Retry makes it good', async ({
  panel,
  modelServer,
}) => {
  await modelServer.suspend();
  await send(panel, 'Hello?');
  await expect(panel.locator('body')).toContainText(/Trying again/);
  await button(panel, 'Stop').click();
  await turnEnds(panel);
  await modelServer.resume();
  await send(panel, 'Hello again?');
  await expect(conversation(panel)).toContainText('Here I am.');
});

test('401: says that the key was not accepted, offers to set one, and Retry works', async ({
  panel,
  modelServer,
}) => {
  modelServer.faults.next({
    kind: 'status',
    status: 401,
    type: 'authentication_error',
    message: 'invalid x-api-key',
  });
  await send(panel, 'Hello?');
  const alert = panel.getByRole('alert');
  await expect(alert).toContainText('The API key was not accepted');
  await expect(alert).toContainText('invalid x-api-key');
  await expect(button(panel, 'Set API key')).toBeVisible();
  await button(panel, 'Retry').click();
  await expect(conversation(panel)).toContainText('Here I am.');
  await expect(alert).toBeHidden();
});

test('429: waits as long as the server asks, says so, and goes on by itself', async ({
  panel,
  modelServer,
}) => {
  modelServer.faults.next({ kind: 'status', status: 429, retryAfterSeconds: 2 });
  await send(panel, 'Hello?');
  await expect(panel.locator('body')).toContainText(/Trying again in/);
  await expect(conversation(panel)).toContainText('Here I am.', { timeout: 15_000 });
  const [first, second] = modelServer.requests.filter(({ path }) => path === '/v1/messages');
  expect(second!.at - first!.at).toBeGreaterThanOrEqual(2_000);
});

test('a stream that is cut: what came is void, and the answer is asked for again', async ({
  panel,
  modelServer,
}) => {
  modelServer.faults.next({ kind: 'cut', afterEvents: 4 });
  await send(panel, 'Hello?');
  await expect(conversation(panel)).toContainText('Here I am.', { timeout: 15_000 });
  await turnEnds(panel);
  expect((await conversation(panel).innerText()).match(/Here I am\./g)).toHaveLength(1);
});

test('529 in mid-stream is told apart and tried again', async ({ panel, modelServer }) => {
  modelServer.faults.next({ kind: 'error_event', afterEvents: 3, type: 'overloaded_error' });
  await send(panel, 'Hello?');
  await expect(conversation(panel)).toContainText('Here I am.', { timeout: 15_000 });
});
