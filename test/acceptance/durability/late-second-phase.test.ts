import type { Client, Job } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administer } from '../../../packages/server/src/database/testing-cluster.ts';
import { type ProxiedNode, proxyNode } from '../../support/cluster-node.ts';
import { isAvailable } from '../../support/requirements.ts';
import { type Service, startService } from '../../support/service.ts';
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from '../webhooks/delivery/webhook-receiver.ts';

/**
 * A request that queues a job commits on two nodes: first on the coordinator, which has the job,
 * then on the node of the account. Here this second phase comes late.
 */
describe.runIf(isAvailable('citus'))('a job that is visible before the rows of its account', () => {
  const ending = new AsyncDisposableStack();
  let service: Service;
  let receiver: WebhookReceiver;
  let node: ProxiedNode;
  let client: Client;
  let ids: readonly string[];

  beforeAll(async () => {
    service = await startService('Citus', {
      isExclusive: true,
      // Their commits would wait, too, and the worker for them.
      overrides: { schedules: [] },
      env: { MNEME_WEBHOOK_ALLOW_HTTP: 'true', MNEME_WEBHOOK_ALLOW_PRIVATE: 'true' },
    });
    ending.defer(() => service.stop());
    receiver = ending.use(await startWebhookReceiver(() => 'takes'));
    node = ending.use(await proxyNode(service.config.databaseUrl ?? ''));
    client = await createAccount(true);
    ids = await Promise.all(
      ['heron', 'otter', 'newt'].map(async (name) => {
        const body = { content: `The ${name} lives at the river`, tags: ['draft'] };
        return (await client.memories.create({ body })).id;
      }),
    );
    const events = ['memory.updated', 'memory.deleted'] as const;
    await client.webhooks.create({ body: { url: receiver.url, events: [...events] } });
  });
  afterAll(() => ending.disposeAsync());

  async function createAccount(isOnNode: boolean): Promise<Client> {
    for (;;) {
      const account = await service.createAccount();
      if ((await node.has(account.id)) === isOnNode) return account.client;
    }
  }

  const findJob = async (kind: string): Promise<Job | undefined> =>
    (await client.jobs.list({ query: { kind } })).data[0];
  const tags = async (): Promise<string[]> =>
    (await client.memories.list()).data.flatMap((memory) => memory.tags).toSorted();
  const received = (type: string): string[] =>
    receiver.received
      .map(({ body }) => JSON.parse(body) as { type: string; data: { id: string } })
      .filter((event) => event.type === type)
      .map(({ data }) => data.id)
      .toSorted();
  const published = async (type: 'memory.updated' | 'memory.deleted'): Promise<number> =>
    (await client.events.list({ query: { type } })).data.length;

  /** Resolves when the worker has leased the job and waits on the node for a transaction. */
  async function waiting(kind: string): Promise<void> {
    const locks = `select from pg_locks where not granted and locktype = 'transactionid'`;
    const isWaiting = async () => (await administer(node.url, locks)).length > 0;
    await expect
      .poll(async () => [(await findJob(kind))?.status, await isWaiting()])
      .toEqual(['running', true]);
    expect(node.proxy.heldCommits).toBe(1);
  }

  it('runs once, with the rows, when the second phase has come', async () => {
    node.proxy.setMode('prepared', { keep: true });
    const starting = client.memories.startChange({
      body: { filter: { tags: ['draft'] }, action: { type: 'tag', add: ['checked'] } },
    });
    await waiting('memories.change');
    expect(await tags()).toEqual(['draft', 'draft', 'draft']);

    node.proxy.setMode('open', { keep: true });
    const { id } = (await starting) as { id: string };
    const read = () => client.memories.getChange({ params: { changeId: id } });
    await expect.poll(read).toMatchObject({ status: 'completed', changed_count: 3 });
    expect(await tags()).toEqual(['checked', 'checked', 'checked', 'draft', 'draft', 'draft']);
    await expect
      .poll(() => findJob('memories.change'))
      .toMatchObject({ status: 'completed', attempts: 1 });
    await expect.poll(() => received('memory.updated')).toEqual(ids.toSorted());
    expect(await published('memory.updated')).toBe(3);
  });

  it('is postponed after seconds, so that jobs of other accounts run', async () => {
    const other = await createAccount(false);
    node.proxy.setMode('prepared', { keep: true });
    const action = { type: 'tag' as const, add: ['late'] };
    const late = client.memories.startChange({ body: { filter: {}, action } });
    await waiting('memories.change');
    const start = await other.memories.startChange({ body: { filter: {}, action } });
    const changeId = 'id' in start ? start.id : '';
    const read = () => other.memories.getChange({ params: { changeId } });
    await expect.poll(read).toMatchObject({ status: 'completed' });
    expect(await findJob('memories.change')).not.toMatchObject({ status: 'completed' });

    node.proxy.setMode('open', { keep: true });
    await late;
    await expect.poll(() => findJob('memories.change')).toMatchObject({ status: 'completed' });
    expect((await tags()).filter((tag) => tag === 'late')).toHaveLength(3);
  });

  it('runs once, with the rows, when a commit that was cut is completed', async () => {
    node.proxy.setMode('prepared', { keep: true });
    const [id = ''] = ids;
    const erasing = client.memories.bulkDelete({ body: { ids: [id], soft: false } });
    await waiting('memories.erase');
    node.proxy.setMode('cut');
    await erasing;
    await expect.poll(() => findJob('memories.erase')).toMatchObject({ status: 'queued' });
    expect(received('memory.deleted')).toEqual([]);

    node.proxy.setMode('open');
    await administer(service.config.databaseUrl ?? '', 'select recover_prepared_transactions()');
    await expect
      .poll(() => findJob('memories.erase'))
      .toMatchObject({ status: 'completed', error: null });
    await expect.poll(() => received('memory.deleted')).toEqual([id]);
    expect(await published('memory.deleted')).toBe(1);
    expect((await client.memories.list()).data).toHaveLength(2);
    const rows = `select from memories where id = '${id}'`;
    expect(await administer(service.config.databaseUrl ?? '', rows)).toEqual([]);
  });
});
