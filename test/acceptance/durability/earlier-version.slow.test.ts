import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Memory } from '@mneme/contract';
import { type Client, createClient, paginate } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate, openEngine } from '../../../packages/server/src/database/index.ts';
import { silentLog } from '../../../packages/server/src/database/testing.ts';
import { systemClock } from '../../../packages/server/src/kernel/clock.ts';
import { readConfig } from '../../../packages/server/src/kernel/config.ts';
import { createLog } from '../../../packages/server/src/kernel/log.ts';
import { type ServerHandle, serve } from '../../../packages/server/src/serve.ts';
import {
  type DatabaseDump,
  loadDatabaseDump,
  readDatabaseDump,
  writeDatabaseDump,
} from '../../support/database-dump.ts';
import { eventually } from '../../support/eventually.ts';
import { createDataLocation, type DataLocation } from '../../support/server-process.ts';
import { engines } from '../../support/service.ts';

/** What the service answered before it was killed; the last thing it did was to queue a job. */
interface Known {
  readonly takenAt: string;
  readonly operatorKey: string;
  readonly accountKey: string;
  readonly limitedKey: string;
  readonly revokedKey: string;
  readonly formerKey: string;
  readonly rotatedKey: string;
  readonly leavingKey: string;
  readonly once: { readonly key: string; readonly body: object; readonly answer: object };
  readonly memories: Readonly<Record<string, Memory>>;
  readonly listed: readonly Memory[];
  readonly searches: Readonly<Record<string, readonly string[]>>;
  readonly events: readonly { readonly id: string }[];
  readonly keys: { readonly data: readonly { readonly id: string }[] };
  readonly spaces: { readonly data: readonly { readonly id: string }[] };
}

const migrations = fileURLToPath(new URL('../../../packages/server/migrations/', import.meta.url));
const fixture = new URL('../../fixtures/foundation.json.br', import.meta.url);

const settingsOf = ({ dataDir, databaseUrl: url }: DataLocation) =>
  url === null
    ? { kind: 'embedded' as const, dataDir }
    : { kind: 'server' as const, url, poolMax: 2 };

/** A database of the dump's own migrations, with its rows. */
async function restore(place: DataLocation, dump: DatabaseDump<unknown>): Promise<void> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'mneme-test-'));
  for (const name of dump.migrations) {
    await fs.copyFile(path.join(migrations, name), path.join(folder, name));
  }
  await using engine = await openEngine(settingsOf(place), { log: silentLog });
  await migrate(engine, folder, { log: silentLog });
  await loadDatabaseDump(engine, dump);
  await writeDatabaseDump(engine, path.join(folder, 'again'), null);
  const again = await readDatabaseDump(new URL(`file://${path.join(folder, 'again')}`));
  expect(again.tables).toEqual(dump.tables);
  await fs.rm(folder, { recursive: true });
}

