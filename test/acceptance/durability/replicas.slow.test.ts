import fs from 'node:fs/promises';
import { type Client, createClient } from '@mneme/sdk';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, openEngine } from '../../../packages/server/src/database/index.ts';
import { overrideEngine, silentLog } from '../../../packages/server/src/database/testing.ts';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { openRawConnection, type RawHttpConnection } from '../../support/raw-http.ts';
import {
  createDataLocation,
  createSiblingLocation,
  type ServerProcess,
  startServerProcess,
} from '../../support/server-process.ts';
import { engines, type Service, serverEngine, startService } from '../../support/service.ts';
import { GatedEmbedder } from '../memories/controlled-dependencies.ts';

/** Several processes need PostgreSQL; without it, the tests are defined and do not run. */
const onServer = engines.includes(serverEngine);

const body = JSON.stringify({ content: 'on the way' });
const concurrencyError = { status: 429, code: 'concurrent_limit_exceeded' };

/** A request that has been admitted and waits for the rest of its body. */
interface UnfinishedRequest {
  finish(): Promise<number>;
}

async function startRequest(
  url: string,
  key: string,
  cleanup: AsyncDisposableStack,
): Promise<UnfinishedRequest> {
  const connection: RawHttpConnection = cleanup.use(await openRawConnection(url));
  const head = `POST /v1/memories HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n`;
  const length = `Content-Type: application/json\r\nContent-Length: ${body.length + 40}\r\n\r\n`;
  connection.send(`${head}${length}${body}`);
  return {
    async finish() {
      connection.send(' '.repeat(40));
      return (await connection.readResponse()).status;
    },
  };
}

