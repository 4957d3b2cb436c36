import { describe, expect, it } from 'vitest';
import { engines } from '../../support/service.ts';
import { killRounds } from './kill-rounds.ts';

const seed = 20_260_105;

describe.each(engines)('kill -9 under load on %s', (engine) => {
  it('takes back nothing that was answered, in no read and no search', async () => {
    // The storage of the embedded engine dies with the server, and recovers twice.
    const rounds = engine === 'embedded' ? 2 : 1;
    const reports = await killRounds(engine, { rounds, seed, answersMax: 80 });
    process.stdout.write(`kill on ${engine}, seed ${seed}: ${JSON.stringify(reports)}\n`);
    expect(reports.flatMap(({ violations }) => violations)).toEqual([]);
    expect(Math.min(...reports.map(({ responses }) => responses))).toBeGreaterThanOrEqual(30);
  }, 120_000);
});
