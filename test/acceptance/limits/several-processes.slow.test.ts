import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, serverEngine, startService } from '../../support/service.ts';
import { GatedEmbedder } from '../memories/controlled-dependencies.ts';
import {
  advanceToNextDay,
  advanceToNextMinute,
  createKeyFor,
  dayOf,
  getRequest,
  postRequest,
  readLimitHeaders,
  readUsage,
  responseStatuses,
  runConcurrently,
  setUsage,
} from './usage-and-windows.ts';

/** A file of tests must hold one: without a server they are there and do not run. */
const onServer = engines.includes(serverEngine);

const plain = getRequest('/spaces');
const hourMs = 3_600_000;

/** The embedded database belongs to one process. */

describe.runIf(onServer).each([serverEngine] as const)(
  'limits of two processes on %s',
  (engine) => {
    let first: Service;
    let second: Service;
    let embedder: GatedEmbedder;
    // One for both: two machines agree on the time but for a little.
    const clock = createFakeClock();

    beforeAll(async () => {
      embedder = await GatedEmbedder.open();
      first = await startService(engine, { overrides: { clock, embedder } });
      const env = {
        MNEME_DATABASE_URL: first.config.databaseUrl ?? '',
        MNEME_SECRET_KEY: first.running.context.app.secretKey,
      };
      second = await startService(engine, { env, overrides: { clock, embedder } });
    });
    afterAll(async () => {
      embedder.openGate();
      await second.stop();
      await first.stop();
    });

    /** A key of a fresh account, with a client for either process. */
    async function keyOn(plan: 'free' | 'pro') {
      const account = await first.createAccount(plan);
      return { ...account, clients: [account.client, second.client(account.key)] as const };
    }

    it('count one minute together', async () => {
      const { clients } = await keyOn('pro');
      advanceToNextMinute(clock);
      const answers = await runConcurrently(330, 16, (i) =>
        clients[i % 2 === 0 ? 0 : 1].request(plain),
      );
      expect(responseStatuses(answers)).toEqual([...Array(300).fill(200), ...Array(30).fill(429)]);
      const told = answers.filter(({ status }) => status === 200).map(readLimitHeaders);
      expect(new Set(told.map((one) => one?.remaining)).size).toBe(300);
      advanceToNextMinute(clock);
      for (const client of clients) expect((await client.request(plain)).status).toBe(200);
    });

    it('count a single endpoint together', async () => {
      const { clients } = await keyOn('pro');
      advanceToNextMinute(clock);
      const bulk = postRequest('/memories/bulk', {});
      const answers = await runConcurrently(14, 4, (i) =>
        clients[i % 2 === 0 ? 0 : 1].request(bulk),
      );
      expect(responseStatuses(answers)).toEqual([...Array(10).fill(422), ...Array(4).fill(429)]);
    });

    it('let no more requests run at once than one would; a refused one uses nothing', async () => {
      const { id, key, clients } = await keyOn('free');
      const day = advanceToNextDay(clock);
      const { data } = await clients[0].keys.list();
      const counter = {
        accountId: id,
        metric: `requests:${data[0]?.id}`,
        period: dayOf(day),
      };
      embedder.closeGate();
      const running = Array.from({ length: 5 }, (_, i) =>
        clients[i % 2 === 0 ? 0 : 1].request(postRequest('/memories', { content: `${key} ${i}` })),
      );
      await eventually(
        async () => embedder.waitingCount,
        (now) => now === 5,
      );
      for (const client of [...clients, ...clients, ...clients]) {
        const refused = await client.request(plain);
        expect(refused).toMatchObject({
          status: 429,
          body: { error: { code: 'concurrent_limit_exceeded', limit: 5, window: 0 } },
        });
      }
      embedder.openGate();
      expect(responseStatuses(await Promise.all(running))).toEqual(Array(5).fill(201));
      const told = readLimitHeaders(await clients[1].request(plain));
      expect(told).toMatchObject({ limit: 60, remaining: 60 - 7 });
      clock.advance(5_000);
      await eventually(
        () => readUsage(first, counter),
        (used) => used === 7,
      );
      const all = await runConcurrently(5, 5, (i) => clients[i % 2 === 0 ? 0 : 1].request(plain));
      expect(responseStatuses(all)).toEqual(Array(5).fill(200));
    });

    it('five clients that wait for each answer are never too many, wherever they ask', async () => {
      const { clients } = await keyOn('free');
      advanceToNextMinute(clock);
      const answers = await Promise.all(
        Array.from({ length: 5 }, () =>
          runConcurrently(12, 1, (i) => clients[i % 2 === 0 ? 0 : 1].request(plain)),
        ),
      );
      expect(new Set(responseStatuses(answers.flat()))).toEqual(new Set([200]));
    });

    it('count one day together, each after the other has written', async () => {
      advanceToNextDay(clock);
      const { id } = await first.createAccount('free');
      const made = await createKeyFor(first, id);
      const clients = [made.client, second.client(made.key)] as const;
      const counter = { accountId: id, metric: `requests:${made.id}`, period: dayOf(clock.now()) };
      await setUsage(first, counter, 9_990);
      for (const client of clients) await runConcurrently(4, 1, () => client.request(plain));
      clock.advance(5_000);
      await eventually(
        () => readUsage(first, counter),
        (used) => used === 9_998,
      );
      // Whichever wrote first learns of the other with its own next writing.
      await clients[0].request(plain);
      await clients[1].request(plain);
      clock.advance(5_000);
      await eventually(
        () => readUsage(first, counter),
        (used) => used === 10_000,
      );
      clock.advance(5_000);
      const last = await runConcurrently(4, 1, (i) => clients[i % 2 === 0 ? 0 : 1].request(plain));
      expect(last.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(2);
    });

    it('keep the quotas of an account together', async () => {
      const { id, clients } = await keyOn('pro');
      await setUsage(first, { accountId: id, metric: 'memories', period: 'total' }, 99_990);
      const answers = await runConcurrently(30, 20, (i) =>
        clients[i % 2 === 0 ? 0 : 1].request(postRequest('/memories', { content: `${id} ${i}` })),
      );
      expect(responseStatuses(answers)).toEqual([...Array(10).fill(201), ...Array(20).fill(403)]);
    });

    it('take a session token of each other when they share the secret', async () => {
      const { clients } = await keyOn('pro');
      const { token } = await clients[0].auth.createToken();
      expect((await second.client(token).account.get()).plan).toBe('pro');
    });
  },
);

describe.runIf(onServer).each([serverEngine] as const)(
  'what nothing counts toward any more, on %s',
  (engine) => {
    it('is forgotten within the hour, and what still counts is not', async () => {
      const clock: FakeClock = createFakeClock();
      const service = await startService(engine, { overrides: { clock } });
      const { id: accountId } = await service.createAccount('free');
      const now = Date.now();
      const { db } = service.running.context.app.engine;
      await sql`insert into rate_limit_windows (key, points, expire) values
      ('over', 1, ${now - 2 * hourMs}::bigint), ('live', 1, ${now + 100_000}::bigint)`.execute(db);
      const old = { accountId, metric: 'requests:x', period: '2020-02-02' };
      const month = { accountId, metric: 'searches', period: '2020-02' };
      await setUsage(service, old, 7);
      await setUsage(service, month, 7);
      const keys = async () => {
        const { rows } = await sql<{ key: string }>`
        select key from rate_limit_windows where key in ('over', 'live')`.execute(db);
        return rows.map(({ key }) => key);
      };
      clock.advance(hourMs);
      await eventually(keys, (left) => !left.includes('over'));
      expect(await keys()).toEqual(['live']);
      await eventually(
        () => readUsage(service, old),
        (used) => used === 0,
      );
      expect(await readUsage(service, month)).toBe(7);
      await service.stop();
    });
  },
);
