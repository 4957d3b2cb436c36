import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { createFakeMedia } from '../../support/fake-media.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { runVerification } from '../verify/run-verification.ts';
import { packFiles, unpack, withChecksums } from './archive-files.ts';
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

  test('that has each record twice is imported once', async () => {
    const source = await service.createAccount('enterprise');
    await populate(service, source.client);
    const archive = await exportBytes(source.client);
    const doubled = (await unpack(archive)).map((file) => {
      if (!file.header.name.endsWith('.ndjson')) return file;
      const lines = file.content.toString('utf8').replaceAll(/^(.*)\n/gm, '$1\n$1\n');
      return { header: { name: file.header.name }, content: Buffer.from(lines) };
    });
    const target = await service.createAccount('enterprise');
    const body = await packFiles(withChecksums(doubled));
    const first = await importBytes(service, target.client, body);
    expect(first).toMatchObject({ status: 'completed', error: null });
    const single = await service.createAccount('enterprise');
    const expected = countsOf(await importBytes(service, single.client, archive));
    for (const [kind, { created }] of Object.entries(countsOf(first)))
      expect([kind, created]).toEqual([kind, expected[kind]?.created]);
    const verification = await runVerification(service, { account_id: target.id });
    expect(verification).toMatchObject({ status: 'completed', faults: [] });
  }, 120_000);
});
