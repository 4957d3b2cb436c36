import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';

describe.each(engines)('GET /jobs/:id on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  const makeJob = async (client: Client): Promise<string> => {
    const { id } = await client.memories.create({ body: { content: 'Ana prefers tea.' } });
    const { job_id } = await client.memories.bulkDelete({ body: { ids: [id] } });
    return job_id ?? '';
  };

  it('answers the job, from the moment its id was told until it is done', async () => {
    const { client } = await service.createAccount();
    const id = await makeJob(client);
    const read = () => client.jobs.get({ params: { id } });
    expect(await read()).toMatchObject({ id, kind: 'memories.erase', error: null });
    const done = await eventually(read, ({ status }) => status === 'completed');
    expect(done).toEqual({
      id,
      kind: 'memories.erase',
      status: 'completed',
      progress: 1,
      attempts: 1,
      attempt_count: 1,
      waiting_reason: null,
      error: null,
      result: null,
      created_at: expect.stringMatching(/Z$/),
      finished_at: expect.stringMatching(/Z$/),
    });
    expect(Date.parse(done.finished_at ?? '')).toBeGreaterThanOrEqual(Date.parse(done.created_at));
  });

  it('is 404 not_found for another account, an unknown id and no id', async () => {
    const [mine, theirs] = [await service.createAccount(), await service.createAccount()];
    const id = await makeJob(theirs.client);
    for (const named of [id, '019b8d1c-3a44-7d85-8f40-5b6c7d8e9fa0', 'nonsense', `mem_${id}`]) {
      const answer = await mine.client.request({ method: 'GET', path: `/jobs/${named}` });
      expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    }
  });

  it("says nothing of the service's own jobs", async () => {
    const { db } = service.running.context.app.engine;
    await service.running.context.worker.drain();
    const own = await db
      .selectFrom('jobs')
      .select('id')
      .where('account_id', 'is', null)
      .executeTakeFirstOrThrow();
    const answer = await service.client().request({ method: 'GET', path: `/jobs/${own.id}` });
    expect(answer.status).toBe(404);
  });

  it('begins right after its request, before the queue is looked at again', async () => {
    const clock = createFakeClock(() => 0);
    const own = await startService(engine, { overrides: { clock } });
    try {
      const client = own.client();
      const id = await makeJob(client);
      const read = () => client.jobs.get({ params: { id } });
      expect(await read()).toMatchObject({ status: 'queued' });
      // A twentieth of the time between two looks.
      clock.advance(50);
      await eventually(read, ({ status }) => status === 'completed');
    } finally {
      await own.stop();
    }
  });
});

describe.each(engines)('GET /jobs on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  /** Inserts jobs that no handler runs. */
  const insertJobs = async (
    accountId: string,
    jobs: readonly { kind: string; status?: 'failed' | 'completed'; spaces?: string[] }[],
  ): Promise<string[]> => {
    const { engine: database, ids, clock } = service.running.context.app;
    const rows = jobs.map(({ kind, status = 'completed', spaces = null }) => ({
      ...{ id: ids.uuid(), account_id: accountId, kind, status, spaces, payload: '{}' },
      ...{ run_at: clock.now(), created_at: clock.now(), finished_at: clock.now() },
    }));
    await database.db.insertInto('jobs').values(rows).execute();
    return rows.map(({ id }) => id);
  };

  it('lists newest first, in pages, by status and kind', async () => {
    const { id, client } = await service.createAccount();
    const [a, b, c] = await insertJobs(id, [
      { kind: 'test.a', status: 'failed' },
      { kind: 'test.b' },
      { kind: 'test.a' },
    ]);
    const list = async (query: Parameters<typeof client.jobs.list>[0] = {}) => {
      const page = await client.jobs.list(query);
      return { ids: page.data.map((job) => job.id), next: page.next_cursor };
    };
    expect((await list()).ids).toEqual([c, b, a]);
    expect((await list({ query: { kind: 'test.a' } })).ids).toEqual([c, a]);
    expect((await list({ query: { status: 'failed' } })).ids).toEqual([a]);
    const first = await list({ query: { limit: 2 } });
    expect(first.ids).toEqual([c, b]);
    const second = await list({ query: { limit: 2, cursor: first.next ?? '' } });
    expect(second).toEqual({ ids: [a], next: null });
  });

  it('lists no jobs of other accounts, and rejects a cursor of another list', async () => {
    const [mine, theirs] = [await service.createAccount(), await service.createAccount()];
    await insertJobs(theirs.id, [{ kind: 'test.a' }, { kind: 'test.a' }]);
    expect((await mine.client.jobs.list()).data).toEqual([]);
    const { next_cursor } = await theirs.client.jobs.list({ query: { limit: 1 } });
    const query = { kind: 'test.b', cursor: next_cursor ?? '' };
    const rejected = theirs.client.jobs.list({ query });
    await expect(rejected).rejects.toMatchObject({ status: 400, code: 'invalid_request' });
    const invalid = theirs.client.request({ method: 'GET', path: '/jobs?status=lost' });
    expect(await invalid).toMatchObject({ status: 422 });
  });

  it('shows a key that is limited to spaces the jobs of such keys alone', async () => {
    const { id, client } = await service.createAccount();
    const space = await client.spaces.create({ body: { name: 'own' } });
    const { key } = await client.keys.create({
      body: { name: 'limited', scopes: ['memories:read'], space_ids: [space.id] },
    });
    const [own] = await insertJobs(id, [{ kind: 'test.a', spaces: [space.id] }]);
    await insertJobs(id, [{ kind: 'test.a' }, { kind: 'test.a', spaces: ['default'] }]);
    const { data } = await service.client(key).jobs.list();
    expect(data.map((job) => job.id)).toEqual([own]);
  });
});

