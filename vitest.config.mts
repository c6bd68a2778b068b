import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    exclude: ['test/host/**', 'test/e2e/**'],
    // On a machine that does other things as well; what is quadratic takes minutes.
    testTimeout: 60_000,
    // Many of them wait for a disk or a server; by default one core is even left alone.
    maxWorkers: '150%',
    // Modules are loaded once a process, and not once a file: a fifth of the whole time.
    pool: 'forks',
    isolate: false,
    // The count that `npm test` adds up.
    reporters: ['default', ['json', { outputFile: 'test-results/unit.json' }]],
  },
});
