import { describe, expect, it } from 'vitest';
import { killRounds } from '../acceptance/sessions/kill-rounds.ts';
import { engines } from '../support/service.ts';

describe.each(engines)(
  'twelve kills while a session of 10,000 memories is deleted on %s',
  (engine) => {
    it('leave all of it in view or none, and the rows are erased after each restart', async () => {
      const seed = Number(process.env.MNEME_TEST_SEED ?? Date.now() % 1_000_000);
      const reports = await killRounds(engine, { rounds: 12, memories: 10_000, seed });
      process.stdout.write(`kill on ${engine}, seed ${seed}: ${JSON.stringify(reports)}\n`);
      expect(reports.flatMap(({ violations }) => violations)).toEqual([]);
      for (const { answeredMs } of reports) expect(answeredMs ?? 0).toBeLessThan(2_000);
    });
  },
);
