import { describe, expect, it } from 'vitest';
import { killRounds } from '../acceptance/webhooks/delivery/kill-rounds.ts';
import { engines } from '../support/service.ts';

describe.each(engines)('twenty kills while webhooks are told on %s', (engine) => {
  it('lose no event, and keep the order of first attempts and the ids of deliveries', async () => {
    const seed = Number(process.env.MNEME_TEST_SEED ?? Date.now() % 1_000_000);
    const report = await killRounds(engine, { rounds: 20, seed });
    process.stdout.write(`webhooks on ${engine}, seed ${seed}: ${JSON.stringify(report)}\n`);
    expect(report.violations).toEqual([]);
    expect(report.duplicates).toBeGreaterThan(0);
  });
});
