import { defineConfig } from '@playwright/test';

// One editor at a time: two on two cores lose clicks and focus, and take no less time.
export default defineConfig({
  testDir: 'test/e2e',
  outputDir: 'test-results/e2e',
  workers: 1,
  fullyParallel: false,
  forbidOnly: process.env.CI !== undefined,
  // A machine that does other things as well may lose a click; what fails twice fails.
  retries: process.env.CI === undefined ? 0 : 1,
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
});
