import { configDefaults, defineConfig } from 'vitest/config';
import { isFfmpegHere } from './test/support/ffmpeg.ts';

// All but the tests of what is said where it is missing.
const needFfmpeg = [
  'test/acceptance/media/!(missing).test.ts',
  'test/long/media-kill.test.ts',
  'test/long/transcribe-kill.test.ts',
];
// This file is read for each project: the line is written once.
if (!isFfmpegHere && process.env.MNEME_TEST_TOLD === undefined) {
  process.env.MNEME_TEST_TOLD = 'yes';
  process.stdout.write('audio and video: skipped, FFmpeg is not installed\n');
}

// unit: beside the code · acceptance: black box over HTTP
// long: kill rounds, soaks; never part of `npm test`
export default defineConfig({
  test: {
    // Two cores: each acceptance file starts a server of its own.
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
