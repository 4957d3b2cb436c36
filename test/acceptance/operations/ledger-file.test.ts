import fs from 'node:fs/promises';
import path from 'node:path';
import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTestFolder } from '../../../packages/server/src/database/testing.ts';
import type { App } from '../../../packages/server/src/domains/ctx.ts';
import {
  ledgerCopier,
  replayLedgerFile,
} from '../../../packages/server/src/domains/operations/index.ts';
import { insertErasures } from '../../../packages/server/src/instance/erasure-ledger.ts';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { engines, oneEngine, type Service, startService } from '../../support/service.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
const nobody = '019b8d1c-3a40-7c11-9d3e-5f0a4b6c7d8e';

interface Line {
  readonly kind: string;
  readonly id: string;
  readonly account_id: string;
  readonly erased_at: string;
}

async function linesOf(dataDir: string): Promise<{ header: object; rows: Line[] }> {
  const text = await fs.readFile(path.join(dataDir, 'erasures.ndjson'), 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  const [header = {}, ...rows] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { header, rows };
}

/** Stores a memory and erases it; its id. */
async function erase(client: Client, content = 'zanzibar'): Promise<string> {
  const { id } = await client.memories.create({ body: { content } });
  await client.memories.remove({ params: { id } });
  return id;
}

describe.each(oneEngine)('the copy of the ledger in the data folder on %s', (engine) => {
  let service: Service;
  let clock: FakeClock;
  let client: Client;
  let accountId: string;
  let app: App;
  let file: string;
  beforeAll(async () => {
    clock = createFakeClock();
    service = await startService(engine, { isExclusive: true, overrides: { clock } });
    ({ app } = service.running.context);
    file = path.join(service.config.dataDir, 'erasures.ndjson');
    ({ client, id: accountId } = await service.createAccount());
  });
  afterAll(() => service.stop());
  const look = () => ledgerCopier.of(app).sync();
  const rows = async () => (await linesOf(service.config.dataDir)).rows;
  const idsOf = async () => (await rows()).map(({ id }) => id);

  it('has an erasure within a minute, with ids and times alone, for its owner’s eyes', async () => {
    const id = await erase(client);
    clock.advance(minuteMs);
    await eventually(
      () => fs.readdir(service.config.dataDir),
      (names) => names.includes('erasures.ndjson'),
    );
    await look();
    const { data } = await service.operator().admin.listErasures();
    const database = JSON.parse(
      await fs.readFile(path.join(service.config.dataDir, 'database.json'), 'utf8'),
    );
    expect(await linesOf(service.config.dataDir)).toEqual({
      header: { format: 'mneme-erasures', version: 1, database_id: database.database_id },
      rows: data,
    });
    expect(data).toMatchObject([{ kind: 'memory', id, account_id: accountId }]);
    expect((await fs.stat(file)).mode & 0o777).toBe(0o600);
  });

  it('has each once, also one that was committed after a later one', async () => {
    const first = await erase(client);
    await look();
    const late = { kind: 'memory', id: nobody, accountId } as const;
    const erasedAt = new Date(clock.now().getTime() - 30 * minuteMs);
    await insertErasures(app.engine.db, [{ ...late, erasedAt }]);
    await look();
    clock.advance(10 * minuteMs);
    const second = await erase(client);
    for (const _ of [1, 2, 3]) await look();
    expect((await idsOf()).slice(1)).toEqual([first, nobody, second]);
    clock.advance(3 * 60 * minuteMs);
    const third = await erase(client);
    await look();
    expect((await idsOf()).slice(1)).toEqual([first, nobody, second, third]);
  });

  it('is made whole again where it was lost, and the health says so meanwhile', async () => {
    const before = await idsOf();
    await fs.rm(file);
    await fs.mkdir(file);
    const id = await erase(client);
    await look();
    expect(await service.operator().operations.health()).toMatchObject({
      status: 'degraded',
      checks: { erasures: { ok: false, detail: expect.stringContaining('data folder') } },
    });
    await fs.rmdir(file);
    await look();
    expect((await service.operator().operations.health()).checks).not.toHaveProperty('erasures');
    expect((await idsOf()).toSorted()).toEqual([...before, id].toSorted());
  });

  it('keeps what an older database lacks, but no line that a crash cut off', async () => {
    const before = await idsOf();
    const lost = '019b8d1c-3a41-7a52-8c1d-2e3f4a5b6c7d';
    const row = { kind: 'memory', id: lost, account_id: accountId };
    const [recent, old] = [1, 800].map((days) =>
      JSON.stringify({ ...row, erased_at: new Date(clock.now().getTime() - days * dayMs) }),
    );
    await fs.appendFile(file, `${recent}\n${old?.replace(lost, nobody.replace('019b', '019c'))}\n`);
    await fs.appendFile(file, recent?.slice(0, 40) ?? '');
    // As at a start, and once a day.
    clock.advance(dayMs);
    await look();
    expect((await idsOf()).toSorted()).toEqual([...before, lost].toSorted());
    expect(service.logLines.some((line) => line.includes('older than the file'))).toBe(true);
  });

  it('is replayed for its own database alone', async () => {
    const { id } = await client.memories.create({ body: { content: 'erased by another' } });
    const erased_at = clock.now().toISOString();
    const line = JSON.stringify({ kind: 'memory', id, account_id: accountId, erased_at });
    const replay = async (database_id: string) => {
      const header = JSON.stringify({ format: 'mneme-erasures', version: 1, database_id });
      const other = path.join(service.config.dataDir, 'other.ndjson');
      await fs.writeFile(other, `${header}\n${line}\n`);
      return replayLedgerFile(app, other);
    };
    expect(await replay(nobody)).toBeNull();
    await client.memories.get({ params: { id } });
    const { header } = await linesOf(service.config.dataDir);
    const { database_id: own } = header as { database_id: string };
    expect(await replay(own)).toEqual({ erased: 1, remainingSpaces: [] });
    await expect(client.memories.get({ params: { id } })).rejects.toMatchObject({ status: 404 });
    expect(await replayLedgerFile(app, path.join(service.config.dataDir, 'none'))).toBeNull();
  });
});

describe.each(engines)('copies of the ledger on %s', (engine) => {
  it('of a stopped service have the last erasure', async () => {
    const service = await startService(engine, { isExclusive: true });
    const folder = service.config.dataDir;
    const ids = [await erase(service.client())];
    const kept = await makeTestFolder();
    await service.running.stop();
    await fs.copyFile(path.join(folder, 'erasures.ndjson'), path.join(kept, 'erasures.ndjson'));
    await service.stop();
    expect((await linesOf(kept)).rows.map(({ id }) => id)).toEqual(ids);
    await fs.rm(kept, { recursive: true });
  });

  it('have the erasures of all processes, each in its own data folder', async () => {
    const service = await startService(engine, { isExclusive: true });
    const { app } = service.running.context;
    const dataDir = await makeTestFolder();
    await using disposables = new AsyncDisposableStack();
    const other: App = { ...app, config: { ...app.config, dataDir }, disposables };
    const copies = [app, other].map((one) => ledgerCopier.of(one));
    const client = service.client();
    const ids: string[] = [];
    for (const round of [1, 2, 3]) {
      ids.push(await erase(client, `round ${round}`));
      for (const copy of copies) await copy.sync();
    }
    for (const folder of [service.config.dataDir, dataDir]) {
      expect((await linesOf(folder)).rows.map(({ id }) => id)).toEqual(ids);
    }
    await service.stop();
    await fs.rm(dataDir, { recursive: true });
  });
});
