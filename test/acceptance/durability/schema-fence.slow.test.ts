import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../../packages/server/src/kernel/log.ts';
import { type ServerHandle, serve } from '../../../packages/server/src/serve.ts';
import { eventually } from '../../support/eventually.ts';
import { isAvailable } from '../../support/requirements.ts';
import { type Service, serverEngine, startService } from '../../support/service.ts';
import { createFakeEndpoints } from '../webhooks/delivery/fake-endpoints.ts';

const migrations = fileURLToPath(new URL('../../../packages/server/migrations', import.meta.url));

const secretKey = 'one secret key for all the processes';
const url = 'https://hooks.example.com/in';
const warningLevels = ['warn', 'error', 'fatal'];

describe.runIf(isAvailable('postgresql'))('a process whose database a newer one migrated', () => {
  const ending = new AsyncDisposableStack();
  /** The migrations of the newer version. */
  let folder: string;
  let old: Service;
  const sentByOld = createFakeEndpoints();
  const sentByNewer = createFakeEndpoints();

  beforeAll(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'mneme-migrations-'));
    ending.defer(() => fs.rm(folder, { recursive: true }));
    await fs.cp(migrations, folder, { recursive: true });
    const next = (await fs.readdir(folder)).length + 1;
    const name = `${String(next).padStart(4, '0')}_next_version.sql`;
    await fs.writeFile(path.join(folder, name), 'alter table memories add column next text;');
    const env = { MNEME_SECRET_KEY: secretKey };
    const { fetchOutside } = sentByOld;
    old = await startService(serverEngine, { env, overrides: { fetchOutside } });
  });
  afterAll(async () => {
    await old.stop();
    await ending.disposeAsync();
  });

  /** A process of the newer version, on the database of the old one. */
  async function startNewer(): Promise<ServerHandle> {
    const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'mneme-test-'));
    ending.defer(() => fs.rm(dataDir, { recursive: true }));
    const log = createLog('silent');
    const { fetchOutside } = sentByNewer;
    const config = { ...old.config, dataDir };
    const overrides = { log, fetchOutside, migrations: folder };
    const running = await serve(config, '0.0.0-next', overrides);
    ending.defer(() => running.stop());
    return running;
  }

  const client = () => old.operator();
  const warnings = () =>
    old.logLines
      .map((line) => JSON.parse(line) as { level: string; msg: string })
      .filter(({ level }) => warningLevels.includes(level));
  const sent = (endpoints: typeof sentByOld) => async () => endpoints.callsTo(url).length;

  async function expectOutdated(): Promise<void> {
    const detail = expect.stringMatching(
      /^A newer version of Mneme has upgraded the database to schema version \d+, and this process/,
    );
    expect(await client().operations.health()).toMatchObject({
      status: 'degraded',
      checks: { database: { ok: true }, schema: { ok: false, detail } },
    });
    expect((await fetch(`${old.url}/ready`)).status).toBe(503);
    const { memories, search, admin } = client();
    for (const ask of [
      () => memories.create({ body: { content: 'The lamp is green.' } }),
      () => memories.list({ query: {} }),
      () => search.get({ query: { q: 'kettle' } }),
      () => admin.getDiagnosis(),
    ]) {
      await expect(ask()).rejects.toMatchObject({
        status: 503,
        code: 'service_unavailable',
        retryAfterSeconds: 5,
      });
    }
  }

  it('answers 503, says why, and leaves jobs and deliveries to the newer one', async () => {
    await client().webhooks.create({ body: { url, events: ['memory.created'] } });
    const { id } = await client().memories.create({ body: { content: 'The kettle is red.' } });
    await eventually(sent(sentByOld), (count) => count === 1);
    // What it has yet to write down of this, it never will.
    await client().memories.get({ params: { id } });
    expect(warnings()).toEqual([]);

    const newer = await startNewer();
    await newer.context.webhookSender.stop();
    await newer.context.worker[Symbol.asyncDispose]();
    const { app, worker, webhookSender, mailer, extractionWorker } = old.running.context;
    // Without any request: it looks for jobs each second.
    const found = await eventually(async () => app.engine.schemaChanged, Boolean);
    await expectOutdated();

    const ofNewer = createClient({ url: newer.url, apiKey: old.adminKey, retries: 0 });
    expect(await ofNewer.memories.get({ params: { id } })).toMatchObject({ id });
    await ofNewer.memories.create({ body: { content: 'The lamp is green.' } });
    const { job_id } = await ofNewer.admin.startVerification({ body: {} });
    await Promise.all([
      worker.drain(),
      webhookSender.drain(),
      mailer.drain(),
      extractionWorker.drain(),
    ]);
    const job = () => ofNewer.jobs.get({ params: { id: job_id } });
    expect(await job()).toMatchObject({ status: 'queued', attempts: 0 });
    expect(await sent(sentByNewer)()).toBe(0);

    await startNewer();
    await eventually(job, ({ status }) => status === 'completed', 20_000);
    await eventually(sent(sentByNewer), (count) => count === 1);
    expect(await sent(sentByOld)()).toBe(1);
    await expectOutdated();
    expect(warnings()).toEqual([expect.objectContaining({ level: 'error', msg: found?.message })]);
  });
});
