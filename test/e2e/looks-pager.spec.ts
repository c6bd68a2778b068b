import { test } from './fixtures.ts';
import { files, outputLink, pager, runs, runToTheEnd, TIDES_COMMAND } from './long-outputs.ts';
import { lookEverywhere } from './looks-everywhere.ts';
import { newSession } from './steps.ts';

test.use({ rigOptions: { files } });

test('an output in the pager, in colours, searched', async ({ editor, panel, modelServer }) => {
  test.slow(); // twelve pictures
  modelServer.play(runs);
  await editor.page.setViewportSize({ width: 1280, height: 800 });
  await panel.locator('body').waitFor();
  await newSession(editor);
  await runToTheEnd(panel, TIDES_COMMAND);
  await lookEverywhere(editor, 'kept-output');
  await lookEverywhere(editor, 'pager', async (place) => {
    if ((await pager(place).count()) === 0) await outputLink(place, TIDES_COMMAND).first().click();
    await place.getByRole('searchbox', { name: 'Search output' }).fill('tide');
    await pager(place).locator('.current-match').waitFor();
  });
});