describe.each(engines)('a database of the foundation, opened by this version on %s', (engine) => {
  let place: DataLocation;
  let known: Known;
  let running: ServerHandle;
  const client = (apiKey: string): Client => createClient({ url: running.url, apiKey, retries: 0 });
  const statusOf = async (key: string): Promise<number> =>
    (await client(key).request({ method: 'GET', path: '/memories' })).status;

  beforeAll(async () => {
    place = await createDataLocation(engine, { migrated: false });
    const dump = await readDatabaseDump<Known>(fixture);
    await restore(place, dump);
    ({ known } = dump);
    // The day after is the same day: nothing that is kept for a time has run out.
    const agoMs = Date.now() - Date.parse(known.takenAt);
    const clock = { ...systemClock, now: () => new Date(Date.now() - agoMs) };
    const { config } = readConfig({
      MNEME_PORT: '0',
      MNEME_SHUTDOWN_SECONDS: '1',
      MNEME_DATA_DIR: place.dataDir,
      ...(place.databaseUrl === null ? {} : { MNEME_DATABASE_URL: place.databaseUrl }),
    });
    const log = createLog('silent');
    running = await serve(config, '0.0.0-test', { clock, log });
  });
  afterAll(async () => {
    await running.stop();
    await place.remove();
  });

  it('makes no new admin key: the operator and the accounts have theirs', async () => {
    expect(running.context.firstKey).toBeNull();
    const { data } = await client(known.operatorKey).admin.listAccounts();
    expect(data.map(({ name, plan }) => [name, plan])).toEqual(
      expect.arrayContaining([
        ['default', 'enterprise'],
        ['Orchard', 'pro'],
      ]),
    );
    const listed = await client(known.accountKey).keys.list();
    expect(listed.data.map(({ id }) => id).sort()).toEqual(
      known.keys.data.map(({ id }) => id).sort(),
    );
    const { accountKey, limitedKey, rotatedKey, formerKey, revokedKey, leavingKey } = known;
    for (const key of [accountKey, limitedKey, rotatedKey, formerKey]) {
      expect(await statusOf(key)).toBe(200);
    }
    for (const key of [revokedKey, leavingKey]) expect(await statusOf(key)).toBe(401);
  });

  it('has every memory as it was, and none that was removed', async () => {
    const own = client(known.accountKey);
    const found = new Map<string, Memory>();
    const pages = paginate((page) =>
      own.memories.list({ query: { limit: 100, include_deleted: true, ...page } }),
    );
    for await (const memory of pages) found.set(memory.id, memory);
    expect([...found.keys()].sort()).toEqual(known.listed.map(({ id }) => id).sort());
    for (const before of known.listed) {
      // Salience decays, and reading a memory raises it.
      const { salience: _, ...rest } = before;
      expect(found.get(before.id)).toMatchObject(rest);
    }
    const { removed, full } = known.memories;
    const { status } = await own.request({ method: 'GET', path: `/memories/${removed?.id}` });
    expect(status).toBe(404);
    const listed = await client(known.limitedKey).memories.list({ query: { limit: 100 } });
    const inSpace = known.listed.filter(({ space_id: id }) => id === full?.space_id);
    expect(listed.data.map(({ id }) => id).sort()).toEqual(inSpace.map(({ id }) => id).sort());
  });

  it('finds each memory that was found, by its words and by its sense', async () => {
    const own = client(known.accountKey);
    for (const [q, [first]] of Object.entries(known.searches)) {
      if (q === 'gooseberry') continue;
      const { results } = await own.search.get({ query: { q, limit: 5 } });
      expect(
        results.map(({ id }) => id),
        q,
      ).toContain(first);
    }
    const { results } = await own.search.get({ query: { q: 'gooseberry' } });
    expect(results.map(({ id }) => id)).not.toContain(known.memories.soft?.id);
  });

  it('reads what was stored for what it speaks of, once, and scores its quality', async () => {
    const own = client(known.accountKey);
    const { db } = running.context.app.engine;
    const jobs = (): Promise<readonly { status: string; progress: number }[]> =>
      db
        .selectFrom('jobs')
        .select(['status', 'progress'])
        .where('kind', '=', 'knowledge.read_stored')
        .execute();
    const ended = await eventually(
      jobs,
      (rows) => rows.every(({ status }) => status === 'completed' || status === 'failed'),
      30_000,
    );
    expect(ended.length).toBeGreaterThan(0);
    expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(['completed']));
    const { entities } = await own.knowledge.entities({ query: { type: 'date' } });
    expect(entities.map(({ name }) => name).sort()).toEqual(['January', 'September']);
    const { plain, full } = known.memories;
    const query = { type: 'date' as const, space_id: full?.space_id ?? '' };
    const inSpace = await own.knowledge.entities({ query });
    expect(inSpace.entities.map(({ name }) => name)).toEqual(['January']);
    const read = await own.memories.get({ params: { id: full?.id ?? '' } });
    expect(read.quality_score).not.toBeNull();
    const events = await own.events.list({ query: { type: 'entity.extracted', limit: 100 } });
    const told = events.data.map(({ data }) => (data as { memory_id: string }).memory_id);
    expect(told.sort()).toEqual([plain?.id, full?.id].sort());
  });

  it('has every event, in the same order, and goes on behind them', async () => {
    const own = client(known.accountKey);
    const read = async (): Promise<string[]> => {
      const pages = paginate((page) => own.events.list({ query: { limit: 100, ...page } }));
      const ids: string[] = [];
      for await (const { id } of pages) ids.push(id);
      return ids;
    };
    const before = known.events.map(({ id }) => id);
    expect((await read()).slice(0, before.length)).toEqual(before);
    const { id } = await own.memories.create({ body: { content: 'Written by the new version.' } });
    const pages = await own.events.list({ query: { type: 'memory.created', limit: 100 } });
    expect(pages.data.at(-1)?.data).toMatchObject({ id });
  });

  it('answers a repeated request as the first time, and refuses the duplicate', async () => {
    const send = (headers: Record<string, string>) =>
      client(known.accountKey).request({
        method: 'POST',
        path: '/memories',
        headers,
        body: known.once.body,
      });
    const repeated = await send({ 'Idempotency-Key': known.once.key });
    expect(repeated.status).toBe(201);
    expect(repeated.body).toEqual(known.once.answer);
    expect((await send({})).status).toBe(409);
  });

  it('runs the job that was queued: nothing is left of the account that was leaving', async () => {
    const { db } = running.context.app.engine;
    const ofLeaving = (): Promise<readonly object[]> =>
      db
        .selectFrom('memories')
        .select('id')
        .where('content', 'like', '%account that leaves%')
        .execute();
    await eventually(ofLeaving, (rows) => rows.length === 0, 20_000);
    const { data } = await client(known.operatorKey).admin.listAccounts();
    expect(data.map(({ name }) => name)).not.toContain('Leaving');
  });

  it('is whole: every check of the service finds nothing to mend', async () => {
    const { admin } = client(known.operatorKey);
    const { job_id: id } = await admin.startVerification({ body: {} });
    const done = await eventually(
      () => admin.getVerification({ params: { id } }),
      ({ status }) => status === 'completed' || status === 'failed',
      30_000,
    );
    expect(done).toMatchObject({ status: 'completed', faults: [] });
  });
});
