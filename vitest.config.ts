import { configDefaults, defineConfig } from 'vitest/config';
import { isFfmpegHere } from './test/support/ffmpeg.ts';
import { propertyFiles } from './test/support/property-files.ts';

// Not so the tests of what is said where it is missing.
const needFfmpeg = [
  'test/acceptance/media/*.slow.test.ts',
  'test/long/media-kill.test.ts',
  'test/long/transcribe-kill.test.ts',
];
// This file is read for each project: the line is written once.
if (!isFfmpegHere && process.env.MNEME_TEST_TOLD === undefined) {
  process.env.MNEME_TEST_TOLD = 'yes';
  process.stdout.write('audio and video: skipped, FFmpeg is not installed\n');
}

/** Files by what they need; `npm test` runs the first two, `npm run test:all` the first three. */
const slow = '**/*.slow.test.ts';
const withDatabase = '**/*.database.test.ts';

export default defineConfig({
  test: {
    maxWorkers: 2,
    // Files share the modules of their worker: loading them takes longer than most files do.
    isolate: false,
    // Databases live for seconds here: to optimise their WebAssembly takes a quarter of all time.
    execArgv: ['--liftoff-only'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    exclude: [...configDefaults.exclude, ...(isFfmpegHere ? [] : needFfmpeg)],
    projects: [
      {
        extends: true,
        test: {
          // No server, no database.
          name: 'unit',
          setupFiles: ['test/support/properties.ts'],
          include: ['packages/**/*.test.ts', 'tools/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: [...configDefaults.exclude, slow, withDatabase],
        },
      },
      {
        extends: true,
        test: {
          // Over HTTP, and what opens a database.
          name: 'api',
          setupFiles: ['test/support/leftovers.ts', 'test/support/properties.ts'],
          include: [
            'test/acceptance/**/*.test.ts',
            'examples/**/*.test.ts',
            `packages/${withDatabase}`,
          ],
          exclude: [...configDefaults.exclude, slow],
        },
      },
      {
        extends: true,
        test: {
          // Processes that are killed, media, mail sockets, browsers, Python, many properties.
          name: 'slow',
          setupFiles: ['test/support/leftovers.ts', 'test/support/properties.ts'],
          include: [slow],
        },
      },
      {
        extends: true,
        test: {
          // Kill rounds and soaks, in no other run; properties with many runs of a fresh seed.
          name: 'long',
          env: { MNEME_TEST_RUNS: 'long' },
          globalSetup: ['test/support/fresh-seed.ts'],
          setupFiles: ['test/support/leftovers.ts', 'test/support/properties.ts'],
          include: ['test/long/**/*.test.ts', ...propertyFiles()],
          testTimeout: 1_800_000,
        },
      },
    ],
  },
});