/** The number of leased slots of an account's keys at a time. */
async function countSlots({ db }: Engine, accountId: string, now = new Date()): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from concurrency_slots where until > ${now}::timestamptz
      and key_id in (select id from api_keys where account_id = ${accountId}::uuid)`.execute(db);
  return rows[0]?.count ?? 0;
}
const waitForSlots = (engine: Engine, accountId: string, count: number, now?: Date) =>
  eventually(
    () => countSlots(engine, accountId, now),
    (found) => found === count,
  );

describe.runIf(onServer).each([serverEngine] as const)('two processes on one %s', (engine) => {
  const cleanup = new AsyncDisposableStack();
  let servers: readonly [ServerProcess, ServerProcess];
  let operator: Client;
  let database: Engine;
  /** How long after its revocation on one process a key was refused by the other, in ms. */
  let refusedAfter: Promise<number>;

  beforeAll(async () => {
    const location = await createDataLocation(engine);
    cleanup.defer(() => location.remove());
    const sibling = await createSiblingLocation(location);
    cleanup.defer(() => sibling.remove());
    const env = { MNEME_SECRET_KEY: 'one secret key for all the processes' };
    const first = cleanup.use(await startServerProcess(location, { env }));
    servers = [first, cleanup.use(await startServerProcess(sibling, { env }))];
    operator = first.client();
    const settings = { kind: 'server', url: location.databaseUrl ?? '', poolMax: 2 } as const;
    database = cleanup.use(await openEngine(settings, { log: silentLog }));
    refusedAfter = measureRevocation();
    // The test that awaits it reports a failure.
    refusedAfter.catch(() => undefined);
  });
  afterAll(() => cleanup.disposeAsync());

  /** A key of a fresh account, with a client for either process. */
  async function account(plan: 'free' | 'enterprise') {
    const { id } = await operator.admin.createAccount({ body: { name: 'x', plan } });
    const { key } = await operator.admin.createKey({ params: { id }, body: { name: 'first' } });
    const [a, b] = servers.map(({ url }) => createClient({ url, apiKey: key, retries: 0 }));
    return { id, key, clients: [a as Client, b as Client] as const };
  }

  /** Sends requests while the other tests run. */
  async function measureRevocation(): Promise<number> {
    const { clients } = await account('enterprise');
    const { id, key } = await clients[0].keys.create({ body: { name: 'agent' } });
    const [here, there] = servers.map((server) => server.client(key));
    expect((await there?.memories.list())?.data).toEqual([]);
    expect((await here?.memories.list())?.data).toEqual([]);
    const statusOf = async (client: Client | undefined) =>
      (await client?.request({ method: 'GET', path: '/memories' }))?.status;
    await clients[0].keys.revoke({ params: { id } });
    const revokedAt = performance.now();
    expect(await statusOf(here)).toBe(401);
    await eventually(
      () => statusOf(there),
      (status) => status === 401,
      20_000,
    );
    return performance.now() - revokedAt;
  }

  /** Sends requests to both in turn, three at a time; returns how often each status occurred. */
  async function countStatuses(
    clients: readonly [Client, Client],
    count: number,
    path: string,
  ): Promise<Record<number, number>> {
    const counts: Record<number, number> = {};
    let sent = 0;
    const sendAll = async (): Promise<void> => {
      while (sent < count) {
        const client = clients[sent % 2 === 0 ? 0 : 1];
        sent += 1;
        const { status } = await client.request({ method: 'GET', path });
        counts[status] = (counts[status] ?? 0) + 1;
      }
    };
    await Promise.all([sendAll(), sendAll(), sendAll()]);
    return counts;
  }

  it('let exactly as many requests of a key pass in a minute as one alone would', async () => {
    const minute = (): number => Math.floor(Date.now() / 60_000);
    for (let attempt = 1; ; attempt += 1) {
      const { clients } = await account('free');
      const startMinute = minute();
      const counts = await countStatuses(clients, 100, '/spaces');
      // More pass if a new minute starts meanwhile; a second attempt has most of a minute left.
      if (minute() !== startMinute && attempt === 1) continue;
      expect(counts).toEqual({ 200: 60, 429: 40 });
      return;
    }
  });

  it('let exactly as many requests of a key run at once as one alone would', async () => {
    const { id, key, clients } = await account('free');
    await using connections = new AsyncDisposableStack();
    const urls = [0, 1, 0, 1, 0].map((i) => servers[i === 0 ? 0 : 1].url);
    const requests = await Promise.all(urls.map((url) => startRequest(url, key, connections)));
    await waitForSlots(database, id, 5);
    for (const client of clients) {
      await expect(client.spaces.list()).rejects.toMatchObject(concurrencyError);
    }
    expect(await requests[0]?.finish()).toBe(201);
    for (const client of clients) expect((await client.spaces.list()).data).toEqual([]);
    // All were admitted, but their text is the same as that of the first one.
    const others = await Promise.all(requests.slice(1).map((request) => request.finish()));
    expect(others).toEqual([409, 409, 409, 409]);
    expect(await countSlots(database, id)).toBe(0);
  });

  it('answer exactly as many searches of a month as the plan has', async () => {
    const { id, clients } = await account('free');
    const month = new Date().toISOString().slice(0, 7);
    await sql`insert into usage_counters (account_id, metric, period, used)
      values (${id}::uuid, 'searches', ${month}, 4990)`.execute(database.db);
    expect(await countStatuses(clients, 30, '/search?q=maps')).toEqual({ 200: 10, 429: 20 });
  });

  it('make one key for an Idempotency-Key that both get at once, shown to both', async () => {
    const { clients } = await account('enterprise');
    for (let round = 0; round < 10; round += 1) {
      const name = `round ${round}`;
      const make = (client: Client) =>
        client.keys.create({ body: { name } }, { idempotencyKey: name });
      const answers = await Promise.allSettled(clients.map(make));
      const [one, two] = await Promise.all(clients.map(make));
      expect(two).toEqual(one);
      for (const answer of answers) {
        if (answer.status === 'fulfilled') expect(answer.value).toEqual(one);
        else expect(answer.reason).toMatchObject({ code: 'idempotency_in_progress' });
      }
      expect(answers.some(({ status }) => status === 'fulfilled')).toBe(true);
      const { data } = await clients[0].keys.list({ query: { limit: 100 } });
      expect(data.filter((key) => key.name === name)).toHaveLength(1);
    }
  });

  it('refuse a key within 10 s of its revocation on one of them', async () => {
    // Two seconds more for the response itself on a busy machine.
    expect(await refusedAfter).toBeLessThan(12_000);
  });
});

describe.runIf(onServer).each([serverEngine] as const)(
  'the places of running requests on %s',
  (engine) => {
    it('of a process that was killed are free when their lease is over, not before', async () => {
      await using cleanup = new AsyncDisposableStack();
      const location = await createDataLocation(engine);
      cleanup.defer(() => location.remove());
      const killed = cleanup.use(await startServerProcess(location));
      const clock = createFakeClock();
      const env = {
        MNEME_DATABASE_URL: location.databaseUrl ?? '',
        MNEME_ADMIN_KEY: killed.adminKey,
        MNEME_SECRET_KEY: (await fs.readFile(`${location.dataDir}/secret-key`, 'utf8')).trim(),
      };
      const service = await startService(engine, { env, overrides: { clock } });
      cleanup.defer(() => service.stop());
      const { id, key, client } = await service.createAccount('free');
      await Promise.all([1, 2, 3, 4, 5].map(() => startRequest(killed.url, key, cleanup)));
      await waitForSlots(service.running.context.app.engine, id, 5);
      await killed.kill('SIGKILL');
      await expect(client.spaces.list()).rejects.toMatchObject(concurrencyError);
      clock.advance(50_000);
      await expect(client.spaces.list()).rejects.toMatchObject(concurrencyError);
      clock.advance(10_000);
      expect((await client.spaces.list()).data).toEqual([]);
    });

    describe('while their process lives', () => {
      const clock = createFakeClock();
      const cleanup = new AsyncDisposableStack();
      let service: Service;
      let other: Service;
      let otherEngine: Engine;
      let embedder: GatedEmbedder;
      let deletesFail = false;
      beforeAll(async () => {
        embedder = await GatedEmbedder.open();
        service = await startService(engine, { overrides: { clock } });
        cleanup.defer(() => service.stop());
        const url = service.config.databaseUrl ?? '';
        // The tests read through the only connection of the other service: when they see a renewed
        // lease, it has handled the response to its renewal and set the timer of the next one.
        const settings = { kind: 'server', url, poolMax: 1 } as const;
        otherEngine = cleanup.use(await openEngine(settings, { log: silentLog }));
        other = await startService(engine, {
          env: {
            MNEME_DATABASE_URL: url,
            MNEME_SECRET_KEY: service.running.context.app.secretKey,
          },
          overrides: {
            clock,
            embedder,
            engine: withFailingDeletes(otherEngine, () => deletesFail),
          },
        });
        cleanup.defer(() => other.stop());
      });
      // Also after a failure: the requests of one test must not last until the next one.
      afterEach(() => {
        embedder.openGate();
        deletesFail = false;
      });
      afterAll(() => cleanup.disposeAsync());

      /** Starts requests that run until the gate opens, and waits until all of them run. */
      async function startCreates(key: string, count: number) {
        embedder.closeGate();
        const creates = Array.from({ length: count }, (_, i) =>
          other.client(key).memories.create({ body: { content: `memory ${i}` } }),
        );
        await eventually(
          async () => embedder.waitingCount,
          (waiting) => waiting === count,
        );
        return creates;
      }

      /** Advances the clock from one renewal to the next, and waits for each of them. */
      async function advanceRenewals(renewals: number, accountId: string, slots: number) {
        for (let renewal = 0; renewal < renewals; renewal += 1) {
          clock.advance(20_000);
          // A renewed lease lasts for 60 s, others for at most 40 s.
          const later = new Date(clock.now().getTime() + 50_000);
          await waitForSlots(otherEngine, accountId, slots, later);
        }
      }

      it('are kept for as long as the requests take', async () => {
        const { id, key, client } = await service.createAccount('free');
        const creates = await startCreates(key, 5);
        await advanceRenewals(5, id, 5);
        await expect(client.spaces.list()).rejects.toMatchObject(concurrencyError);
        embedder.openGate();
        await Promise.all(creates);
        expect((await client.spaces.list()).data).toEqual([]);
      });

      it('that could not be given back are free when their lease is over', async () => {
        const { id, key, client } = await service.createAccount('free');
        const [create] = await startCreates(key, 1);
        deletesFail = true;
        for (let i = 0; i < 4; i += 1) {
          expect((await other.client(key).spaces.list()).data).toEqual([]);
        }
        deletesFail = false;
        await expect(client.spaces.list()).rejects.toMatchObject(concurrencyError);
        await advanceRenewals(4, id, 1);
        expect((await client.spaces.list()).data).toEqual([]);
        embedder.openGate();
        expect((await create)?.content).toBe('memory 0');
      });
    });
  },
);

/** An engine whose deletes fail while `fails` returns true. */
function withFailingDeletes(real: Engine, fails: () => boolean): Engine {
  const db = real.db.withPlugin({
    transformQuery({ node }) {
      if (fails() && node.kind === 'DeleteQueryNode') throw new Error('the connection was lost');
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return overrideEngine(real, { db });
}
