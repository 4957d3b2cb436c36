import fs from 'node:fs/promises';
import { type Client, createClient } from '@mneme/sdk';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
import { engines, type Service, startService } from '../../support/service.ts';
import { GatedEmbedder } from '../memories/controlled-dependencies.ts';

/** A file of tests must hold one: without a server they are there and do not run. */
const onServer = engines.includes('PostgreSQL');

/** The embedded database belongs to one process. */
const body = JSON.stringify({ content: 'on the way' });

/** A request that is let in and waits for the rest of its body. */
interface Held {
  finish(): Promise<number>;
}

async function hold(url: string, key: string, ending: AsyncDisposableStack): Promise<Held> {
  const wire: RawHttpConnection = ending.use(await openRawConnection(url));
  const head = `POST /v1/memories HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n`;
  const length = `Content-Type: application/json\r\nContent-Length: ${body.length + 40}\r\n\r\n`;
  wire.send(`${head}${length}${body}`);
  return {
    async finish() {
      wire.send(' '.repeat(40));
      return (await wire.readResponse()).status;
    },
  };
}

/** How many requests of any key the database takes for running at a moment. */
async function running({ db }: Engine, now = new Date()): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from concurrency_slots where until > ${now}::timestamptz`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}
const reaches = (engine: Engine, count: number, now?: Date) =>
  eventually(
    () => running(engine, now),
    (found) => found === count,
  );

describe.runIf(onServer).each(['PostgreSQL'] as const)('two processes on one %s', (engine) => {
  const ending = new AsyncDisposableStack();
  let servers: readonly [ServerProcess, ServerProcess];
  let operator: Client;
  let database: Engine;
  /** How long after its revocation on one process a key was refused by the other, in ms. */
  let refusedAfter: Promise<number>;

  beforeAll(async () => {
    const place = await createDataLocation(engine);
    ending.defer(() => place.remove());
    const other = await createSiblingLocation(place);
    ending.defer(() => other.remove());
    const env = { MNEME_SECRET_KEY: 'one secret key for all the processes' };
    const first = ending.use(await startServerProcess(place, { env }));
    servers = [first, ending.use(await startServerProcess(other, { env }))];
    operator = first.client();
    const settings = { kind: 'server', url: place.databaseUrl ?? '', poolMax: 2 } as const;
    database = ending.use(await openEngine(settings, { log: silentLog }));
    refusedAfter = revocation();
    // A failure is told by the test that waits for it.
    refusedAfter.catch(() => undefined);
  });
  afterAll(() => ending.disposeAsync());

  /** A key of a fresh account, with a client for either process. */
  async function account(plan: 'free' | 'enterprise') {
    const { id } = await operator.admin.createAccount({ body: { name: 'x', plan } });
    const { key } = await operator.admin.createKey({ params: { id }, body: { name: 'first' } });
    const [a, b] = servers.map(({ url }) => createClient({ url, apiKey: key, retries: 0 }));
    return { id, key, clients: [a as Client, b as Client] as const };
  }

  /** Asks for all the time that the other tests take. */
  async function revocation(): Promise<number> {
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

  /** Sends to both by turns, a few at a time: how many of each status came back. */
  async function statuses(
    clients: readonly [Client, Client],
    count: number,
    path: string,
  ): Promise<Record<number, number>> {
    const told: Record<number, number> = {};
    let sent = 0;
    const lane = async (): Promise<void> => {
      while (sent < count) {
        const client = clients[sent % 2 === 0 ? 0 : 1];
        sent += 1;
        const { status } = await client.request({ method: 'GET', path });
        told[status] = (told[status] ?? 0) + 1;
      }
    };
    await Promise.all([lane(), lane(), lane()]);
    return told;
  }

  it('let exactly as many requests of a key pass in a minute as one alone would', async () => {
    const minute = (): number => Math.floor(Date.now() / 60_000);
    for (let attempt = 1; ; attempt += 1) {
      const { clients } = await account('free');
      const begun = minute();
      const told = await statuses(clients, 100, '/spaces');
      // A minute that turned meanwhile has let more pass: the next one has only begun.
      if (minute() !== begun && attempt === 1) continue;
      expect(told).toEqual({ 200: 60, 429: 40 });
      return;
    }
  });

  it('let exactly as many requests of a key run at once as one alone would', async () => {
    const { key, clients } = await account('free');
    await using held = new AsyncDisposableStack();
    const urls = [0, 1, 0, 1, 0].map((i) => servers[i === 0 ? 0 : 1].url);
    const requests = await Promise.all(urls.map((url) => hold(url, key, held)));
    await reaches(database, 5);
    for (const client of clients) {
      await expect(client.spaces.list()).rejects.toMatchObject({
        status: 429,
        code: 'concurrent_limit_exceeded',
      });
    }
    expect(await requests[0]?.finish()).toBe(201);
    for (const client of clients) expect((await client.spaces.list()).data).toEqual([]);
    // The same text as the first one's: let in all of them, and answered.
    const others = await Promise.all(requests.slice(1).map((request) => request.finish()));
    expect(others).toEqual([409, 409, 409, 409]);
    expect(await running(database)).toBe(0);
  });

  it('answer exactly as many searches of a month as the plan has', async () => {
    const { id, clients } = await account('free');
    const month = new Date().toISOString().slice(0, 7);
    await sql`insert into usage_counters (account_id, metric, period, used)
      values (${id}::uuid, 'searches', ${month}, 4990)`.execute(database.db);
    expect(await statuses(clients, 30, '/search?q=maps')).toEqual({ 200: 10, 429: 20 });
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
    // A little more for the answer itself on a busy machine.
    expect(await refusedAfter).toBeLessThan(12_000);
  });
});

describe.runIf(onServer).each(['PostgreSQL'] as const)(
  'the places of running requests on %s',
  (engine) => {
    it('of a process that was killed are free when their lease is over, not before', async () => {
      await using ending = new AsyncDisposableStack();
      const place = await createDataLocation(engine);
      ending.defer(() => place.remove());
      const doomed = ending.use(await startServerProcess(place));
      const clock = createFakeClock();
      const env = {
        MNEME_DATABASE_URL: place.databaseUrl ?? '',
        MNEME_ADMIN_KEY: doomed.adminKey,
        MNEME_SECRET_KEY: (await fs.readFile(`${place.dataDir}/secret-key`, 'utf8')).trim(),
      };
      const service = await startService(engine, { env, overrides: { clock } });
      ending.defer(() => service.stop());
      const { key, client } = await service.createAccount('free');
      await Promise.all([1, 2, 3, 4, 5].map(() => hold(doomed.url, key, ending)));
      await reaches(service.running.context.app.engine, 5);
      await doomed.kill('SIGKILL');
      const refused = { status: 429, code: 'concurrent_limit_exceeded' };
      await expect(client.spaces.list()).rejects.toMatchObject(refused);
      clock.advance(50_000);
      await expect(client.spaces.list()).rejects.toMatchObject(refused);
      clock.advance(10_000);
      expect((await client.spaces.list()).data).toEqual([]);
    });

    describe('while their process lives', () => {
      const clock = createFakeClock();
      const ending = new AsyncDisposableStack();
      let service: Service;
      let beside: Service;
      let failing = false;
      let embedder: GatedEmbedder;
      beforeAll(async () => {
        embedder = await GatedEmbedder.open();
        service = await startService(engine, { overrides: { clock } });
        const url = service.config.databaseUrl ?? '';
        const settings = { kind: 'server', url, poolMax: 5 } as const;
        const real = ending.use(await openEngine(settings, { log: silentLog }));
        beside = await startService(engine, {
          // As long as the hand clock says that requests take.
          env: {
            MNEME_DATABASE_URL: url,
            MNEME_REQUEST_TIMEOUT_SECONDS: '600',
            MNEME_SECRET_KEY: service.running.context.app.secretKey,
          },
          overrides: { clock, embedder, engine: withoutDeletes(real, () => failing) },
        });
      });
      afterAll(async () => {
        await beside.stop();
        await ending.disposeAsync();
        await service.stop();
      });

      /** A request that takes until the gate is opened. */
      const create = (key: string, content: string) =>
        beside.client(key).memories.create({ body: { content } });

      /** Lets a minute and more pass as it would: every 20 s the leases are renewed. */
      async function pass(seconds: number, held: number): Promise<void> {
        for (let at = 0; at < seconds; at += 20) {
          clock.advance(20_000);
          // Renewed now, they last for 60 s; before, for 40 s more.
          const later = new Date(clock.now().getTime() + 50_000);
          await reaches(service.running.context.app.engine, held, later);
        }
      }

      it('are kept for as long as the requests take', async () => {
        const { key, client } = await service.createAccount('free');
        embedder.closeGate();
        const held = [1, 2, 3, 4, 5].map((n) => create(key, `memory ${n}`));
        await reaches(service.running.context.app.engine, 5);
        await pass(100, 5);
        await expect(client.spaces.list()).rejects.toMatchObject({
          status: 429,
          code: 'concurrent_limit_exceeded',
        });
        embedder.openGate();
        await Promise.all(held);
        expect((await client.spaces.list()).data).toEqual([]);
      });

      it('that could not be given back are free when their lease is over', async () => {
        const { key, client } = await service.createAccount('free');
        embedder.closeGate();
        const long = create(key, 'a memory');
        await reaches(service.running.context.app.engine, 1);
        failing = true;
        for (let i = 0; i < 4; i += 1) {
          expect((await beside.client(key).spaces.list()).data).toEqual([]);
        }
        failing = false;
        await expect(client.spaces.list()).rejects.toMatchObject({
          status: 429,
          code: 'concurrent_limit_exceeded',
        });
        await pass(80, 1);
        expect((await client.spaces.list()).data).toEqual([]);
        embedder.openGate();
        expect((await long).content).toBe('a memory');
      });
    });
  },
);

/** An engine whose deletions fail while it is told so. */
function withoutDeletes(real: Engine, fails: () => boolean): Engine {
  const db = real.db.withPlugin({
    transformQuery({ node }) {
      if (fails() && node.kind === 'DeleteQueryNode') throw new Error('the connection was lost');
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return overrideEngine(real, { db });
}
