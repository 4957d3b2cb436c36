import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Client, createClient } from '@mneme/sdk';
import { describe, expect, it } from 'vitest';
import { administer } from '../../packages/server/src/database/testing-cluster.ts';
import { killRounds } from '../acceptance/durability/kill-rounds.ts';
import { eventually } from '../support/eventually.ts';
import { isAvailable } from '../support/requirements.ts';
import {
  createSiblingLocation,
  type DataLocation,
  type ServerProcess,
  startServerProcess,
} from '../support/server-process.ts';
import { type OwnCluster, ownCluster } from './own-cluster.ts';

const rounds = Number(process.env.MNEME_TEST_ROUNDS ?? 3);
const recoveryMs = 60_000;
/** The lease of a job that a process has lost sight of ends first. */
const jobsMs = 180_000;

describe.runIf(isAvailable('ownCitus'))('a coordinator that is replaced by its standby', () => {
  it(`takes back nothing that was answered, in ${rounds} rounds under load`, async () => {
    await using cluster = await ownCluster();
    await using place = await createPlace(cluster);
    const seed = Number(process.env.MNEME_TEST_SEED ?? Date.now() % 1_000_000);
    const reports = await killRounds('Citus', {
      rounds,
      seed,
      place,
      method: {
        kill: () => cluster.killCoordinator(),
        async restart(server) {
          cluster.moveAddress();
          await cluster.promoteStandby();
          await untilHealthy(server);
          await cluster.addStandby();
          return server;
        },
        returnsErrors: true,
      },
    });
    process.stdout.write(`failover, seed ${seed}: ${JSON.stringify(reports)}\n`);
    expect(reports.flatMap(({ violations }) => violations)).toEqual([]);
  });

  it('keeps the jobs, which go on in the processes that were running', async () => {
    await using cluster = await ownCluster();
    await using ending = new AsyncDisposableStack();
    const place = ending.use(await createPlace(cluster));
    const sibling = await createSiblingLocation(place);
    ending.defer(() => sibling.remove());
    const first = ending.use(await startServerProcess(place, { env }));
    const second = ending.use(await startServerProcess(sibling, { env }));
    const accounts = await Promise.all(
      Array.from({ length: 6 }, () => createAccount(first.client(), second.url)),
    );
    const changes = await Promise.all(
      accounts.map(async (client) => {
        const action = { type: 'tag' as const, add: ['checked'] };
        const change = await client.memories.startChange({ body: { filter: {}, action } });
        return 'id' in change ? change.id : '';
      }),
    );
    cluster.killCoordinator();
    cluster.moveAddress();
    for (const client of [first.client(), second.client(first.adminKey)]) {
      // A standby may be behind, so that nothing is read from it.
      const unavailable = { code: 'storage_error' };
      await expect(client.memories.list()).rejects.toMatchObject(unavailable);
      const { status } = await client.request({ method: 'GET', path: '/ready' });
      expect(status).toBe(503);
    }
    await cluster.promoteStandby();
    await Promise.all([untilHealthy(first), untilHealthy(second)]);

    for (const [i, client] of accounts.entries()) {
      const changeId = changes[i] ?? '';
      await eventually(
        () => client.memories.getChange({ params: { changeId } }),
        ({ status }) => status === 'completed',
        jobsMs,
      );
      const query = { type: 'memory.updated' as const, limit: 100 };
      const { data } = await client.events.list({ query });
      expect(data).toHaveLength(memories);
      const { data: listed } = await client.memories.list({ query: { limit: 100 } });
      expect(listed.map(({ tags }) => tags)).toEqual(listed.map(() => ['checked']));
    }
    for (const url of cluster.workerUrls) {
      const { port } = new URL(cluster.coordinatorUrl());
      const known = `select nodeport::text as port from pg_dist_node where groupid = 0`;
      await eventually(
        () => administer(url, known) as Promise<{ port: string }[]>,
        ([node]) => node?.port === port,
      );
    }
    expect([first.exit(), second.exit()]).toEqual([undefined, undefined]);
  });
});

const memories = 60;
const env = { MNEME_EMBEDDING_PROVIDER: 'static' };

async function createPlace({ address }: OwnCluster): Promise<DataLocation & AsyncDisposable> {
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'mneme-test-'));
  const remove = () => fs.rm(dataDir, { recursive: true, force: true });
  return { dataDir, databaseUrl: address.url, remove, [Symbol.asyncDispose]: remove };
}

async function untilHealthy(server: ServerProcess): Promise<void> {
  const health = () => server.client().request({ method: 'GET', path: '/health' });
  await eventually(health, ({ status }) => status === 200, recoveryMs);
}

/** A client of the process at `url`, whose account has the memories. */
async function createAccount(operator: Client, url: string): Promise<Client> {
  const { id } = await operator.admin.createAccount({ body: { name: 'a', plan: 'enterprise' } });
  const { key } = await operator.admin.createKey({ params: { id }, body: { name: 'test' } });
  const client = createClient({ url, apiKey: key, retries: 0 });
  const contents = Array.from({ length: memories }, (_, i) => ({ content: `Note ${i}` }));
  await client.memories.bulkCreate({ query: { atomic: true }, body: { memories: contents } });
  return client;
}
