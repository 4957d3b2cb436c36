import { describe, expect, it } from 'vitest';
import { knowledgeKillRounds } from '../acceptance/durability/knowledge-kill-rounds.ts';
import { engines } from '../support/service.ts';

const rounds = Number(process.env.MNEME_TEST_ROUNDS ?? 20);

describe.each(engines)(`${rounds} kills among readings and merges on %s`, (engine) => {
  it('leave each memory read once, each merge whole, and facts as the log has them', async () => {
    const seed = Number(process.env.MNEME_TEST_SEED ?? Date.now() % 1_000_000);
    const reports = await knowledgeKillRounds(engine, { rounds, seed });
    process.stdout.write(`knowledge on ${engine}, seed ${seed}: ${JSON.stringify(reports)}\n`);
    expect(reports.flatMap(({ violations }) => violations)).toEqual([]);
  });
});
