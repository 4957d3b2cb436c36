import { type Client, createClient } from '@mneme/sdk';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../../packages/server/src/kernel/log.ts';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { createMemory } from '../memories/memory-requests.ts';

/** A file of tests must hold one: without a server they are there and do not run. */
const onServer = engines.some((engine) => engine !== 'embedded');
const noWorker = 'No process runs jobs: start `mneme worker`, or set MNEME_JOBS=on.';

describe.runIf(onServer)('a job that no process runs', () => {
  const secret = { MNEME_SECRET_KEY: 'one secret key for both of the processes' };
  const engine = engines.find((name) => name !== 'embedded') ?? 'PostgreSQL';
  const clock = createFakeClock(() => 0);
  const lines: string[] = [];
  let api: Service;
  beforeAll(async () => {
    const log = createLog('info', { write: (line) => void lines.push(line) });
    const env = { ...secret, MNEME_JOBS: 'off' };
    api = await startService(engine, { overrides: { clock, log }, env });
  });
  afterAll(() => api.stop());

  /** The own and the operator's view, of an erasure and of an import. */
  const reasons = async (client: Client) => {
    const { id } = await createMemory(client, 'Ana prefers tea.');
    const { job_id } = await client.memories.bulkDelete({ body: { ids: [id] } });
    const erasure = job_id ?? '';
    const archive = await client.transfers.export();
    const body = await new Response(archive.body).blob();
    const { import_id } = await client.transfers.import({ body });
    return async () => {
      const params = { id: erasure };
      const listed = await client.jobs.list();
      const own = listed.data.find((job) => job.id === erasure);
      const all = await api.operator().admin.listJobs();
      const operators = all.data.find((job) => job.id === erasure);
      const imported = await client.transfers.getImport({ params: { id: import_id } });
      return [await client.jobs.get({ params }), own, operators, imported].map(
        (job) => job?.waiting_reason,
      );
    };
  };

  const health = async () => (await api.client().operations.health()).checks.workers;

  it('says so, and waits for nothing once a worker has started', async () => {
    const account = await api.createAccount();
    const read = await reasons(account.client);
    expect(await read()).toEqual(['no_worker', 'no_worker', 'no_worker', 'no_worker']);
    expect(await health()).toEqual({ ok: false, detail: noWorker });

    const database = { MNEME_DATABASE_URL: api.config.databaseUrl ?? '' };
    const worker = await startService(engine, { env: { ...secret, ...database } });
    try {
      await eventually(health, (check) => check?.ok === true);
      expect(await eventually(read, (all) => all.every((reason) => reason === null))).toEqual([
        null,
        null,
        null,
        null,
      ]);
      const own = createClient({ url: worker.url, apiKey: account.key });
      expect((await own.operations.health()).checks.workers).toBeUndefined();
    } finally {
      await worker.stop();
    }
    // As if half a minute had passed since its last heartbeat.
    const { db } = api.running.context.app.engine;
    await sql`update worker_heartbeats set heartbeat_at = heartbeat_at - interval '31 s'`.execute(
      db,
    );
    const next = await reasons((await api.createAccount()).client);
    expect(await next()).toEqual(['no_worker', 'no_worker', 'no_worker', 'no_worker']);
  });

  it('is in the log of the server, once', async () => {
    const logged = () => lines.filter((line) => line.includes('worker missing'));
    expect(logged()).toEqual([]);
    for (let minute = 0; minute < 3; minute += 1) {
      clock.advance(60_000);
      await eventually(
        async () => logged().length,
        (count) => count > 0,
      );
    }
    expect(logged()).toHaveLength(1);
    expect(logged()[0]).toContain(noWorker);
  });

  it('says that its queue is paused', async () => {
    const { client } = await api.createAccount();
    const read = await reasons(client);
    const params = { name: 'default' };
    await api.operator().admin.pauseQueue({ params });
    const [job] = await read();
    expect(job).toBe('queue_paused');
    await api.operator().admin.resumeQueue({ params });
    expect((await read())[0]).toBe('no_worker');
  });
});
