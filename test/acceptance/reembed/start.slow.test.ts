import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';

describe.each(engines)('a change of model on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    // Standing timers: no worker takes what is queued.
    service = await startService(engine, {
      overrides: { clock: createFakeClock() },
      isExclusive: true,
    });
  });
  afterAll(() => service.stop());

  it('is queued once, however many ask for it at the same moment', async () => {
    const client = service.client();
    const asking = Array.from({ length: 8 }, () => client.admin.startReembedding());
    const ids = (await Promise.all(asking)).map(({ job_id }) => job_id);
    expect(new Set(ids).size).toBe(1);
  });
});
