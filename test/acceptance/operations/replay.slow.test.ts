import fs from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Client } from '@mneme/sdk';
import { describe, expect, it } from 'vitest';
import { openTestEngine } from '../../../packages/server/src/database/testing.ts';
import {
  ledgerCopier,
  replayErasures,
  replayLedgerFile,
} from '../../../packages/server/src/domains/operations/index.ts';
import { pauseDeliveries } from '../../../packages/server/src/events/delivery-pause.ts';
import type { Erasure } from '../../../packages/server/src/instance/erasure-ledger.ts';
import {
  loadDatabaseDump,
  readDatabaseDump,
  writeDatabaseDump,
} from '../../support/database-dump.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { createFakeMedia } from '../../support/fake-media.ts';
import { findTablesContaining } from '../../support/find-tables-containing.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { listBlobs } from '../media/blobs.ts';
import { runVerification, summarizeInconsistencies } from '../verify/run-verification.ts';
import { createFakeEndpoints } from '../webhooks/delivery/fake-endpoints.ts';
import { createErasableAccount, needle } from './erasable.ts';

const migrations = new URL('../../../packages/server/migrations', import.meta.url).pathname;
type EngineName = (typeof engines)[number];
const secret = { MNEME_SECRET_KEY: 'one secret key for the original and its copy' };

/** Nothing happens in the background: time goes on by hand alone. */
const start = (engine: EngineName, overrides = {}, env = {}) =>
  startService(engine, {
    env: { ...secret, ...env },
    overrides: { clock: createFakeClock(), ...createFakeMedia(), ...overrides },
  });

interface Copy extends AsyncDisposable {
  readonly service: Service;
  /** What its webhooks were sent. */
  readonly calls: readonly unknown[];
}

/** Keeps the present state; the function starts a service on what it was then. */
async function takeCopy(engine: EngineName, { config, running, adminKey }: Service) {
  const folder = path.join(config.dataDir, 'copy');
  await fs.mkdir(folder);
  const dump = path.join(folder, 'rows');
  await writeDatabaseDump(running.context.app.engine, dump, null);
  const blobs = path.join(config.dataDir, 'blobs');
  await fs.mkdir(blobs, { recursive: true });
  await fs.cp(blobs, path.join(folder, 'blobs'), { recursive: true });
  return async (): Promise<Copy> => {
    const opened = await openTestEngine(engine, { migrations });
    await loadDatabaseDump(opened.engine, await readDatabaseDump(pathToFileURL(dump)));
    await opened.engine.transaction((tx) => pauseDeliveries(tx, new Date()));
    const { fetchOutside, calls } = createFakeEndpoints();
    const overrides = { engine: opened.engine, fetchOutside };
    const service = await start(engine, overrides, { MNEME_ADMIN_KEY: adminKey });
    const own = path.join(service.config.dataDir, 'blobs');
    await fs.cp(path.join(folder, 'blobs'), own, { recursive: true });
    return {
      service,
      calls,
      async [Symbol.asyncDispose]() {
        await service.stop();
        await opened.cleanup();
      },
    };
  };
}

const ledgerOf = async (service: Service) =>
  (await service.operator().admin.listErasures({ query: { limit: 100 } })).data;

const ledgerFileOf = ({ config }: Service): string => path.join(config.dataDir, 'erasures.ndjson');

