import { describe, expect, it } from 'vitest';
import { killWhileUsing } from '../acceptance/reembed/use-kill-rounds.ts';
import { engines } from '../support/service.ts';

describe.each(engines)('twenty kills while an operator changes the model on %s', (engine) => {
  it('leave each memory with a vector of one model, and the next change completes', async () => {
    const seed = Number(process.env.MNEME_TEST_SEED ?? Date.now() % 1_000_000);
    const kills = Number(process.env.MNEME_TEST_ROUNDS ?? 20);
    const report = await killWhileUsing(engine, { memories: 400, kills, seed });
    process.stdout.write(`use on ${engine}, seed ${seed}: ${JSON.stringify(report)}\n`);
    expect(report).toMatchObject({ violations: [], kills });
    expect(Object.values(report.vectors)).toEqual([400]);
  });
});
