import type { Client } from '@mneme/sdk';
import { describe, expect, it } from 'vitest';
import { executeClusterRun } from '../../../packages/server/src/domains/clusters/index.ts';
import { LeaseLost } from '../../../packages/server/src/kernel/lease.ts';
import { useAccountPerTest } from '../../support/account-per-test.ts';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service } from '../../support/service.ts';
import { absentId, createMemory, listEvents } from '../memories/memory-requests.ts';
import { addToClusters, createCluster, errorCodeOf, listMemberIds } from './cluster-requests.ts';
import { memoriesOfTopic, storeMemories, unrelatedMemories } from './clusterable-memories.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

describe.each(engines)('the life of clustering runs on %s', (engine) => {
  // No minute ends but where a test moves time on.
  const clock = createFakeClock(() => 0);
  let service: Service;
  let client: Client;
  useAccountPerTest(
    engine,
    (begun) => {
      ({ service, client } = begun);
    },
    // Runs wait until they are told to go on.
    { overrides: { clock } },
  );

  const post = (path: string, body?: object, asking = client) =>
    asking.request({ method: 'POST', path, ...(body ? { body } : {}) });
  const drain = () => service.running.context.worker.drain();
  const newest = async () => (await client.clusters.status()).run;
  const found = async () =>
    (await client.clusters.list()).data.filter(({ cluster_type }) => cluster_type !== 'manual');

  it('begins in the queue; another one of the scope is 409 conflict until it is over', async () => {
    const { id: space_id } = await client.spaces.create({ body: { name: 'red' } });
    const first = await post('/clusters/full');
    const { job_id } = first.body as { job_id: string };
    expect(await newest()).toMatchObject({
      id: job_id,
      status: 'queued',
      started_at: null,
      completed_at: null,
    });
    for (const path of ['/clusters/full', '/clusters/incremental']) {
      expect(await post(path)).toMatchObject({
        status: 409,
        body: { error: { code: 'conflict', details: { job_id, run_status: 'queued' } } },
      });
    }
    expect((await post('/clusters/full', { space_id })).status).toBe(202);
    await drain();
    expect(await newest()).toMatchObject({ status: 'completed' });
    expect((await post('/clusters/incremental')).status).toBe(202);
  });

  it('of many calls at once exactly one is queued', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        post(i % 2 ? '/clusters/full' : '/clusters/incremental'),
      ),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(answers.filter((answer) => errorCodeOf(answer) === 'conflict')).toHaveLength(11);
  });

  it('is shown by the status, with what is clustered', async () => {
    expect(await client.clusters.status()).toEqual({
      run: null,
      totals: {
        clusters: 0,
        manual_clusters: 0,
        automatic_clusters: 0,
        memories: 0,
        clustered_memories: 0,
        unclustered_memories: 0,
      },
    });
    await storeMemories(client, [...memoriesOfTopic(0, 8), ...memoriesOfTopic(1, 8)]);
    const memory = await createMemory(client, 'Ana likes tea.');
    await addToClusters(client, memory.id, (await createCluster(client, 'Tea')).id);
    await createMemory(client, 'Something else altogether.');
    await post('/clusters/full');
    await drain();
    const { run, totals } = await client.clusters.status();
    expect(run).toMatchObject({ status: 'completed', memory_count: 17, cluster_count: 2 });
    const { noise_count = 0 } = run ?? {};
    expect(totals).toEqual({
      clusters: 3,
      manual_clusters: 1,
      automatic_clusters: 2,
      memories: 18,
      clustered_memories: 18 - noise_count,
      unclustered_memories: noise_count,
    });
  });

  it('is listed, newest first, by status, kind and space', async () => {
    const { id: space_id } = await client.spaces.create({ body: { name: 'red' } });
    const ids: string[] = [];
    for (const [path, body] of [
      ['/clusters/full', {}],
      ['/clusters/incremental', { space_id }],
      ['/clusters/incremental', {}],
    ] as const) {
      ids.unshift(((await post(path, body)).body as { job_id: string }).job_id);
      await drain();
    }
    ids.unshift(((await post('/clusters/full')).body as { job_id: string }).job_id);
    const list = async (query: object) => {
      const path = '/clusters/runs';
      const { body } = await client.request({ method: 'GET', path, query: query as never });
      const { data, pagination } = body as { data: { id: string }[]; pagination: object };
      return { listed: data.map(({ id }) => ids.indexOf(id)), pagination };
    };
    expect(await list({})).toEqual({
      listed: [0, 1, 2, 3],
      pagination: { total: 4, limit: 20, offset: 0, has_more: false, next_cursor: null },
    });
    expect((await list({ status: 'queued' })).listed).toEqual([0]);
    expect((await list({ status: 'completed' })).listed).toEqual([1, 2, 3]);
    expect((await list({ kind: 'full' })).listed).toEqual([0, 3]);
    expect((await list({ space_id })).listed).toEqual([2]);
    expect((await list({ space_id: 'null', kind: 'incremental' })).listed).toEqual([1]);
    expect(await list({ limit: 1, offset: 1 })).toEqual({
      listed: [1],
      pagination: { total: 4, limit: 1, offset: 1, has_more: true, next_cursor: null },
    });
    const refused = await client.request({
      method: 'GET',
      path: '/clusters/runs',
      query: { status: 'done' },
    });
    expect(refused.status).toBe(422);
    expect(errorCodeOf(await post('/clusters/full'))).toBe('conflict');
  });

  it('that waits is cancelled with 202: it never runs, and another may', async () => {
    await storeMemories(client, [...memoriesOfTopic(0, 8), ...memoriesOfTopic(1, 8)]);
    const { job_id } = (await post('/clusters/full')).body as { job_id: string };
    const cancelled = await post(`/jobs/${job_id}/cancel`);
    expect(cancelled).toMatchObject({
      status: 202,
      body: {
        id: job_id,
        kind: 'clusters.run',
        status: 'cancelled',
        finished_at: expect.any(String),
      },
    });
    await drain();
    expect(await newest()).toMatchObject({ id: job_id, status: 'cancelled', started_at: null });
    expect(await found()).toEqual([]);
    expect(errorCodeOf(await post(`/jobs/${job_id}/cancel`))).toBe('conflict');
    expect((await post('/clusters/full')).status).toBe(202);
  });

  it('that is cancelled while it runs leaves what was there before', async () => {
    const bees = await storeMemories(client, memoriesOfTopic(0, 20));
    await storeMemories(client, memoriesOfTopic(1, 20));
    await post('/clusters/full');
    await drain();
    const before = await found();
    await storeMemories(client, [...memoriesOfTopic(2, 200), ...unrelatedMemories(60)]);
    const { job_id } = (await post('/clusters/full')).body as { job_id: string };
    const running = drain();
    await eventually(newest, (run) => run?.status === 'running');
    expect((await post(`/jobs/${job_id}/cancel`)).status).toBe(202);
    clock.advance(2_000);
    await running;
    expect(await newest()).toMatchObject({ id: job_id, status: 'cancelled' });
    expect(await found()).toEqual(before);
    const home = (await client.clusters.ofMemory({ params: { id: bees[0] ?? '' } })).data;
    expect(home.map(({ memory_count }) => memory_count)).toEqual([20]);
    expect(await rowsWithoutCluster()).toBe(0);
    expect((await post('/clusters/full')).status).toBe(202);
    await drain();
    expect(await newest()).toMatchObject({ status: 'completed', memory_count: 300 });
  }, 120_000);

  const rowsWithoutCluster = async (): Promise<number> => {
    const rows = await service.running.context.app.engine.db
      .selectFrom('cluster_memories as m')
      .leftJoin('clusters as c', (on) =>
        on
          .onRef('c.account_id', '=', 'm.account_id')
          .onRef('c.member_set_id', '=', 'm.member_set_id'),
      )
      .select('m.memory_id')
      .where((or) => or.or([or('c.id', 'is', null), or('c.run_id', 'is not', null)]))
      .execute();
    return rows.length;
  };

  it('and no other job is cancelled: 409 conflict, 404 for what is none', async () => {
    const { id } = await createMemory(client, 'one');
    const { job_id } = await client.memories.bulkDelete({ body: { ids: [id] } });
    expect(errorCodeOf(await post(`/jobs/${job_id}/cancel`))).toBe('conflict');
    expect((await post(`/jobs/${absentId}/cancel`)).status).toBe(404);
  });

  it('that fails says so, leaves what was there, and can be started again', async () => {
    await storeMemories(client, [...memoriesOfTopic(0, 8), ...memoriesOfTopic(1, 8)]);
    await post('/clusters/full');
    await drain();
    const before = await found();
    const { job_id } = (await post('/clusters/full')).body as { job_id: string };
    const { db } = service.running.context.app.engine;
    const setTo = (algorithm: string) =>
      db.updateTable('cluster_runs').set({ algorithm }).where('id', '=', job_id).execute();
    await setTo('no such algorithm');
    await drain();
    await setTo('hdbscan');
    const error = expect.stringMatching(/^The run failed/);
    expect(await newest()).toMatchObject({ id: job_id, status: 'failed', error });
    const job = await client.jobs.get({ params: { id: job_id } });
    expect(job).toMatchObject({ status: 'failed', attempts: 1 });
    expect(await found()).toEqual(before);
    await post('/clusters/full');
    await drain();
    expect(await newest()).toMatchObject({ status: 'completed', error: null });
  });

  it('whose end could not be written is failed within a minute, and may be repeated', async () => {
    await storeMemories(client, [...memoriesOfTopic(0, 8), ...memoriesOfTopic(1, 8)]);
    const { job_id } = (await post('/clusters/full')).body as { job_id: string };
    const { db } = service.running.context.app.engine;
    await db.updateTable('jobs').set({ status: 'failed' }).where('id', '=', job_id).execute();
    await drain();
    expect(errorCodeOf(await post('/clusters/full'))).toBe('conflict');
    clock.advance(minuteMs);
    await drain();
    expect(await newest()).toMatchObject({
      id: job_id,
      status: 'failed',
      completed_at: expect.any(String),
    });
    expect((await post('/clusters/full')).status).toBe(202);
    await drain();
    expect(await newest()).toMatchObject({ status: 'completed' });
  });

  it('whose lease was lost is not failed by who had it: another goes on', async () => {
    const account = await service.createAccount();
    client = account.client;
    await storeMemories(client, [...memoriesOfTopic(0, 8), ...memoriesOfTopic(1, 8)]);
    const { job_id } = (await post('/clusters/full')).body as { job_id: string };
    // It asks at once whether the lease is still its own.
    const after = (_ms: number, call: () => void): Disposable => {
      call();
      return { [Symbol.dispose]: () => {} };
    };
    const app = { ...service.running.context.app, clock: { ...clock, after } };
    const { signal: stopping } = new AbortController();
    const lost = executeClusterRun(app, {
      id: job_id,
      accountId: account.id,
      payload: {},
      spaces: null,
      stopSignal: stopping,
      shouldYield: () => false,
      isLastAttempt: false,
      saveProgress: () => Promise.reject(new LeaseLost()),
    });
    await expect(lost).rejects.toThrow(LeaseLost);
    expect(await newest()).toMatchObject({ id: job_id, status: 'running', error: null });
    await drain();
    expect(await newest()).toMatchObject({ id: job_id, status: 'completed', cluster_count: 2 });
  });

  it('follows memories that are deleted and changed while it runs', async () => {
    const bees = await storeMemories(client, memoriesOfTopic(0, 10));
    await storeMemories(client, memoriesOfTopic(1, 10));
    const { job_id } = (await post('/clusters/full')).body as { job_id: string };
    const running = drain();
    await eventually(newest, (run) => run?.status !== 'queued');
    await Promise.all([
      client.memories.remove({ params: { id: bees[0] ?? '' } }),
      client.memories.remove({ params: { id: bees[1] ?? '' }, query: { soft: true } }),
      client.memories.update({ params: { id: bees[2] ?? '' }, body: { content: 'rewritten' } }),
    ]);
    await running;
    await drain();
    expect(await newest()).toMatchObject({ id: job_id, status: 'completed' });
    for (const { id, memory_count } of await found()) {
      expect((await listMemberIds(client, id)).length).toBe(memory_count);
    }
  });

  it('of a limited key needs a space that it may use, and shows those of its spaces', async () => {
    const [red, blue] = [
      (await client.spaces.create({ body: { name: 'red' } })).id,
      (await client.spaces.create({ body: { name: 'blue' } })).id,
    ];
    const { key } = await client.keys.create({
      body: { name: 'limited', space_ids: [red, 'default'] },
    });
    const limited = service.client(key);
    await storeMemories(client, [...memoriesOfTopic(0, 8), ...memoriesOfTopic(1, 8)], {
      space_id: red,
    });
    await storeMemories(client, [...memoriesOfTopic(0, 8, 50), ...memoriesOfTopic(1, 8, 50)], {
      space_id: blue,
    });
    for (const path of ['/clusters/full', '/clusters/incremental']) {
      for (const body of [{}, { space_id: blue }, { space_id: null }]) {
        const answer = await post(path, body, limited);
        expect([answer.status, errorCodeOf(answer)]).toEqual([403, 'space_access_denied']);
      }
    }
    expect((await post('/clusters/full', { space_id: red }, limited)).status).toBe(202);
    const wide = (await post('/clusters/full')).body as { job_id: string };
    expect(errorCodeOf(await post(`/jobs/${wide.job_id}/cancel`, undefined, limited))).toBe(
      'space_access_denied',
    );
    await drain();
    const runs = await limited.clusters.runs();
    expect(runs.data.map(({ space_id }) => space_id)).toEqual([red]);
    expect((await limited.clusters.status()).run?.space_id).toBe(red);
    // What was found among the memories of every space tells of spaces that it may not see.
    const seen = (await limited.clusters.list()).data;
    expect(seen.map(({ space_id }) => space_id)).toEqual([red, red]);
    expect((await found()).length).toBe(4);
    const [own] = (await client.clusters.list({ query: { space_id: 'null' } })).data;
    const hidden = await limited.request({ method: 'GET', path: `/clusters/${own?.id}` });
    expect(errorCodeOf(hidden)).toBe('space_access_denied');
    const told = (asking: Client) => listEvents(asking, 'cluster.created');
    expect((await told(limited)).map(({ space_id }) => space_id)).toEqual([red, red]);
    expect(await told(client)).toHaveLength(4);
    const refused = await post('/clusters/config', { min_cluster_size: 4 }, limited);
    expect(errorCodeOf(refused)).toBe('space_access_denied');
  });

  it('comes by itself where the account wants it: found, assigned, found anew', async () => {
    await storeMemories(client, memoriesOfTopic(0, 4));
    await post('/clusters/config', { auto_enabled: true });
    const minute = async () => {
      clock.advance(minuteMs);
      await drain();
      // What a run has queued behind itself.
      await drain();
      return (await client.clusters.runs()).data.map(({ kind }) => kind);
    };
    // Too few for a first run.
    expect(await minute()).toEqual([]);
    await storeMemories(client, [...memoriesOfTopic(0, 6, 4), ...memoriesOfTopic(1, 10)]);
    expect(await minute()).toEqual(['full']);
    expect(await newest()).toMatchObject({ memory_count: 20, cluster_count: 2, noise_count: 0 });
    // Nothing has changed.
    expect(await minute()).toEqual(['full']);
    const [id = ''] = await storeMemories(client, memoriesOfTopic(0, 1, 80));
    expect(await minute()).toEqual(['incremental', 'full']);
    expect((await client.clusters.ofMemory({ params: { id } })).data).toHaveLength(1);
    // A topic that no cluster has: the share of noise grows, and clusters are found anew.
    await storeMemories(client, memoriesOfTopic(2, 12));
    expect(await minute()).toEqual(['full', 'incremental', 'incremental', 'full']);
    expect(await newest()).toMatchObject({ kind: 'full', memory_count: 33, cluster_count: 3 });
    await post('/clusters/config', { auto_enabled: false });
    await storeMemories(client, memoriesOfTopic(1, 1, 80));
    expect(await minute()).toHaveLength(4);
  });

  it('is forgotten after 30 days, but for the newest of its kind and scope', async () => {
    const ids: string[] = [];
    for (const kind of ['full', 'full', 'incremental', 'incremental']) {
      ids.unshift(((await post(`/clusters/${kind}`)).body as { job_id: string }).job_id);
      await drain();
    }
    // One that was cancelled says less than the one before it, which found clusters.
    const { job_id } = (await post('/clusters/full')).body as { job_id: string };
    await post(`/jobs/${job_id}/cancel`);
    clock.advance(31 * dayMs);
    await drain();
    expect((await client.clusters.runs()).data.map(({ id }) => id)).toEqual([
      job_id,
      ids[0],
      ids[2],
    ]);
  });

  it('ends with its account, whose clusters go', async () => {
    const account = await service.createAccount();
    client = account.client;
    const ids = await storeMemories(client, memoriesOfTopic(0, 8));
    await addToClusters(client, ids[0] ?? '', (await createCluster(client, 'Tea')).id);
    await post('/clusters/full');
    await service.operator().admin.deleteAccount({
      params: { id: account.id },
      query: { confirm: true },
    });
    await drain();
    const { db } = service.running.context.app.engine;
    const tables = ['clusters', 'cluster_memories', 'cluster_runs', 'clustering_settings'] as const;
    for (const table of tables) {
      const rows = await db
        .selectFrom(table)
        .select('account_id')
        .where('account_id', '=', account.id)
        .execute();
      expect([table, rows.length]).toEqual([table, 0]);
    }
  });
});
