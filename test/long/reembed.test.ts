import { describe, expect, it } from 'vitest';
import { killWhileReembedding } from '../acceptance/reembed/kill-rounds.ts';
import { engines } from '../support/service.ts';

describe.each(engines)('ten kills while the embedding model changes on %s', (engine) => {
  it('cost no more than the step at hand, and no search', async () => {
    const seed = Number(process.env.MNEME_TEST_SEED ?? Date.now() % 1_000_000);
    const report = await killWhileReembedding(engine, { memories: 4_000, kills: 10, seed });
    process.stdout.write(`reembed on ${engine}, seed ${seed}: ${JSON.stringify(report)}\n`);
    expect(report).toMatchObject({ violations: [], faults: 0 });
    expect(report.embeddedTwice).toBeLessThanOrEqual(report.embeddedTwiceMax);
  });
});
