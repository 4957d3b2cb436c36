import { defineConfig } from 'vitest/config';

// unit: beside the code · acceptance: black box over HTTP
// long: kill rounds, soaks; never part of `npm test`
export default defineConfig({
  test: {
    // Two cores: each acceptance file starts a server of its own.
    maxWorkers: 2,
    // Files share the modules of their worker: loading them takes longer than most files do.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['packages/**/*.test.ts', 'tools/**/*.test.ts', 'bench/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'acceptance',
          setupFiles: ['test/support/leftovers.ts'],
          include: ['test/acceptance/**/*.test.ts', 'examples/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          setupFiles: ['test/support/leftovers.ts'],
          include: ['test/long/**/*.test.ts'],
          testTimeout: 1_800_000,
        },
      },
    ],
  },
});
