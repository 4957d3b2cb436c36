import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import {
  advanceToNextDay,
  advanceToNextMinute,
  advanceToNextMonth,
  createKeyFor,
  monthOf,
  postRequest,
  readLimitHeaders,
  readUsage,
  responseStatuses,
  runConcurrently,
  setUsage,
} from './usage-and-windows.ts';

let made = 0;
const fresh = (): { content: string } => {
  made += 1;
  return { content: `Note ${made} of the day.` };
};
const several = (count: number) => Array.from({ length: count }, fresh);
const create = (client: Client, body: object = fresh()) =>
  client.request(postRequest('/memories', body));

describe.each(engines)('how many memories an account may hold on %s', (engine) => {
  let service: Service;
  const clock = createFakeClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());

  const held = (accountId: string) => ({ accountId, metric: 'memories', period: 'total' });

  /** An account with room for so many memories more. */
  async function withRoom(room: number, plan: 'free' | 'pro' | 'max' = 'free') {
    const account = await service.createAccount(plan);
    const cap = { free: 1_000, pro: 100_000, max: 500_000 }[plan];
    await setUsage(service, held(account.id), cap - room);
    advanceToNextMinute(clock);
    return account;
  }

  const full = {
    status: 403,
    body: { error: { code: 'quota_exceeded', details: { quota: 'memories' } } },
  };

  it.each([
    ['free', 1_000],
    ['pro', 100_000],
    ['max', 500_000],
  ] as const)('%s holds %i, then a create is 403 quota_exceeded', async (plan, limit) => {
    const { id, client } = await withRoom(2, plan);
    expect((await create(client)).status).toBe(201);
    expect((await create(client)).status).toBe(201);
    const refused = await create(client);
    expect(refused).toMatchObject({
      status: 403,
      body: {
        error: {
          code: 'quota_exceeded',
          message: expect.stringContaining(String(limit)),
          details: { quota: 'memories', limit, used: limit },
        },
      },
    });
    expect(refused.headers.get('retry-after')).toBeNull();
    expect(await readUsage(service, held(id))).toBe(limit);
    expect((await client.account.get()).usage.memories).toBe(limit);
    expect((await client.memories.list()).data).toHaveLength(2);
  });

  it('a bulk stores as many as fit, in order, and tells which did not', async () => {
    const { id, client } = await withRoom(2);
    const memories = several(5);
    const answer = await client.memories.bulkCreate({ body: { memories } });
    expect(answer.created).toBe(2);
    expect(answer.memories.map(({ content }) => content)).toEqual(
      memories.slice(0, 2).map(({ content }) => content),
    );
    const error = { code: 'quota_exceeded', details: { quota: 'memories', limit: 1_000 } };
    expect(answer.failed).toMatchObject([2, 3, 4].map((index) => ({ index, error })));
    expect(await readUsage(service, held(id))).toBe(1_000);
  });

  it('an atomic bulk that does not fit stores nothing and counts nothing', async () => {
    const { id, client } = await withRoom(2);
    const query = { atomic: true };
    const refused = client.memories.bulkCreate({ query, body: { memories: several(5) } });
    await expect(refused).rejects.toMatchObject({
      status: 403,
      code: 'quota_exceeded',
      details: { quota: 'memories', index: 2 },
    });
    expect(await readUsage(service, held(id))).toBe(998);
    expect((await client.account.get()).usage).toMatchObject({
      embeddings: 0,
      memories_created_today: 0,
    });
    await client.memories.bulkCreate({ query, body: { memories: several(2) } });
    expect(await create(client)).toMatchObject(full);
  });

  it('a permanent delete makes room, a soft one and a restore change nothing', async () => {
    const { client } = await withRoom(1);
    const { id } = await client.memories.create({ body: fresh() });
    const params = { id };
    await client.memories.remove({ params, query: { soft: true } });
    expect(await create(client)).toMatchObject(full);
    await client.memories.restore({ params });
    expect(await create(client)).toMatchObject(full);
    await client.memories.remove({ params, query: { soft: true } });
    await client.memories.remove({ params });
    expect((await create(client)).status).toBe(201);
    expect(await create(client)).toMatchObject(full);
  });

  it('a bulk delete makes room for what it deletes, each once; a soft one does not', async () => {
    const { client } = await withRoom(3);
    const { memories } = await client.memories.bulkCreate({ body: { memories: several(3) } });
    const [first = '', second = '', third = ''] = memories.map(({ id }) => id);
    await client.memories.bulkDelete({ body: { ids: [first, second], soft: true } });
    expect(await create(client)).toMatchObject(full);
    await client.memories.bulkDelete({ body: { ids: [first, first, third], soft: false } });
    await client.memories.bulkDelete({ body: { ids: [first, third], soft: false } });
    const answers = await runConcurrently(3, 1, () => create(client));
    expect(responseStatuses(answers)).toEqual([201, 201, 403]);
  });

  it('two deletes of one memory at once make room once', async () => {
    const { id: accountId, client } = await withRoom(1, 'pro');
    const { id } = await client.memories.create({ body: fresh() });
    const path = `/memories/${id}`;
    const answers = await runConcurrently(6, 6, () => client.request({ method: 'DELETE', path }));
    expect(responseStatuses(answers)).toEqual([204, 404, 404, 404, 404, 404]);
    expect(await readUsage(service, held(accountId))).toBe(99_999);
  });

  it('a duplicate takes no room, alone or in a bulk', async () => {
    const { client } = await withRoom(3);
    const known = await client.memories.create({ body: fresh() });
    const again = { content: known.content };
    for (const answer of await runConcurrently(5, 5, () => create(client, again))) {
      expect(answer).toMatchObject({ status: 409, body: { error: { code: 'duplicate_memory' } } });
    }
    const memories = [again, again, fresh(), again, fresh(), fresh()];
    const answer = await client.memories.bulkCreate({ body: { memories } });
    expect(answer.failed.map(({ index, error }) => [index, error.code])).toEqual([
      [0, 'duplicate_memory'],
      [1, 'duplicate_memory'],
      [3, 'duplicate_memory'],
      [5, 'quota_exceeded'],
    ]);
    expect(answer.created).toBe(2);
    expect(await create(client)).toMatchObject(full);
  });

  it('of many creates at once exactly as many are stored as fit', async () => {
    const { id, client } = await withRoom(5, 'pro');
    const other = await createKeyFor(service, id);
    const answers = await runConcurrently(40, 40, (i) =>
      create(i % 2 === 0 ? client : other.client),
    );
    expect(responseStatuses(answers)).toEqual([...Array(5).fill(201), ...Array(35).fill(403)]);
    expect((await client.memories.list({ query: { limit: 100 } })).data).toHaveLength(5);
    expect(await readUsage(service, held(id))).toBe(100_000);
  });

  it('of many bulks at once exactly as many are stored as fit', async () => {
    const { id, client } = await withRoom(25, 'pro');
    const answers = await runConcurrently(8, 8, () =>
      client.memories.bulkCreate({ body: { memories: several(5) } }),
    );
    expect(answers.reduce((sum, { created }) => sum + created, 0)).toBe(25);
    expect((await client.memories.list({ query: { limit: 100 } })).data).toHaveLength(25);
    expect(await readUsage(service, held(id))).toBe(100_000);
  });

  it('follows the plan: a larger one opens at once, a smaller one only refuses more', async () => {
    const { id, client } = await withRoom(0);
    const change = (plan: 'free' | 'pro') =>
      service.operator().admin.updateAccount({ params: { id }, body: { plan } });
    expect(await create(client)).toMatchObject(full);
    await change('pro');
    const more = await client.memories.bulkCreate({ body: { memories: several(3) } });
    await change('free');
    expect((await client.memories.list()).data).toHaveLength(3);
    expect(await create(client)).toMatchObject({
      status: 403,
      body: { error: { details: { quota: 'memories', limit: 1_000, used: 1_003 } } },
    });
    const ids = more.memories.map((memory) => memory.id);
    await client.memories.bulkDelete({ body: { ids, soft: false } });
    expect(await create(client)).toMatchObject(full);
  });

  it('is without limit on enterprise, and counted all the same', async () => {
    const { id, client } = await service.createAccount('enterprise');
    await setUsage(service, held(id), 10_000_000);
    await client.memories.create({ body: fresh() });
    expect((await client.account.get()).usage.memories).toBe(10_000_001);
  });
});

