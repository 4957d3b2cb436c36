import fs from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WalPositionFile } from '../../../packages/server/src/database/durability/position-file.ts';
import { eventually } from '../../support/eventually.ts';
import { createDataLocation, startServerProcess } from '../../support/server-process.ts';
import { engines, type Service, serverEngine, startService } from '../../support/service.ts';

describe.each(engines)('the diagnosis on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine, { isExclusive: true });
  });
  afterAll(() => service?.stop());

  it('is the health, with nothing found of data that is whole', async () => {
    const whole = {
      status: 'ok',
      checks: expect.objectContaining({
        integrity: { ok: true },
        settings: { ok: true },
        secrets: { ok: true },
        disk: { ok: true, detail: expect.stringMatching(/ free, \d+ MB used by the data folder$/) },
        versions: { ok: true, detail: expect.stringMatching(/^Node 2\d\..*, PostgreSQL 1\d\./) },
        blobs: { ok: true },
        jobs: { ok: true },
      }),
      data_dir: service.config.dataDir,
      findings: [],
    };
    expect(await service.operator().admin.getDiagnosis()).toEqual(whole);
    expect(await service.operator().admin.acknowledgeFindings({ body: {} })).toEqual(whole);
  });

  it('is the operator’s, and knows only findings that there are', async () => {
    const { key } = await service.createAccount();
    const path = '/admin/diagnosis';
    const own = service.client(key);
    for (const request of [
      { method: 'GET' as const, path },
      { method: 'POST' as const, path: `${path}/acknowledge`, body: {} },
    ]) {
      expect(await own.request(request)).toMatchObject({ status: 403 });
    }
    const acknowledge = (body: object) =>
      service.client().request({ method: 'POST', path: `${path}/acknowledge`, body });
    const ids = ['019b8d1c-3a40-7c11-9d3e-5f0a4b6c7d8e'];
    expect(await acknowledge({ ids })).toMatchObject({ status: 404 });
    expect(await acknowledge({ ids: 'all' })).toMatchObject({ status: 422 });
    expect(await acknowledge({ others: true })).toMatchObject({ status: 422 });
  });

  it('has the position of what was acknowledged in the data folder, soon after', async () => {
    const file = positionFile(service.config.dataDir, engine);
    const read = () => fs.readFile(file, 'latin1');
    const before = await read();
    await service.client().memories.create({ body: { content: 'Ana drinks tea.' } });
    expect(await eventually(read, (text) => text !== before)).toMatch(/"system_id":"\d+"/);
  });
});

/** Each engine has one of its own, since a folder may be lent. */
const positionFile = (dataDir: string, engine: (typeof engines)[number]): string =>
  path.join(dataDir, `acknowledged-position${engine === serverEngine ? '.server' : ''}`);

/** Gives the last acknowledged position other words than the database has of itself. */
async function rewrite(file: string, change: (text: string) => string): Promise<void> {
  using positions = new WalPositionFile(file);
  const { lsn, checkpointLsn, ...former } = positions.initial ?? { lsn: 0n, checkpointLsn: 0n };
  const named = JSON.parse(change(JSON.stringify(former)));
  await positions.write({ ...named, lsn, checkpointLsn });
}

describe.each(engines)('a database on %s that is not the one before', (engine) => {
  it('tells a failover and a move to another server from damage', async () => {
    const place = await createDataLocation(engine);
    await (await startServerProcess(place)).kill('SIGTERM');
    for (const [kind, before, after, message] of [
      ['failover', /"timeline":\d+/, '"timeline":77', /timeline of the database from 77 to 1/],
      ['other_cluster', /"systemId":"\d+"/, '"systemId":"1"', /its system identifier is/],
    ] as const) {
      await rewrite(positionFile(place.dataDir, engine), (text) => text.replace(before, after));
      await using next = await startServerProcess(place);
      const { status, findings } = await next.client().admin.getDiagnosis();
      expect(status).toBe('ok');
      const found = findings.filter((finding) => finding.kind === kind);
      expect(found).toMatchObject([{ message: expect.stringMatching(message) }]);
      await next.kill('SIGTERM');
    }
    await place.remove();
  });
});
