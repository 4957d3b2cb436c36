import { describe, expect, it } from 'vitest';
import { engines } from '../../support/service.ts';
import { killRounds } from './kill-rounds.ts';

const seed = 20_261_121;

describe.each(engines)('kill -9 while a session is deleted on %s', (engine) => {
  it('leaves all of it in view or none, and the rows are erased after the restart', async () => {
    const reports = await killRounds(engine, { rounds: 2, memories: 100, seed });
    process.stdout.write(`kill on ${engine}, seed ${seed}: ${JSON.stringify(reports)}\n`);
    expect(reports.flatMap(({ violations }) => violations)).toEqual([]);
    expect(reports.at(-1)?.outcome).toBe('gone');
  }, 120_000);
});