describe.each(engines)('memories that are new on %s', (engine) => {
  let service: Service;
  const clock = createFakeClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());

  /** Early in a month, with so many embeddings of it left on plan free. */
  async function withEmbeddings(left: number) {
    const start = advanceToNextMonth(clock);
    const account = await service.createAccount('free');
    const counter = { accountId: account.id, metric: 'embeddings', period: monthOf(clock.now()) };
    await setUsage(service, counter, 5_000 - left);
    return { ...account, start };
  }

  const spent = {
    status: 429,
    body: { error: { code: 'quota_exceeded', details: { quota: 'embeddings_per_month' } } },
  };
  const patch = (client: Client, id: string, body: object) =>
    client.request({ method: 'PATCH', path: `/memories/${id}`, body });

  it('use embeddings of the month: create and new content, nothing else', async () => {
    const { client } = await withEmbeddings(2);
    const { id, content } = await client.memories.create({ body: fresh() });
    const changes = [
      { metadata: { a: 1 } },
      { tags: ['x'] },
      { priority: 3 },
      { content },
      { content, tags: ['y'] },
    ];
    for (const change of changes) expect((await patch(client, id, change)).status).toBe(200);
    expect((await client.account.get()).usage.embeddings).toBe(4_999);
    expect((await patch(client, id, fresh())).status).toBe(200);
    expect(await patch(client, id, fresh())).toMatchObject(spent);
    expect(await create(client)).toMatchObject(spent);
    expect((await patch(client, id, { priority: 4 })).status).toBe(200);
    expect((await client.account.get()).usage.embeddings).toBe(5_000);
  });

  it('are 429 quota_exceeded until the month ends, and told when that is', async () => {
    const { client, start } = await withEmbeddings(0);
    const end = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1) / 1_000;
    const [before, refused, after] = [clock.now(), await create(client), clock.now()];
    const retry = Number(refused.headers.get('retry-after'));
    const window = end - start.getTime() / 1_000;
    const five = { limit: 5_000, remaining: 0, reset: end, retry_after: retry, window };
    expect(refused).toMatchObject({
      status: 429,
      body: { error: { code: 'quota_exceeded', ...five, details: five } },
    });
    expect(readLimitHeaders(refused)).toMatchObject({ limit: 5_000, remaining: 0, reset: end });
    expect(retry).toBeGreaterThanOrEqual(Math.ceil(end - after.getTime() / 1_000));
    expect(retry).toBeLessThanOrEqual(Math.ceil(end - before.getTime() / 1_000));
    advanceToNextMonth(clock);
    expect((await create(client)).status).toBe(201);
    expect((await client.account.get()).usage.embeddings).toBe(1);
  });

  it('in a bulk are embedded as far as the month goes, or not at all if atomic', async () => {
    const { client } = await withEmbeddings(2);
    const refused = await client.request(
      postRequest('/memories/bulk?atomic=true', { memories: several(5) }),
    );
    expect(refused).toMatchObject(spent);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_400);
    const answer = await client.memories.bulkCreate({ body: { memories: several(5) } });
    expect(answer.created).toBe(2);
    const error = { code: 'quota_exceeded', details: { quota: 'embeddings_per_month' } };
    expect(answer.failed).toMatchObject([2, 3, 4].map((index) => ({ index, error })));
  });

  it('use no embedding where nothing is stored, and get none back when deleted', async () => {
    const { client } = await withEmbeddings(3);
    const { id, content } = await client.memories.create({ body: fresh() });
    const other = await client.memories.create({ body: fresh() });
    expect((await create(client, { content })).status).toBe(409);
    expect((await patch(client, other.id, { content })).status).toBe(409);
    expect((await create(client, { content: 'x'.repeat(4_097) })).status).toBe(422);
    await client.memories.remove({ params: { id } });
    expect((await client.account.get()).usage).toMatchObject({ embeddings: 4_999, memories: 1 });
    const answers = await runConcurrently(4, 4, () => create(client));
    expect(responseStatuses(answers)).toEqual([201, 429, 429, 429]);
  });

  const limitTo = (client: Client, daily_memory_limit: number | null) =>
    client.account.update({ body: { settings: { daily_memory_limit } } });
  const dayFull = { status: 429, body: { error: { code: 'daily_limit_exceeded' } } };

  it('are limited to daily_memory_limit a UTC day: then 429 daily_limit_exceeded', async () => {
    const { client } = await service.createAccount('enterprise');
    const start = advanceToNextDay(clock);
    await limitTo(client, 3);
    const { memories } = await client.memories.bulkCreate({ body: { memories: several(2) } });
    expect((await create(client)).status).toBe(201);
    const [before, refused, after] = [clock.now(), await create(client), clock.now()];
    const end = start.getTime() / 1_000 + 86_400;
    const retry = Number(refused.headers.get('retry-after'));
    const five = { limit: 3, remaining: 0, reset: end, retry_after: retry, window: 86_400 };
    expect(refused).toMatchObject(dayFull);
    expect(refused.body).toMatchObject({ error: { ...five, details: five } });
    expect(retry).toBeGreaterThanOrEqual(Math.ceil(end - after.getTime() / 1_000));
    expect(retry).toBeLessThanOrEqual(Math.ceil(end - before.getTime() / 1_000));
    const ids = memories.map(({ id }) => id);
    await client.memories.bulkDelete({ body: { ids, soft: false } });
    expect(await create(client)).toMatchObject(dayFull);
    const { usage } = await client.account.get();
    expect(usage).toMatchObject({ memories: 1, memories_created_today: 3 });
    expect((await patch(client, ids[0] ?? '', fresh())).status).toBe(404);
    advanceToNextDay(clock);
    expect((await create(client)).status).toBe(201);
    expect((await client.account.get()).usage.memories_created_today).toBe(1);
  });

  it('are limited no more when daily_memory_limit is null, and not at all at 0', async () => {
    const { client } = await service.createAccount('enterprise');
    advanceToNextDay(clock);
    await limitTo(client, 0);
    expect(await create(client)).toMatchObject(dayFull);
    await limitTo(client, 2);
    const answer = await client.memories.bulkCreate({ body: { memories: several(4) } });
    expect(answer.created).toBe(2);
    expect(answer.failed).toMatchObject(
      [2, 3].map((index) => ({ index, error: { code: 'daily_limit_exceeded' } })),
    );
    const atomic = postRequest('/memories/bulk?atomic=true', { memories: several(1) });
    const refused = await client.request(atomic);
    expect(refused).toMatchObject(dayFull);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    await limitTo(client, null);
    expect((await create(client)).status).toBe(201);
  });

  it('of many at once exactly as many are stored as the day allows', async () => {
    const { client } = await service.createAccount('enterprise');
    advanceToNextDay(clock);
    await limitTo(client, 7);
    const answers = await runConcurrently(30, 30, () => create(client));
    expect(responseStatuses(answers)).toEqual([...Array(7).fill(201), ...Array(23).fill(429)]);
  });
});
