import { describe, expect, it } from 'vitest';
import { engines } from '../../support/service.ts';
import { killRounds } from './kill-rounds.ts';

const seed = 20_260_105;

describe.each(engines)('kill -9 under load on %s', (engine) => {
  it('takes back nothing that was answered, in no read and no search', async () => {
    const reports = await killRounds(engine, { rounds: 2, seed, answersMax: 80 });
    process.stdout.write(`kill on ${engine}, seed ${seed}: ${JSON.stringify(reports)}\n`);
    expect(reports.flatMap(({ violations }) => violations)).toEqual([]);
    expect(Math.min(...reports.map(({ responses }) => responses))).toBeGreaterThanOrEqual(30);
  }, 120_000);
});
