import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    exclude: ['test/host/**', 'test/e2e/**'],
    testTimeout: 20_000,
    // The count that `npm test` adds up.
    reporters: ['default', ['json', { outputFile: 'test-results/unit.json' }]],
  },
});
