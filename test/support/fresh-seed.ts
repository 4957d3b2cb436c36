/** Runs once before the project `long`, whose workers inherit the seed. */
export function setup(): void {
  process.env.MNEME_TEST_SEED ??= String(Date.now() % 2 ** 31);
  const seed = process.env.MNEME_TEST_SEED;
  process.stdout.write(`seed ${seed}: repeat this run with MNEME_TEST_SEED=${seed}\n`);
}
