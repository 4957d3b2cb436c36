import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { createFakeMedia } from '../../support/fake-media.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { describeAccount } from './describe-account.ts';
import { populate } from './populate.ts';
import { countsOf, exportBytes, importBytes } from './transfer.ts';

describe.each(engines)('an export on %s', (engine) => {
  let service: Service;

  beforeAll(async () => {
    // Time stands still: no weight decays, and no read is recorded between two descriptions.
    const clock = createFakeClock(() => 0);
    service = await startService(engine, { overrides: { ...createFakeMedia(), clock } });
  });
  afterAll(() => service.stop());

  test('imported into another account twice is equal, and nothing is doubled', async () => {
    const source = await service.createAccount('enterprise');
    await populate(service, source.client);
    await service.running.context.encodingWorker.drain();
    const before = await describeAccount(source.client);
    const archive = await exportBytes(source.client);

    const target = await service.createAccount('enterprise');
    const first = await importBytes(service, target.client, archive);
    expect(first).toMatchObject({ status: 'completed', error: null, skipped: [] });
    await service.running.context.encodingWorker.drain();
    await service.running.context.extractionWorker.drain();
    expect(await describeAccount(target.client)).toEqual(before);

    const second = await importBytes(service, target.client, archive);
    expect(second).toMatchObject({ status: 'completed', error: null, skipped: [] });
    const counts = countsOf(first);
    expect(countsOf(second)).toEqual(
      Object.fromEntries(
        Object.entries(counts).map(([kind, { created = 0, unchanged = 0, skipped = 0 }]) => [
          kind,
          { created: 0, updated: 0, unchanged: created + unchanged, skipped },
        ]),
      ),
    );
    expect(await describeAccount(target.client)).toEqual(before);
  }, 120_000);
});
