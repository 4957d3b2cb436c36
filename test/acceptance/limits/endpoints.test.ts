import type { Client, RawRequest } from '@mneme/sdk';
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
  responseStatuses,
  runConcurrently,
} from './usage-and-windows.ts';

let made = 0;
const fresh = (): { content: string } => {
  made += 1;
  return { content: `Note ${made} of the day.` };
};

/** A request that succeeds, and one that is counted alike and costs less. */
interface Endpoint {
  readonly limit: number;
  readonly good: () => RawRequest;
  readonly cheap: (i: number) => RawRequest;
}

const endpoints: Readonly<Record<string, Endpoint>> = {
  'POST /memories': {
    limit: 60,
    good: () => postRequest('/memories', fresh()),
    cheap: () => postRequest('/memories', {}),
  },
  'POST /memories/bulk': {
    limit: 10,
    good: () => postRequest('/memories/bulk', { memories: [fresh(), fresh()] }),
    cheap: () => postRequest('/memories/bulk', {}),
  },
  'GET /memories': {
    limit: 300,
    good: () => getRequest('/memories'),
    cheap: () => getRequest('/memories?limit=0'),
  },
  'DELETE /memories/:id': {
    limit: 60,
    good: () => ({ method: 'DELETE', path: `/memories/${absentId}` }),
    cheap: () => ({ method: 'DELETE', path: `/memories/${absentId}` }),
  },
  'GET and POST /search together': {
    limit: 120,
    good: () => getRequest('/search?q=note'),
    cheap: (i) => (i % 2 === 0 ? getRequest('/search') : postRequest('/search', {})),
  },
};
const names = Object.keys(endpoints);
const endpoint = (name: string): Endpoint => endpoints[name] as Endpoint;
const create = endpoint('POST /memories');

/** Uses the limit up, the last time with a request that succeeds, and returns one more. */
async function beyond(client: Client, { limit, good, cheap }: Endpoint) {
  const answers = await runConcurrently(limit - 1, 4, (i) => client.request(cheap(i)));
  expect(responseStatuses(answers)).not.toContain(429);
  expect((await client.request(good())).status).not.toBe(429);
  return client.request(good());
}

describe.each(engines)('the limits of single endpoints on %s', (engine) => {
  let service: Service;
  const clock = createFakeClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());

  it.each(names)(
    'on max, %s has its published limit a minute, in a window of its own',
    async (name) => {
      const { limit, good } = endpoint(name);
      const { client } = await service.createAccount('max');
      const start = advanceToNextMinute(clock);
      const refused = await beyond(client, endpoint(name));
      const reset = start.getTime() / 1_000 + 60;
      expect(refused).toMatchObject({
        status: 429,
        body: { error: { code: 'rate_limit_exceeded', limit, remaining: 0, reset, window: 60 } },
      });
      expect(readLimitHeaders(refused)).toEqual({
        limit,
        remaining: 0,
        reset,
        policy: `${limit};w=60`,
      });
      for (const other of names.filter((one) => one !== name)) {
        expect((await client.request(endpoint(other).good())).status, other).toBeLessThan(429);
      }
      advanceToNextMinute(clock);
      expect((await client.request(good())).status).toBeLessThan(429);
    },
  );

  it('on pro, too, they hold beside the window of the plan', async () => {
    const { client } = await service.createAccount('pro');
    advanceToNextMinute(clock);
    for (const name of ['POST /memories', 'POST /memories/bulk', 'GET and POST /search together']) {
      const { limit } = endpoint(name);
      const refused = await beyond(client, endpoint(name));
      expect(refused, name).toMatchObject({ status: 429, body: { error: { limit, window: 60 } } });
    }
    expect((await client.request(getRequest('/spaces'))).status).toBe(200);
  });

  it('belong to a key: another key of the account has its own', async () => {
    const { id, client } = await service.createAccount('max');
    const other = await createKeyFor(service, id);
    advanceToNextMinute(clock);
    expect((await beyond(client, create)).status).toBe(429);
    expect((await beyond(other.client, create)).status).toBe(429);
  });

  it('an answer tells the window that is tighter', async () => {
    const { client } = await service.createAccount('pro');
    advanceToNextMinute(clock);
    const search = endpoint('GET and POST /search together').good();
    expect(readLimitHeaders(await client.request(search))).toMatchObject({
      limit: 120,
      remaining: 119,
    });
    expect(readLimitHeaders(await client.request(getRequest('/spaces')))).toMatchObject({
      limit: 300,
      remaining: 298,
    });
    await runConcurrently(200, 10, () => client.request(getRequest('/spaces')));
    expect(readLimitHeaders(await client.request(search))).toMatchObject({
      limit: 300,
      remaining: 97,
    });
  });

  it('hold on enterprise only while its account wants them to', async () => {
    const { client } = await service.createAccount('enterprise');
    const enforce = (value: boolean | null) =>
      client.account.update({ body: { settings: { enforce_endpoint_limits: value } } });
    advanceToNextMinute(clock);
    const free = await runConcurrently(61, 4, () => client.request(create.good()));
    expect(new Set(responseStatuses(free))).toEqual(new Set([201]));
    expect(free.map(readLimitHeaders)).toEqual(free.map(() => null));

    await enforce(true);
    const first = await client.request(create.cheap(0));
    expect(readLimitHeaders(first)).toMatchObject({ limit: 60, remaining: 59, policy: '60;w=60' });
    expect(readLimitHeaders(await client.request(getRequest('/spaces')))).toBeNull();
    const more = await runConcurrently(59, 4, (i) => client.request(create.cheap(i)));
    expect(responseStatuses(more)).not.toContain(429);
    expect((await client.request(create.good())).status).toBe(429);

    await enforce(null);
    expect((await client.request(create.good())).status).toBe(201);
  });

  it('are 1,000 a minute for all of e-mail together', async () => {
    const { client } = await service.createAccount('enterprise');
    await client.account.update({ body: { settings: { enforce_endpoint_limits: true } } });
    advanceToNextMinute(clock);
    const paths = ['/email/history', '/email/outbound', '/email/digests'];
    for (const [i, path] of paths.entries()) {
      const told = { limit: 1_000, remaining: 999 - i, policy: '1000;w=60' };
      expect(readLimitHeaders(await client.request(getRequest(path)))).toMatchObject(told);
    }
  });
});
