import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import {
  absentId,
  advanceToNextMinute,
  createKeyFor,
  getRequest,
  postRequest,
  readLimitHeaders,
  runConcurrently,
} from './usage-and-windows.ts';

/** A request of no endpoint with a limit of its own. */
const plain = getRequest('/spaces');

/** Uses the window of the minute up; every request must succeed. */
async function useUp(client: Client, requests: number, lanes: number) {
  const answers = await runConcurrently(requests, lanes, () => client.request(plain));
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  return answers;
}

describe.each(engines)('the window of a minute on %s', (engine) => {
  let service: Service;
  const clock = createFakeClock();
  const secondsOf = (date: Date): number => date.getTime() / 1_000;
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());

  it.each([
    ['free', 60, 4],
    ['pro', 300, 10],
    ['max', 1_000, 20],
  ] as const)('lets exactly %s: %i requests pass, and as many in the next', async (...row) => {
    const [plan, limit, lanes] = row;
    const { client } = await service.createAccount(plan);
    const reset = secondsOf(advanceToNextMinute(clock)) + 60;
    const answers = await useUp(client, limit, lanes);
    const told = answers.map(readLimitHeaders);
    expect(told.map((one) => one?.remaining).toSorted((a = 0, b = 0) => b - a)).toEqual(
      Array.from({ length: limit }, (_, i) => limit - 1 - i),
    );
    const policy = `${limit};w=60`;
    for (const one of told) expect(one).toMatchObject({ limit, reset, policy });

    const [before, refused, after] = [clock.now(), await client.request(plain), clock.now()];
    const { error } = refused.body as { error: { retry_after: number } };
    const wait = error.retry_after;
    const five = { limit, remaining: 0, reset, retry_after: wait, window: 60 };
    expect(refused).toMatchObject({ status: 429 });
    expect(error).toEqual({
      code: 'rate_limit_exceeded',
      message: expect.any(String),
      ...five,
      details: five,
      request_id: refused.headers.get('x-request-id'),
    });
    expect(readLimitHeaders(refused)).toEqual({ limit, remaining: 0, reset, policy });
    expect(refused.headers.get('retry-after')).toBe(String(wait));
    expect(wait).toBeGreaterThanOrEqual(Math.ceil(reset - secondsOf(after)));
    expect(wait).toBeLessThanOrEqual(Math.ceil(reset - secondsOf(before)));

    advanceToNextMinute(clock);
    const again = await client.request(plain);
    expect(again.status).toBe(200);
    expect(readLimitHeaders(again)).toEqual({
      limit,
      remaining: limit - 1,
      reset: reset + 60,
      policy,
    });
  });

  it('opens at the end of the aligned minute, not a minute after the first request', async () => {
    const { client } = await service.createAccount('free');
    advanceToNextMinute(clock);
    clock.advance(50_000);
    await useUp(client, 60, 4);
    expect((await client.request(plain)).status).toBe(429);
    clock.advance(10_000);
    expect((await client.request(plain)).status).toBe(200);
  });

  it('counts requests that it refused no further: the next window is whole', async () => {
    const { client } = await service.createAccount('free');
    advanceToNextMinute(clock);
    await useUp(client, 60, 4);
    await runConcurrently(20, 4, () => client.request(plain));
    advanceToNextMinute(clock);
    await useUp(client, 60, 4);
    expect((await client.request(plain)).status).toBe(429);
  });

  it('belongs to a key: another key of the account has its own', async () => {
    const { id, client } = await service.createAccount('free');
    const other = await createKeyFor(service, id);
    advanceToNextMinute(clock);
    await useUp(client, 60, 4);
    expect((await client.request(plain)).status).toBe(429);
    await useUp(other.client, 60, 4);
    expect((await other.client.request(plain)).status).toBe(429);
  });

  it('is told by every answer of a limited plan, whatever its status; each counts', async () => {
    const { id, client } = await service.createAccount('free');
    const { id: gone, content } = await client.memories.create({ body: { content: 'Tea.' } });
    const raw = await client.request(getRequest(`/memories/${gone}`));
    const etag = raw.headers.get('etag') ?? '';
    advanceToNextMinute(clock);
    const requests = [
      [200, plain],
      [200, { ...plain, method: 'HEAD' }],
      [201, postRequest('/memories', { content: 'Coffee.' })],
      [304, { ...getRequest(`/memories/${gone}`), headers: { 'if-none-match': etag } }],
      [400, postRequest('/memories', 'no json')],
      [404, getRequest(`/memories/${absentId}`)],
      [409, postRequest('/memories', { content })],
      [
        412,
        {
          ...postRequest(`/memories/${gone}`, {}),
          method: 'PATCH',
          headers: { 'if-match': '"x"' },
        },
      ],
      [415, { ...postRequest('/memories', 'x'), headers: { 'content-type': 'text/plain' } }],
      [422, postRequest('/memories', {})],
      [204, { method: 'DELETE', path: `/memories/${gone}` }],
    ] as const;
    for (const [i, [status, request]] of requests.entries()) {
      const answer = await client.request(request);
      expect(answer.status, JSON.stringify(request)).toBe(status);
      expect(readLimitHeaders(answer), JSON.stringify(request)).toMatchObject({
        limit: 60,
        remaining: 59 - i,
        policy: '60;w=60',
      });
    }
    const powerless = await createKeyFor(service, id, ['email:read']);
    const forbidden = await powerless.client.request(plain);
    expect(forbidden.status).toBe(403);
    expect(readLimitHeaders(forbidden)).toMatchObject({ limit: 60, remaining: 59 });
  });

  it('is told by no answer of enterprise, of a public route, or without a good key', async () => {
    const enterprise = await service.createAccount('enterprise');
    const free = await service.createAccount('free');
    const strangers = service.client('mnk_nonsense');
    const answers = await Promise.all([
      enterprise.client.request(plain),
      enterprise.client.request(postRequest('/memories', { content: 'Tea.' })),
      enterprise.client.request(getRequest(`/memories/${absentId}`)),
      free.client.request(getRequest('/health')),
      free.client.request(getRequest('/ready')),
      free.client.request(getRequest('/openapi.json')),
      free.client.request(getRequest('/nowhere')),
      strangers.request(plain),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 404, 200, 200, 200, 404, 401]);
    for (const answer of answers) expect(readLimitHeaders(answer)).toBeNull();
  });

  it('does not count public routes nor refused credentials', async () => {
    const { client } = await service.createAccount('free');
    advanceToNextMinute(clock);
    for (const path of ['/health', '/openapi.json', '/nowhere'])
      await client.request(getRequest(path));
    expect(readLimitHeaders(await client.request(plain))?.remaining).toBe(59);
  });

  it('is told in the form that is asked for, with the same headers in each', async () => {
    const { client } = await service.createAccount('free');
    const reset = secondsOf(advanceToNextMinute(clock)) + 60;
    await useUp(client, 60, 4);
    const ask = (headers: Record<string, string>) => client.request({ ...plain, headers });
    const message = expect.any(String);
    const five = { limit: 60, remaining: 0, reset, retry_after: expect.any(Number), window: 60 };
    const forms = [
      [{ 'x-error-format': 'flat' }, { error: 'rate_limit_exceeded', message }],
      [{ 'x-error-format': 'status' }, { statusCode: 429, error: 'Too Many Requests', message }],
      [
        { accept: 'application/problem+json' },
        { status: 429, code: 'rate_limit_exceeded', title: 'Too Many Requests', ...five },
      ],
      [
        { 'x-error-format': 'nested' },
        { error: { code: 'rate_limit_exceeded', ...five, details: five } },
      ],
    ] as const;
    for (const [headers, body] of forms) {
      const answer = await ask(headers);
      expect(answer).toMatchObject({ status: 429, body });
      expect(readLimitHeaders(answer)).toMatchObject({ limit: 60, remaining: 0, reset });
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    }
  });

  it('follows the plan of the account from the very next request', async () => {
    const { id, client } = await service.createAccount('pro');
    const change = (plan: 'free' | 'pro' | 'enterprise') =>
      service.operator().admin.updateAccount({ params: { id }, body: { plan } });
    const told = async () => readLimitHeaders(await client.request(plain));
    expect(await told()).toMatchObject({ limit: 300 });
    await change('free');
    expect(await told()).toMatchObject({ limit: 60 });
    await change('enterprise');
    expect(await told()).toBeNull();
    await change('pro');
    expect(await told()).toMatchObject({ limit: 300 });
  });
});
