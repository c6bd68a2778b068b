import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    exclude: ['test/host/**', 'test/e2e/**'],
    testTimeout: 20_000,
    // By default one core is left alone: of two that is half of them.
    maxWorkers: '100%',
    // The count that `npm test` adds up.
    reporters: ['default', ['json', { outputFile: 'test-results/unit.json' }]],
  },
});
