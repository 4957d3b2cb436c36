import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../packages/sdk/src/index.ts';
import { enqueueJob, findJob } from '../../../packages/server/src/jobs/job-queue.ts';
import { type ProxiedNode, proxyNode } from '../../support/cluster-node.ts';
import { isAvailable } from '../../support/requirements.ts';
import { type Service, startService } from '../../support/service.ts';

const unavailable = { status: 503, code: 'service_unavailable', retryAfterSeconds: 5 };

describe.runIf(isAvailable('citus'))('a node of the database that does not respond', () => {
  const ending = new AsyncDisposableStack();
  let service: Service;
  let node: ProxiedNode;
  type Account = Awaited<ReturnType<Service['createAccount']>>;
  /** An account on that node, and one on another. */
  let lost: Account;
  let other: Account;

  beforeAll(async () => {
    service = await startService('Citus', {
      isExclusive: true,
      extractsInBackground: true,
    });
    ending.defer(() => service.stop());
    node = ending.use(await proxyNode(service.config.databaseUrl ?? ''));
    for (const isOnNode of [true, false]) {
      const account = await createAccountOn(isOnNode);
      await create(account.client, 'The heron stands in the shallow water');
      if (isOnNode) lost = account;
      else other = account;
    }
  });
  afterAll(() => ending.disposeAsync());

  async function createAccountOn(isOnNode: boolean): Promise<Account> {
    for (;;) {
      const account = await service.createAccount();
      if ((await node.has(account.id)) === isOnNode) return account;
    }
  }

  async function returnOfNode(): Promise<void> {
    node.proxy.setMode('open');
    await expect.poll(() => contents(lost.client).catch(() => null)).not.toBe(null);
    expect(unavailableNodes()).toEqual([]);
  }

  const create = (client: Client, content: string) => client.memories.create({ body: { content } });
  const contents = async (client: Client): Promise<string[]> =>
    (await client.memories.list()).data.map(({ content }) => content);
  const find = async (client: Client, q: string): Promise<number> =>
    (await client.search.get({ query: { q } })).results.length;
  const unavailableNodes = () => service.running.context.app.engine.unavailableNodes;

  it.each(['cut', 'silent'] as const)('is told to its accounts only (%s)', async (mode) => {
    node.proxy.setMode(mode);
    const errors = await Promise.all(
      [
        create(lost.client, 'Not stored'),
        contents(lost.client),
        find(lost.client, 'heron'),
        lost.client.spaces.list(),
        // More than there are connections.
        ...Array.from({ length: 30 }, () => contents(lost.client)),
      ].map((request) => request.catch((error: unknown) => error)),
    );
    for (const error of errors) expect(error).toMatchObject(unavailable);
    expect(unavailableNodes()).toEqual([node.name]);
    const { status, checks } = await service.operator().operations.health();
    expect([status, checks.nodes?.ok]).toEqual(['degraded', false]);
    await create(other.client, `Stored while ${mode}`);
    expect(await contents(other.client)).toContain(`Stored while ${mode}`);
    expect(await find(other.client, 'heron')).toBeGreaterThan(0);

    await returnOfNode();
    expect(await contents(lost.client)).not.toContain('Not stored');
    await create(lost.client, `Stored after ${mode}`);
    expect(await find(lost.client, `stored after ${mode}`)).toBeGreaterThan(0);
  });

  it('keeps no process from starting', async () => {
    node.proxy.setMode('cut');
    await using starting = new AsyncDisposableStack();
    const started = await startService('Citus', {
      env: {
        MNEME_DATABASE_URL: service.config.databaseUrl ?? '',
        MNEME_SECRET_KEY: service.running.context.app.secretKey,
      },
    });
    starting.defer(() => started.stop());
    expect(await contents(started.client(other.key))).not.toEqual([]);
    const failing = contents(started.client(lost.key));
    await expect(failing).rejects.toMatchObject(unavailable);
    await returnOfNode();
  });

  it('postpones jobs of its accounts without a failed attempt', async () => {
    const { app } = service.running.context;
    const job = { id: app.ids.uuid(), accountId: lost.id, kind: 'memories.erase' };
    node.proxy.setMode('cut');
    const queued = { ...job, payload: { ids: [] }, spaces: null, runAt: new Date() };
    await enqueueJob(app.engine.db, queued);
    const state = () => findJob(app.engine.db, lost.id, job.id);
    await expect.poll(state).toMatchObject({ status: 'queued', attempts: 1, failures: 0 });
    await returnOfNode();
    await expect.poll(state).toMatchObject({ status: 'completed', failures: 0 });
  });
});
