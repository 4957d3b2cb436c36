import { describe, expect, it } from 'vitest';
import { killRounds } from '../acceptance/durability/kill-rounds.ts';
import { engines } from '../support/service.ts';

const rounds = Number(process.env.MNEME_TEST_ROUNDS ?? 20);

describe.each(engines)(`${rounds} kills on %s`, (engine) => {
  it('take back nothing that was answered', async () => {
    const seed = Number(process.env.MNEME_TEST_SEED ?? Date.now() % 1_000_000);
    const reports = await killRounds(engine, { rounds, seed });
    process.stdout.write(`kill on ${engine}, seed ${seed}: ${JSON.stringify(reports)}\n`);
    expect(reports.flatMap(({ violations }) => violations)).toEqual([]);
  });
});
