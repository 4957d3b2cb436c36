import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import {
  advanceToNextMonth,
  createKeyFor,
  getRequest,
  monthOf,
  postRequest,
  readLimitHeaders,
  responseStatuses,
  runConcurrently,
  setUsage,
} from './usage-and-windows.ts';

let made = 0;
const name = (): string => {
  made += 1;
  return `number ${made}`;
};

describe.each(engines)('quotas of an account on %s', (engine) => {
  let service: Service;
  const clock = createFakeClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock }, isExclusive: true });
  });
  afterAll(() => service.stop());

  const full = (quota: string, limit: number) => ({
    status: 403,
    body: { error: { code: 'quota_exceeded', details: { quota, limit, used: limit } } },
  });
  const usageOf = async (client: Client) => (await client.account.get()).usage;

  describe('spaces', () => {
    const make = (client: Client, space = name()) =>
      client.request(postRequest('/spaces', { name: space }));

    it('free has three; deleting one makes room for one', async () => {
      const { client } = await service.createAccount('free');
      const answers = await runConcurrently(4, 1, () => make(client));
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 403]);
      expect(answers[3]).toMatchObject(full('spaces', 3));
      const [{ id = '' } = {}] = (await client.spaces.list()).data;
      const path = `/spaces/${id}`;
      const removed = await runConcurrently(4, 4, () => client.request({ method: 'DELETE', path }));
      expect(responseStatuses(removed)).toEqual([204, 404, 404, 404]);
      expect((await usageOf(client)).spaces).toBe(2);
      expect((await make(client)).status).toBe(201);
      expect(await make(client)).toMatchObject(full('spaces', 3));
    });

    it('a name that is taken, and a space that is not empty, change no count', async () => {
      const { client } = await service.createAccount('free');
      const { id, name: taken } = await client.spaces.create({ body: { name: name() } });
      await client.spaces.create({ body: { name: name() } });
      for (const answer of await runConcurrently(4, 4, () => make(client, taken))) {
        expect(answer.status).toBe(409);
      }
      await client.memories.create({ body: { content: 'Tea.', space_id: id } });
      const kept = await client.request({ method: 'DELETE', path: `/spaces/${id}` });
      expect(kept).toMatchObject({ status: 409, body: { error: { code: 'space_not_empty' } } });
      expect((await usageOf(client)).spaces).toBe(2);
      expect((await make(client)).status).toBe(201);
    });

    it('of five made at once on free three are', async () => {
      const { client } = await service.createAccount('free');
      const answers = await runConcurrently(5, 5, () => make(client));
      expect(responseStatuses(answers)).toEqual([201, 201, 201, 403, 403]);
      expect((await client.spaces.list()).pagination.total).toBe(3);
    });

    it.each(['pro', 'max', 'enterprise'] as const)('%s may have any number', async (plan) => {
      const { id, client } = await service.createAccount(plan);
      await setUsage(service, { accountId: id, metric: 'spaces', period: 'total' }, 1_000_000);
      expect((await make(client)).status).toBe(201);
    });
  });

  describe('API keys', () => {
    const make = (client: Client) => client.request(postRequest('/api-keys', { name: name() }));
    const operatorMakes = (id: string) =>
      service.client().request(postRequest(`/admin/accounts/${id}/keys`, { name: name() }));

    it('free has three, with the one that the operator made', async () => {
      const { id, client } = await service.createAccount('free');
      const answers = await runConcurrently(3, 1, () => make(client));
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 403]);
      expect(answers[2]).toMatchObject(full('api_keys', 3));
      expect(await operatorMakes(id)).toMatchObject(full('api_keys', 3));
      expect((await usageOf(client)).api_keys).toBe(3);
    });

    it('a rotation takes no place, a revocation gives one back, also said twice', async () => {
      const { id: accountId, client } = await service.createAccount('free');
      const { id } = await client.keys.create({ body: { name: name() } });
      await client.keys.create({ body: { name: name() } });
      await client.keys.rotate({ params: { id }, body: { grace_seconds: 60 } });
      expect(await make(client)).toMatchObject(full('api_keys', 3));
      const path = `/api-keys/${id}`;
      const revoked = await runConcurrently(4, 4, () => client.request({ method: 'DELETE', path }));
      expect(responseStatuses(revoked)).toEqual([204, 204, 204, 204]);
      expect((await usageOf(client)).api_keys).toBe(2);
      expect((await operatorMakes(accountId)).status).toBe(201);
      expect(await make(client)).toMatchObject(full('api_keys', 3));
    });

    it('of five made at once on free two are, beside the first', async () => {
      const { client } = await service.createAccount('free');
      const answers = await runConcurrently(5, 5, () => make(client));
      expect(responseStatuses(answers)).toEqual([201, 201, 403, 403, 403]);
      expect((await client.keys.list()).pagination.total).toBe(3);
    });

    it.each([
      ['pro', 10],
      ['max', 50],
    ] as const)('%s has %i', async (plan, limit) => {
      const { id, client } = await service.createAccount(plan);
      await setUsage(service, { accountId: id, metric: 'api_keys', period: 'total' }, limit - 1);
      expect((await make(client)).status).toBe(201);
      expect(await make(client)).toMatchObject(full('api_keys', limit));
    });

    it('a key that is refused for another reason takes no place', async () => {
      const { client } = await service.createAccount('free');
      const nowhere = { name: name(), space_ids: ['019b8d1c-0000-7000-8000-00000000dead'] };
      const answers = await runConcurrently(4, 4, () =>
        client.request(postRequest('/api-keys', nowhere)),
      );
      expect(responseStatuses(answers)).toEqual([404, 404, 404, 404]);
      expect((await usageOf(client)).api_keys).toBe(1);
    });
  });

  describe('searches of a month', () => {
    /** Early in a month, with so many searches of it left. */
    async function withSearches(left: number, plan: 'free' | 'pro' | 'max' = 'free') {
      const start = advanceToNextMonth(clock);
      const account = await service.createAccount(plan);
      const limit = { free: 5_000, pro: 500_000, max: 5_000_000 }[plan];
      const period = monthOf(clock.now());
      await setUsage(service, { accountId: account.id, metric: 'searches', period }, limit - left);
      return { ...account, start, limit };
    }
    const asking = [getRequest('/search?q=tea'), postRequest('/search', { q: 'tea' })] as const;
    const spent = {
      status: 429,
      body: { error: { code: 'quota_exceeded', details: { quota: 'searches_per_month' } } },
    };

    it.each(['free', 'pro', 'max'] as const)(
      'on %s end with 429 until the month does',
      async (plan) => {
        const { client, start, limit } = await withSearches(2, plan);
        for (const request of asking) expect((await client.request(request)).status).toBe(200);
        const end = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1) / 1_000;
        const window = end - start.getTime() / 1_000;
        for (const request of asking) {
          const [before, refused, after] = [
            clock.now(),
            await client.request(request),
            clock.now(),
          ];
          const retry = Number(refused.headers.get('retry-after'));
          const five = { limit, remaining: 0, reset: end, retry_after: retry, window };
          expect(refused).toMatchObject(spent);
          expect(refused.body).toMatchObject({ error: { ...five, details: five } });
          expect(readLimitHeaders(refused)).toMatchObject({ limit, remaining: 0, reset: end });
          expect(retry).toBeGreaterThanOrEqual(Math.ceil(end - after.getTime() / 1_000));
          expect(retry).toBeLessThanOrEqual(Math.ceil(end - before.getTime() / 1_000));
        }
        expect((await usageOf(client)).searches).toBe(limit);
        advanceToNextMonth(clock);
        expect((await client.request(asking[0])).status).toBe(200);
        expect((await usageOf(client)).searches).toBe(1);
      },
    );

    it('do not count those that were refused, and are shared by the keys', async () => {
      const { id, client } = await withSearches(1);
      const other = await createKeyFor(service, id);
      const nowhere = '019b8d1c-0000-7000-8000-00000000dead';
      const wrong = [
        getRequest('/search'),
        postRequest('/search', { q: 7 }),
        getRequest(`/search?q=x&space_id=${nowhere}`),
      ];
      for (const request of wrong) {
        expect((await client.request(request)).status).toBeGreaterThanOrEqual(404);
      }
      expect((await other.client.request(asking[0])).status).toBe(200);
      expect(await client.request(asking[0])).toMatchObject(spent);
    });

    it('of many at once exactly as many are answered as are left', async () => {
      const { client } = await withSearches(3, 'pro');
      const answers = await runConcurrently(15, 15, (i) =>
        client.request(asking[i % 2 === 0 ? 0 : 1]),
      );
      expect(responseStatuses(answers)).toEqual([...Array(3).fill(200), ...Array(12).fill(429)]);
    });

    it('are without limit on enterprise, and counted at once for who asks', async () => {
      const { client } = await service.createAccount('enterprise');
      await runConcurrently(9, 3, (i) => client.request(asking[i % 2 === 0 ? 0 : 1]));
      expect((await usageOf(client)).searches).toBe(9);
    });
  });

  it('belong to an account: another one has its own', async () => {
    const [one, other] = [await service.createAccount('free'), await service.createAccount('free')];
    await runConcurrently(3, 1, () => one.client.spaces.create({ body: { name: name() } }));
    expect((await usageOf(other.client)).spaces).toBe(0);
    await other.client.spaces.create({ body: { name: name() } });
    expect((await usageOf(one.client)).spaces).toBe(3);
  });

  it('follow the plan as soon as the operator changes it', async () => {
    const { id, client } = await service.createAccount('free');
    const change = (plan: 'free' | 'pro') =>
      service.operator().admin.updateAccount({ params: { id }, body: { plan } });
    const make = () => client.request(postRequest('/spaces', { name: name() }));
    await runConcurrently(3, 1, make);
    expect(await make()).toMatchObject(full('spaces', 3));
    await change('pro');
    expect((await make()).status).toBe(201);
    await change('free');
    expect(await make()).toMatchObject({ status: 403, body: { error: { details: { used: 4 } } } });
  });

  it('a full count is replayed for its Idempotency-Key, a full period is not', async () => {
    const { id, client } = await service.createAccount('free');
    await runConcurrently(3, 1, () => client.spaces.create({ body: { name: name() } }));
    const again = (path: string, body: object, key: string) =>
      client.request({ ...postRequest(path, body), headers: { 'idempotency-key': key } });
    const space = () => again('/spaces', { name: 'one too many' }, 'space');
    expect(await space()).toMatchObject(full('spaces', 3));
    await service.operator().admin.updateAccount({ params: { id }, body: { plan: 'pro' } });
    const replayed = await space();
    expect(replayed).toMatchObject(full('spaces', 3));
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');

    const limit = (daily_memory_limit: number | null) =>
      client.account.update({ body: { settings: { daily_memory_limit } } });
    await limit(0);
    const memory = () => again('/memories', { content: 'Once.' }, 'memory');
    const atomic = () =>
      again('/memories/bulk?atomic=true', { memories: [{ content: 'Twice.' }] }, 'bulk');
    expect((await memory()).status).toBe(429);
    expect((await atomic()).status).toBe(429);
    await limit(null);
    for (const request of [memory, atomic]) {
      const answer = await request();
      expect(answer.status).toBe(201);
      expect(answer.headers.get('idempotency-replayed')).toBeNull();
      expect((await request()).headers.get('idempotency-replayed')).toBe('true');
    }
  });

  it('a window that is full keeps no Idempotency-Key either', async () => {
    const { client } = await service.createAccount('free');
    const start = advanceToNextMonth(clock);
    const headers = { 'idempotency-key': 'later' };
    const request = { ...postRequest('/memories', { content: 'Later.' }), headers };
    await runConcurrently(60, 4, () => client.request(getRequest('/spaces')));
    expect((await client.request(request)).status).toBe(429);
    clock.advance(start.getTime() + 60_000 - clock.now().getTime());
    const answer = await client.request(request);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('idempotency-replayed')).toBeNull();
  });
});
