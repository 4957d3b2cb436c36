import { createClient } from '@mneme/sdk';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../packages/server/src/kernel/config.ts';
import { createLog } from '../../../packages/server/src/kernel/log.ts';
import { serve } from '../../../packages/server/src/serve.ts';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { createDataLocation } from '../../support/server-process.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import {
  advanceToNextDay,
  advanceToNextMinute,
  createKeyFor,
  dayOf,
  getRequest,
  readLimitHeaders,
  readUsage,
  responseStatuses,
  runConcurrently,
  setUsage,
} from './usage-and-windows.ts';

const plain = getRequest('/spaces');
const flushMs = 5_000;

describe.each(engines)('the window of a day on %s', (engine) => {
  let service: Service;
  const clock = createFakeClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());

  /** The day's counter of a key. */
  const counterOf = (accountId: string, keyId: string) => ({
    accountId,
    metric: `requests:${keyId}`,
    period: dayOf(clock.now()),
  });

  /** A fresh key that has used so much of the day already. */
  async function usedKey(plan: 'free' | 'pro' | 'max', used: number) {
    const { id: accountId } = await service.createAccount(plan);
    const key = await createKeyFor(service, accountId);
    const counter = counterOf(accountId, key.id);
    await setUsage(service, counter, used);
    return { ...key, accountId, counter };
  }

  it.each([
    ['free', 10_000],
    ['pro', 100_000],
    ['max', 500_000],
  ] as const)(
    '%s: after %i requests the next is refused until the UTC day ends',
    async (...row) => {
      const [plan, limit] = row;
      const start = advanceToNextDay(clock);
      const { client } = await usedKey(plan, limit - 1);
      const reset = start.getTime() / 1_000 + 86_400;
      const policy = `${limit};w=86400`;
      const last = await client.request(plain);
      expect(last.status).toBe(200);
      expect(readLimitHeaders(last)).toEqual({ limit, remaining: 0, reset, policy });

      advanceToNextMinute(clock);
      const [before, refused, after] = [clock.now(), await client.request(plain), clock.now()];
      const retry = Number(refused.headers.get('retry-after'));
      const five = { limit, remaining: 0, reset, retry_after: retry, window: 86_400 };
      expect(refused).toMatchObject({
        status: 429,
        body: { error: { code: 'rate_limit_exceeded', ...five, details: five } },
      });
      expect(readLimitHeaders(refused)).toEqual({ limit, remaining: 0, reset, policy });
      expect(retry).toBeGreaterThanOrEqual(Math.ceil(reset - after.getTime() / 1_000));
      expect(retry).toBeLessThanOrEqual(Math.ceil(reset - before.getTime() / 1_000));

      advanceToNextDay(clock);
      expect((await client.request(plain)).status).toBe(200);
    },
  );

  it('lets through no more than are left, however many come at once', async () => {
    advanceToNextDay(clock);
    const { client } = await usedKey('pro', 100_000 - 3);
    const [asked, answers] = await service.running.context.app.engine.transaction(async (tx) => {
      await sql`lock table usage_counters in access exclusive mode`.execute(tx);
      const asking = Array.from({ length: 15 }, () => client.request(plain));
      // Answered after the server has heard all of them.
      return [await service.client().request(getRequest('/openapi.json')), asking];
    });
    expect(asked.status).toBe(200);
    expect(responseStatuses(await Promise.all(answers))).toEqual([
      ...Array(3).fill(200),
      ...Array(12).fill(429),
    ]);
  });

  it('belongs to a key: another key of the account goes on', async () => {
    advanceToNextDay(clock);
    const { accountId, client } = await usedKey('free', 10_000);
    expect((await client.request(plain)).status).toBe(429);
    expect((await (await createKeyFor(service, accountId)).client.request(plain)).status).toBe(200);
  });

  it('is written within five seconds, and once', async () => {
    advanceToNextDay(clock);
    const { client, counter } = await usedKey('free', 100);
    await runConcurrently(7, 3, () => client.request(plain));
    expect(await readUsage(service, counter)).toBe(100);
    clock.advance(flushMs);
    const used = () => readUsage(service, counter);
    await eventually(used, (now) => now === 107);
    clock.advance(flushMs);
    await client.request(plain);
    clock.advance(flushMs);
    await eventually(used, (now) => now === 108);
  });

  it('counts into the day of the request, whenever it is written', async () => {
    advanceToNextDay(clock);
    const { client, accountId, id, counter } = await usedKey('free', 0);
    await runConcurrently(3, 1, () => client.request(plain));
    advanceToNextDay(clock);
    await runConcurrently(2, 1, () => client.request(plain));
    clock.advance(flushMs);
    await eventually(
      () => readUsage(service, counterOf(accountId, id)),
      (now) => now === 2,
    );
    expect(await readUsage(service, counter)).toBe(3);
  });
});

describe.each(engines)('the window of a day over a restart on %s', (engine) => {
  it('goes on where it was: what was counted is written at the end', async () => {
    const clock = createFakeClock();
    const place = await createDataLocation(engine);
    const { config } = readConfig({
      MNEME_PORT: '0',
      MNEME_SHUTDOWN_SECONDS: '1',
      MNEME_DATA_DIR: place.dataDir,
      ...(place.databaseUrl === null ? {} : { MNEME_DATABASE_URL: place.databaseUrl }),
    });
    const start = () => serve(config, '0.0.0-test', { clock, log: createLog('silent') });
    advanceToNextDay(clock);
    const first = await start();
    const operator = createClient({
      url: first.url,
      apiKey: first.context.firstKey?.key ?? '',
      retries: 0,
    });
    const account = await operator.admin.createAccount({ body: { name: 'acme' } });
    const made = { params: { id: account.id }, body: { name: 'agent' } };
    const { id, key } = await operator.admin.createKey(made);
    const counter = {
      accountId: account.id,
      metric: `requests:${id}`,
      period: dayOf(clock.now()),
    };
    await setUsage({ running: first }, counter, 9_990);
    const ask = (url: string) => createClient({ url, apiKey: key, retries: 0 }).request(plain);
    expect(responseStatuses(await runConcurrently(6, 3, () => ask(first.url)))).toEqual(
      Array(6).fill(200),
    );
    await first.stop();

    const second = await start();
    expect(responseStatuses(await runConcurrently(4, 1, () => ask(second.url)))).toEqual(
      Array(4).fill(200),
    );
    const refused = { status: 429, body: { error: { window: 86_400 } } };
    expect(await ask(second.url)).toMatchObject(refused);
    await second.stop();
    await place.remove();
  });
});
