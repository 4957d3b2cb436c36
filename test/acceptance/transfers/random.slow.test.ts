import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCount, testSeed } from '../../support/run-count.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { createSeededRandom } from '../durability/seeded-random.ts';
import { RandomWorkload } from '../verify/random-workload.ts';
import { runVerification } from '../verify/run-verification.ts';
import { describeAccount } from './describe-account.ts';
import { countsOf, exportBytes, importBytes } from './transfer.ts';

const lives = runCount(2, 40);
const firstSeed = runCount(20_261_130, testSeed);
const steps = 120;

describe.each(engines)('whatever was done to an account on %s', (engine) => {
  let service: Service;

  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  it('its export gives an equal account, which is consistent, and again the same', async () => {
    let records = 0;
    for (let life = 0; life < lives; life += 1) {
      const message = `life ${life} of seed ${firstSeed}`;
      const source = (await service.createAccount('enterprise')).client;
      await new RandomWorkload(source, createSeededRandom(firstSeed + life)).run(steps);
      await service.running.context.extractionWorker.drain();
      await service.running.context.worker.drain();
      const archive = await exportBytes(source);
      const target = await service.createAccount('enterprise');

      const report = await importBytes(service, target.client, archive);
      expect(report, message).toMatchObject({ status: 'completed', skipped: [] });
      records += report.records.reduce((sum, { created }) => sum + created, 0);
      await service.running.context.worker.drain();
      const options = { hasSearches: false };
      const [before, after] = [
        await describeAccount(source, options),
        await describeAccount(target.client, options),
      ];
      expect(after, message).toEqual(before);
      const body = { account_id: target.id };
      const verification = await runVerification(service, body);
      expect(verification, message).toMatchObject({ status: 'completed', faults: [] });

      const again = await importBytes(service, target.client, archive);
      for (const { created, updated, skipped } of Object.values(countsOf(again)))
        expect({ created, updated, skipped }, message).toEqual({
          created: 0,
          updated: 0,
          skipped: 0,
        });
      expect(await describeAccount(target.client, options), message).toEqual(before);
    }
    expect(records).toBeGreaterThan(lives * 50);
  }, 600_000);
});