describe.each(engines)('erasures that are replayed on an older state on %s', (engine) => {
  it('leave no trace in reads, search, events, graph, tables and files', async () => {
    const { fetchOutside } = createFakeEndpoints();
    const original = await start(engine, { fetchOutside });
    await using _original = { [Symbol.asyncDispose]: () => original.stop() };
    const { client, erasable, sessionMemoryIds } = await createErasableAccount(original);
    const { told, key } = await tellOf(original, client);
    const copyOf = await takeCopy(engine, original);
    for (const { erase } of erasable) await erase();
    for (const id of told) await client.memories.remove({ params: { id } });
    const { worker, app } = original.running.context;
    await worker.drain();
    await ledgerCopier.of(app).sync();

    await using copy = await copyOf();
    const { service } = copy;
    expect(await findTablesContaining(service, needle)).toEqual(
      expect.arrayContaining(['entities', 'events', 'memories', 'webhook_deliveries']),
    );
    const replay = () => replayLedgerFile(service.running.context.app, ledgerFileOf(original));
    // The relationship goes with its memory.
    const erased = erasable.length - 1 + sessionMemoryIds.length + told.length;
    expect(await replay()).toEqual({ erased, remainingSpaces: [] });

    expect(await findTablesContaining(service, needle)).toEqual([]);
    expect((await listBlobs(service)).toSorted()).toEqual((await listBlobs(original)).toSorted());
    const own = service.client(key);
    const { results } = await own.search.get({ query: { q: needle, limit: 100 } });
    expect(JSON.stringify(results)).not.toMatch(new RegExp(needle, 'i'));
    const contents = async (of: Client) =>
      (await of.memories.list()).data.map(({ content }) => content);
    expect(await contents(own)).toEqual(await contents(client));
    expect(await contents(own)).toContain('The kettle boils.');
    for (const id of [...sessionMemoryIds, ...told]) {
      expect(await own.request({ method: 'GET', path: `/memories/${id}` })).toMatchObject({
        status: 404,
      });
    }
    expect(JSON.stringify(await own.events.list({ query: { limit: 100 } }))).not.toMatch(
      new RegExp(needle, 'i'),
    );
    expect((await own.knowledge.entities()).entities).toEqual([]);
    expect(await ledgerOf(service)).toEqual(await ledgerOf(original));
    const report = await runVerification(service);
    expect([summarizeInconsistencies(report), report.stray_blobs]).toEqual([[], 0]);
    expect(await replay()).toEqual({ erased: 0, remainingSpaces: [] });
    expect(await ledgerOf(service)).toEqual(await ledgerOf(original));

    expect(copy.calls).toEqual([]);
    await service.operator().admin.resumeDeliveries();
    await service.running.context.webhookSender.drain();
    expect(copy.calls.length).toBeGreaterThan(0);
    expect(JSON.stringify(copy.calls)).not.toMatch(new RegExp(needle, 'i'));
  });

  it('spare what had left what was erased, and heed no protection of the older state', async () => {
    const original = await start(engine);
    await using _original = { [Symbol.asyncDispose]: () => original.stop() };
    const { client, key, id: accountId } = await original.createAccount();
    const make = (content: string, fields = {}) =>
      client.memories.create({ body: { content, ...fields } });
    const space = await client.spaces.create({ body: { name: 'garden' } });
    const session = await client.cliSessions.create({ body: { name: 'talk' } });
    const inSpace = await make('moved to account level', { space_id: space.id });
    const left = await make('left the session', { session_id: session.id });
    const ended = await make('ended with the session', { session_id: session.id });
    const guarded = await make('guarded', { protection_level: 'hard' });
    await client.relationships.create({
      params: { memoryId: left.id },
      body: { target_id: inSpace.id, relationship_type: 'supports' },
    });
    const copyOf = await takeCopy(engine, original);
    const triple = { sourceId: left.id, targetId: inSpace.id, type: 'supports' };
    await client.relationships.remove({ params: triple });
    await client.memories.update({ params: { id: inSpace.id }, body: { space_id: null } });
    await client.memories.update({ params: { id: left.id }, body: { session_id: null } });
    const params = { id: guarded.id };
    await client.memories.protect({ params, body: { protection_level: 'none' } });
    await client.memories.remove({ params });
    await client.cliSessions.remove({ params: { id: session.id } });
    await client.spaces.remove({ params: { id: space.id } });
    const rows = (await ledgerOf(original)).map(
      ({ kind, id, erased_at: at }): Erasure => ({ kind, id, accountId, erasedAt: new Date(at) }),
    );

    await using copy = await copyOf();
    const { app } = copy.service.running.context;
    const kept = rows.filter(({ kind }) => kind === 'space');
    expect(kept).toHaveLength(1);
    expect(await replayErasures(app, rows)).toEqual({ erased: 4, remainingSpaces: kept });
    const own = copy.service.client(key);
    const { data } = await own.memories.list();
    expect(data.map(({ id, space_id, session_id }) => [id, space_id, session_id])).toEqual([
      [left.id, null, null],
      [inSpace.id, space.id, null],
    ]);
    const around = { params: { memoryId: left.id } };
    expect((await own.relationships.list(around)).total).toBe(0);
    const gone = { params: { id: session.id } };
    await expect(own.cliSessions.get(gone)).rejects.toMatchObject({ status: 404 });
    expect([ended.id, guarded.id].some((id) => data.some((one) => one.id === id))).toBe(false);
    expect(summarizeInconsistencies(await runVerification(copy.service))).toEqual([]);
  });
});

/** One memory that a webhook and a reaction were told of, and one they are still to be told of. */
async function tellOf(service: Service, client: Client): Promise<{ told: string[]; key: string }> {
  const { webhookSender, mailer } = service.running.context;
  const url = 'https://stays.example.com/hook';
  await client.webhooks.create({ body: { url, events: ['*'] } });
  const body = {
    name: 'stays',
    triggerType: 'memory_created',
    recipients: ['stays@example.com'],
    emailSubjectTemplate: '{{memory.content}}',
    emailBodyTemplate: '{{memory.content}}',
  };
  await client.email.createReaction({ body });
  const told: string[] = [];
  for (const content of [`${needle} was told`, `${needle} is to be told`]) {
    told.push((await client.memories.create({ body: { content } })).id);
    if (told.length > 1) break;
    await webhookSender.drain();
    await mailer.drain();
  }
  const { key } = await client.keys.create({ body: { name: 'reads' } });
  return { told, key };
}
