/**
 * Runs of randomized tests: few with a fixed seed by default, many in the project `long` with a
 * fresh seed, which it prints; set `MNEME_TEST_SEED` to repeat a run.
 */
const isLong = process.env.MNEME_TEST_RUNS === 'long';

export const testSeed = Number(process.env.MNEME_TEST_SEED ?? 20_261_121);

/** Selects `numRuns`, the number of rounds or the engines. */
export const runCount = <T>(few: T, many: T): T => (isLong ? many : few);
