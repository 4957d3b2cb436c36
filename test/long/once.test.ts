import { describe, expect, it } from 'vitest';
import { idempotencyKillRounds } from '../acceptance/durability/idempotency-kill-rounds.ts';
import { engines } from '../support/service.ts';

describe.each(engines)('sixty kills among idempotent requests on %s', (engine) => {
  it('leave one effect and a 201 to each repeated request', async () => {
    const seed = Number(process.env.MNEME_TEST_SEED ?? Date.now() % 1_000_000);
    const { effectCounts, violations } = await idempotencyKillRounds(engine, {
      seed,
      roundsMax: 60,
      roundsMin: 60,
    });
    process.stdout.write(`repeated on ${engine}, seed ${seed}: ${JSON.stringify(effectCounts)}\n`);
    expect(violations).toEqual([]);
  });
});
