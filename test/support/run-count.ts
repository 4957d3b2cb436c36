/**
 * How much chance a test takes: few runs of one seed by default, many in the project `long`, which
 * prints a fresh seed; `MNEME_TEST_SEED` repeats it.
 */
const isLong = process.env.MNEME_TEST_RUNS === 'long';

export const seed = Number(process.env.MNEME_TEST_SEED ?? 20_261_121);

/** For `numRuns`, for the rounds of a loop, and for the engines to run on. */
export const runCount = <T>(few: T, many: T): T => (isLong ? many : few);
