import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCount, testSeed } from '../../support/run-count.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { createSeededRandom } from '../durability/seeded-random.ts';
import { RandomWorkload } from './random-workload.ts';
import { runVerification } from './run-verification.ts';

const lives = runCount(3, 40);
/** By default one whose lives say many facts; a fresh seed promises less. */
const firstSeed = runCount(20_260_221, testSeed);
const steps = 150;

describe.each(engines)('everything derived on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine, { extractsInBackground: true });
  });
  afterAll(() => service.stop());

  it('is what a rebuild would give, whatever was done before', async () => {
    const statuses = new Set<number>();
    let documents = 0;
    let facts = 0;
    for (let life = 0; life < lives; life += 1) {
      const { id, client } = await service.createAccount();
      const one = new RandomWorkload(client, createSeededRandom(firstSeed + life));
      await one.run(steps);
      await service.running.context.extractionWorker.drain();
      for (const status of one.statuses.keys()) statuses.add(status);
      const report = await runVerification(service, { account_id: id });
      expect(report, `life ${life} of seed ${testSeed}`).toMatchObject({
        status: 'completed',
        faults: [],
        outdated: 0,
      });
      documents += report.checked.documents ?? 0;
      facts += report.checked.facts ?? 0;
    }
    // Refusals were met, too: a life without them would prove less.
    expect(documents).toBeGreaterThan(lives * 10);
    expect(facts).toBeGreaterThan(runCount(lives, 0));
    expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 204, 404, 409]));
  });

  it('fits at every moment while others write', async () => {
    let isOver = false;
    const { id, client } = await service.createAccount();
    const busy = [1, 2, 3, 4].map(async (n) => {
      const one = new RandomWorkload(client, createSeededRandom(testSeed + 100 + n));
      while (!isOver) await one.step();
    });
    try {
      for (let round = 0; round < runCount(2, 30); round += 1) {
        const report = await runVerification(service, { account_id: id });
        expect(report).toMatchObject({ status: 'completed', faults: [] });
      }
    } finally {
      isOver = true;
      await Promise.all(busy);
    }
  });

  it('is no fault of an account that is deleted meanwhile', async () => {
    const operator = service.operator();
    for (let round = 0; round < runCount(1, 20); round += 1) {
      const doomed = await Promise.all([1, 2, 3].map(() => service.createAccount()));
      for (const { client } of doomed) {
        const memories = Array.from({ length: 100 }, (_, n) => ({ content: `Note ${n}` }));
        await client.memories.bulkCreate({ body: { memories } });
      }
      const [report] = await Promise.all([
        runVerification(service),
        ...doomed.map(({ id }) =>
          operator.admin.deleteAccount({ params: { id }, query: { confirm: true } }),
        ),
      ]);
      expect(report).toMatchObject({ status: 'completed', faults: [] });
    }
    const all = await runVerification(service);
    expect(all).toMatchObject({ status: 'completed', faults: [], account_id: null });
  });
});
