import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { findPropertyTestFiles } from './test/support/property-test-files.ts';
import {
  findOneEngineTestFiles,
  findTestFilesWithRequirements,
} from './test/support/repeated-test-files.ts';
import { isAvailable } from './test/support/requirements.ts';
import { SkippedTestsReporter } from './test/support/skipped-tests-reporter.ts';

// `npm test` runs on the embedded engine only, also where a PostgreSQL is named.
const isEmbeddedOnly = process.env.MNEME_TEST_ENGINE === 'embedded';
const skipsPostgres = isEmbeddedOnly && isAvailable('postgresql');
// In CI the unit tests, and the API tests of the embedded engine, run before, by `npm test`.
const isPostgresOnly = process.env.MNEME_TEST_ENGINE === 'PostgreSQL' && isAvailable('postgresql');
// On a Citus cluster, on whose coordinator is the database that the URL names.
const citusUrl = process.env.MNEME_TEST_ENGINE === 'Citus' && process.env.MNEME_TEST_CITUS_URL;
if (citusUrl) {
  process.env.MNEME_TEST_DATABASE_URL = citusUrl;
  process.env.MNEME_TEST_ONLY_ENGINE = 'Citus';
}
const isServerOnly = isPostgresOnly || Boolean(citusUrl);

const needFfmpeg = [
  'test/acceptance/media/!(missing).slow.test.ts',
  'test/acceptance/email/recordings.slow.test.ts',
  'test/long/long-talk.test.ts',
  'test/long/media-kill.test.ts',
  'test/long/transcribe-kill.test.ts',
];

// In CI the order of files is random; a seed given by hand repeats it.
const givenSeed = process.env.MNEME_TEST_SEED;
const isShuffled = Boolean(process.env.CI || givenSeed);
const seed = Number(givenSeed ?? Date.now() % 1_000_000);

/** Files by what they need; `npm test` runs the first two, `npm run test:all` the first three. */
const slow = '**/*.slow.test.ts';
const withDatabase = '**/*.database.test.ts';
const unit = [
  'packages/**/*.test.ts',
  'tools/**/*.test.ts',
  'bench/**/*.test.ts',
  'test/support/*.test.ts',
];

/** One project after the other: a worker that changes projects would load and start all again. */
const order = (groupOrder: number) =>
  isShuffled ? { groupOrder, shuffle: { files: true, tests: false }, seed } : { groupOrder };

const serverSetup = [
  'test/support/kill-leftover-servers.ts',
  'test/support/report-failures.ts',
  'test/support/check-recorded-statements.ts',
  'test/support/fast-check-setup.ts',
];

// Workers and the servers they start share compiled modules. Coverage needs them compiled anew.
if (!process.argv.some((argument) => argument.startsWith('--coverage'))) {
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled');
}

export default defineConfig({
  test: {
    // One waits for a database, a disk or a timer now and then: another uses the core meanwhile.
    maxWorkers: Math.min(availableParallelism() + 1, 8),
    globalSetup: ['test/support/global-setup.ts'],
    // Files share the modules of their worker: loading them takes longer than most files do.
    isolate: false,
    // Node strips types itself; a transformation of each file takes a tenth of all processor time.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Databases live for seconds here. To optimise their WebAssembly as early as V8 does, after 13
    // million, takes a quarter of all time; never to do it takes a fifth of the time of databases.
    execArgv: ['--wasm-tiering-budget=400000000'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Stops what never comes true; how long it takes on a busy machine says nothing.
    expect: { poll: { timeout: 20_000 } },
    exclude: [...configDefaults.exclude, ...(isAvailable('ffmpeg') ? [] : needFfmpeg)],
    sequence: order(0),
    env: isEmbeddedOnly ? { MNEME_TEST_DATABASE_URL: '' } : {},
    reporters: ['default', new SkippedTestsReporter({ skipsPostgres })],
    projects: [
      {
        extends: true,
        test: {
          // No server, no database.
          name: 'unit',
          sequence: order(0),
          setupFiles: ['test/support/fast-check-setup.ts'],
          include: isServerOnly ? findTestFilesWithRequirements(unit) : unit,
          exclude: [...configDefaults.exclude, slow, withDatabase],
        },
      },
      {
        extends: true,
        test: {
          // Over HTTP, and what opens a database.
          name: 'api',
          sequence: order(1),
          env: isPostgresOnly ? { MNEME_TEST_ONLY_ENGINE: 'PostgreSQL' } : {},
          setupFiles: serverSetup,
          include: [
            'test/acceptance/**/*.test.ts',
            'examples/**/*.test.ts',
            `packages/${withDatabase}`,
          ],
          exclude: [
            ...configDefaults.exclude,
            slow,
            ...(isServerOnly ? findOneEngineTestFiles() : []),
          ],
        },
      },
      {
        extends: true,
        test: {
          // Processes that are killed, media, mail sockets, browsers, Python, many properties,
          // and what else takes long: every route with every key or example, every kind of damage.
          name: 'slow',
          sequence: order(2),
          setupFiles: serverSetup,
          include: [slow],
          // Stops what hangs. That of `mneme doctor` starts five processes in turn: 16 s alone,
          // 57 s beside two other files on two cores.
          testTimeout: 180_000,
        },
      },
      {
        extends: true,
        test: {
          // Kill rounds and soaks, in no other run; properties with many runs of a fresh seed.
          name: 'long',
          sequence: order(3),
          env: { MNEME_TEST_RUNS: 'long' },
          globalSetup: ['test/support/fresh-seed.ts'],
          setupFiles: serverSetup,
          include: ['test/long/**/*.test.ts', ...findPropertyTestFiles()],
          testTimeout: 1_800_000,
        },
      },
    ],
  },
});