describe.each(engines)('failed jobs and queues on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  /** An erasure that has failed for good, in a paused queue. */
  async function failErasure(client: Client): Promise<string> {
    const { id } = await client.memories.create({ body: { content: 'Ana prefers tea.' } });
    const deleted = await client.memories.bulkDelete({ body: { ids: [id] } });
    const job_id = deleted.job_id ?? '';
    const failed = { status: 'failed' as const, failures: 6, attempts: 6, error: 'Out of luck.' };
    const { db } = service.running.context.app.engine;
    await db
      .updateTable('jobs')
      .set({ ...failed, finished_at: new Date() })
      .where('id', '=', job_id)
      .execute();
    return job_id;
  }

  const readQueue = async (name: string) => {
    const { data } = await service.operator().admin.listQueues();
    return data.find((queue) => queue.name === name);
  };

  it('run again with all their attempts when they are retried', async () => {
    const { admin } = service.operator();
    await admin.pauseQueue({ params: { name: 'default' } });
    const { client } = await service.createAccount();
    const id = await failErasure(client);
    const retried = await client.jobs.retry({ params: { id } });
    expect(retried).toMatchObject({ id, status: 'queued', error: null, finished_at: null });
    const { db } = service.running.context.app.engine;
    const row = db.selectFrom('jobs').select('failures').where('id', '=', id);
    expect(await row.executeTakeFirstOrThrow()).toEqual({ failures: 0 });
    await expect(client.jobs.retry({ params: { id } })).rejects.toMatchObject({
      code: 'conflict',
      message: 'Only failed jobs are retried: this one is queued.',
    });
    await admin.resumeQueue({ params: { name: 'default' } });
    await eventually(
      () => client.jobs.get({ params: { id } }),
      ({ status }) => status === 'completed',
    );
  });

  it('are retried by their own account or an operator, not by others', async () => {
    const { admin } = service.operator();
    await admin.pauseQueue({ params: { name: 'default' } });
    const [mine, theirs] = [await service.createAccount(), await service.createAccount()];
    const id = await failErasure(theirs.client);
    const params = { id };
    const refused = { status: 404, code: 'not_found' };
    await expect(mine.client.jobs.retry({ params })).rejects.toMatchObject(refused);
    await expect(mine.client.admin.retryJob({ params })).rejects.toMatchObject({ status: 403 });
    await expect(mine.client.admin.listJobs()).rejects.toMatchObject({ status: 403 });
    const query = { account_id: theirs.id, status: 'failed' as const };
    const { data } = await admin.listJobs({ query });
    expect(data).toMatchObject([
      { id, account_id: theirs.id, queue: 'default', kind: 'memories.erase', attempts: 6 },
    ]);
    expect(await admin.retryJob({ params })).toMatchObject({ id, status: 'queued' });
    await admin.resumeQueue({ params: { name: 'default' } });
  });

  it('are not retried if another request begins the work again', async () => {
    const { id: account_id, client } = await service.createAccount();
    const { engine: database, ids, clock } = service.running.context.app;
    const now = clock.now();
    const id = ids.uuid();
    const row = { id, account_id, kind: 'clusters.run', status: 'failed' as const, payload: '{}' };
    await database.db
      .insertInto('jobs')
      .values({ ...row, run_at: now, created_at: now, finished_at: now })
      .execute();
    await expect(client.jobs.retry({ params: { id } })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('POST /clusters/full'),
    });
  });

  it('wait in a paused queue, whose state and pause operators see', async () => {
    const { admin } = service.operator();
    const name = 'default';
    const { paused_at } = await admin.pauseQueue({ params: { name } });
    expect(await admin.pauseQueue({ params: { name } })).toEqual({ name, paused_at });
    const { client } = await service.createAccount();
    const { id } = await client.memories.create({ body: { content: 'Ana prefers tea.' } });
    const before = await readQueue(name);
    const deleted = await client.memories.bulkDelete({ body: { ids: [id] } });
    const job_id = deleted.job_id ?? '';
    await service.running.context.worker.drain();
    const params = { id: job_id };
    expect(await client.jobs.get({ params })).toMatchObject({ status: 'queued', attempts: 0 });
    expect(await readQueue(name)).toMatchObject({
      paused_at,
      queued: (before?.queued ?? 0) + 1,
      kinds: expect.arrayContaining(['memories.erase', 'operations.housekeeping']),
    });
    expect(await readQueue('recordings')).toMatchObject({ paused_at: null, queued: 0 });
    expect(await admin.resumeQueue({ params: { name } })).toEqual({ name, paused_at: null });
    expect(await readQueue(name)).toMatchObject({ paused_at: null });
    await eventually(
      () => client.jobs.get({ params }),
      ({ status }) => status === 'completed',
    );
    const { data } = await service.operator().account.audit();
    const changes = data.map(({ action }) => action).filter((action) => /^queue/.test(action));
    expect(changes.slice(0, 2)).toEqual(['queue.resumed', 'queue.paused']);
  });

  it('wait in queues that the health and the diagnosis name, with what to do', async () => {
    const { admin, operations } = service.operator();
    const check = async () => {
      const [health, diagnosis] = [await operations.health(), await admin.getDiagnosis()];
      expect(health.status).toBe('ok');
      expect(diagnosis.checks.queues).toEqual(health.checks.queues);
      return health.checks.queues;
    };
    expect(await check()).toEqual({ ok: true });
    const [clusters, all] = [
      await admin.pauseQueue({ params: { name: 'clusters' } }),
      await admin.pauseQueue({ params: { name: 'default' } }),
    ];
    expect(await check()).toEqual({
      ok: true,
      detail:
        `The queue clusters has been paused since ${clusters.paused_at}: its jobs wait. To run ` +
        `them, use \`mneme queues resume clusters\`. The queue default has been paused since ` +
        `${all.paused_at}: erasures, expiries, digests, scheduled backups and all other jobs ` +
        'without a queue of their own wait. To run them, use `mneme queues resume default`.',
    });
    for (const name of ['clusters', 'default']) await admin.resumeQueue({ params: { name } });
    expect(await check()).toEqual({ ok: true });
  });

  it('that are overdue in a paused queue are a finding that names the queue', async () => {
    const { admin } = service.operator();
    const due = async () => {
      const { findings } = await admin.getDiagnosis();
      return findings.find(({ kind }) => kind === 'jobs_due')?.action;
    };
    const { id: account_id } = await service.createAccount();
    const { engine: database, ids } = service.running.context.app;
    const row = { id: ids.uuid(), account_id, kind: 'test.unknown', payload: '{}' };
    const run_at = new Date(Date.now() - 2 * 3_600_000);
    await database.db
      .insertInto('jobs')
      .values({ ...row, status: 'queued', run_at, created_at: run_at })
      .execute();
    expect(await due()).not.toContain('paused');
    await admin.pauseQueue({ params: { name: 'imports' } });
    expect(await due()).toContain('resume their queue, if it is paused (imports)');
    await admin.resumeQueue({ params: { name: 'imports' } });
    await database.db.deleteFrom('jobs').where('id', '=', row.id).execute();
  });

  it('belong to known queues: another name is 404 not_found', async () => {
    const paused = service.operator().admin.pauseQueue({ params: { name: 'nonsense' } });
    await expect(paused).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });
});
