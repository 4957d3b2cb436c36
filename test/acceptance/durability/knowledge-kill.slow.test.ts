import { describe, expect, it } from 'vitest';
import { engines } from '../../support/service.ts';
import { knowledgeKillRounds } from './knowledge-kill-rounds.ts';

const seed = 20_260_131;

describe.each(engines)('kill -9 while memories are read and entities merged on %s', (engine) => {
  it('leaves each memory read once, each merge whole, and facts as the log has them', async () => {
    const reports = await knowledgeKillRounds(engine, { rounds: 1, seed, answersMax: 25 });
    process.stdout.write(`knowledge on ${engine}, seed ${seed}: ${JSON.stringify(reports)}\n`);
    expect(reports.flatMap(({ violations }) => violations)).toEqual([]);
    const sum = (of: 'unextracted' | 'merges') => reports.reduce((all, one) => all + one[of], 0);
    // The kills fell among memories that were still to be read, and among merges.
    expect(sum('unextracted')).toBeGreaterThan(0);
    expect(sum('merges')).toBeGreaterThan(0);
  }, 240_000);
});
