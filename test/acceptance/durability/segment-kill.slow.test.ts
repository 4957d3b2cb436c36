import { describe, expect, it } from 'vitest';
import { runCount } from '../../support/run-count.ts';
import { engines } from '../../support/service.ts';
import { segmentKillRounds } from './segment-kill-rounds.ts';

const rounds = Number(process.env.MNEME_TEST_ROUNDS ?? runCount(1, 50));
const seed = Number(process.env.MNEME_TEST_SEED ?? 20_261_129);

describe.each(engines)('kill -9 while an index segment is written, on %s', (engine) => {
  it(
    'loses no memory in a search, and finds nothing that was erased',
    async () => {
      const reports = await segmentKillRounds(engine, { rounds, seed });
      process.stdout.write(`segments on ${engine}, seed ${seed}: ${JSON.stringify(reports)}\n`);
      expect(reports.flatMap(({ violations }) => violations)).toEqual([]);
    },
    120_000 * rounds,
  );
});
