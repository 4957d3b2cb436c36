import type { Client, RawRequest } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHandClock } from '../../support/hand-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import {
  absentId,
  get,
  inLanes,
  newKey,
  post,
  statusesOf,
  toldBy,
  toNextMinute,
} from './surroundings.ts';

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
    good: () => post('/memories', fresh()),
    cheap: () => post('/memories', {}),
  },
  'POST /memories/bulk': {
    limit: 10,
    good: () => post('/memories/bulk', { memories: [fresh(), fresh()] }),
    cheap: () => post('/memories/bulk', {}),
  },
  'GET /memories': {
    limit: 300,
    good: () => get('/memories'),
    cheap: () => get('/memories?limit=0'),
  },
  'DELETE /memories/:id': {
    limit: 60,
    good: () => ({ method: 'DELETE', path: `/memories/${absentId}` }),
    cheap: () => ({ method: 'DELETE', path: `/memories/${absentId}` }),
  },
  'GET and POST /search together': {
    limit: 120,
    good: () => get('/search?q=note'),
    cheap: (i) => (i % 2 === 0 ? get('/search') : post('/search', {})),
  },
};
const names = Object.keys(endpoints);
const endpoint = (name: string): Endpoint => endpoints[name] as Endpoint;
const create = endpoint('POST /memories');

/** Uses the limit up, the last time with a request that succeeds, and returns one more. */
async function beyond(client: Client, { limit, good, cheap }: Endpoint) {
  const answers = await inLanes(limit - 1, 4, (i) => client.request(cheap(i)));
  expect(statusesOf(answers)).not.toContain(429);
  expect((await client.request(good())).status).not.toBe(429);
  return client.request(good());
}

describe.each(engines)('the limits of single endpoints on %s', (engine) => {
  let service: Service;
  const clock = createHandClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());

  it.each(names)(
    'on max, %s has its published limit a minute, in a window of its own',
    async (name) => {
      const { limit, good } = endpoint(name);
      const { client } = await service.account('max');
      const start = toNextMinute(clock);
      const refused = await beyond(client, endpoint(name));
      const reset = start.getTime() / 1_000 + 60;
      expect(refused).toMatchObject({
        status: 429,
        body: { error: { code: 'rate_limit_exceeded', limit, remaining: 0, reset, window: 60 } },
      });
      expect(toldBy(refused)).toEqual({ limit, remaining: 0, reset, policy: `${limit};w=60` });
      for (const other of names.filter((one) => one !== name)) {
        expect((await client.request(endpoint(other).good())).status, other).toBeLessThan(429);
      }
      toNextMinute(clock);
      expect((await client.request(good())).status).toBeLessThan(429);
    },
  );

  it('on pro, too, they hold beside the window of the plan', async () => {
    const { client } = await service.account('pro');
    toNextMinute(clock);
    for (const name of ['POST /memories', 'POST /memories/bulk', 'GET and POST /search together']) {
      const { limit } = endpoint(name);
      const refused = await beyond(client, endpoint(name));
      expect(refused, name).toMatchObject({ status: 429, body: { error: { limit, window: 60 } } });
    }
    expect((await client.request(get('/spaces'))).status).toBe(200);
  });

  it('belong to a key: another key of the account has its own', async () => {
    const { id, client } = await service.account('max');
    const other = await newKey(service, id);
    toNextMinute(clock);
    expect((await beyond(client, create)).status).toBe(429);
    expect((await beyond(other.client, create)).status).toBe(429);
  });

  it('an answer tells the window that is tighter', async () => {
    const { client } = await service.account('pro');
    toNextMinute(clock);
    const search = endpoint('GET and POST /search together').good();
    expect(toldBy(await client.request(search))).toMatchObject({ limit: 120, remaining: 119 });
    expect(toldBy(await client.request(get('/spaces')))).toMatchObject({
      limit: 300,
      remaining: 298,
    });
    await inLanes(200, 10, () => client.request(get('/spaces')));
    expect(toldBy(await client.request(search))).toMatchObject({ limit: 300, remaining: 97 });
  });

  it('hold on enterprise only while its account wants them to', async () => {
    const { client } = await service.account('enterprise');
    const enforce = (value: boolean | null) =>
      client.account.update({ body: { settings: { enforce_endpoint_limits: value } } });
    toNextMinute(clock);
    const free = await inLanes(61, 4, () => client.request(create.good()));
    expect(new Set(statusesOf(free))).toEqual(new Set([201]));
    expect(free.map(toldBy)).toEqual(free.map(() => null));

    await enforce(true);
    const first = await client.request(create.cheap(0));
    expect(toldBy(first)).toMatchObject({ limit: 60, remaining: 59, policy: '60;w=60' });
    expect(toldBy(await client.request(get('/spaces')))).toBeNull();
    const more = await inLanes(59, 4, (i) => client.request(create.cheap(i)));
    expect(statusesOf(more)).not.toContain(429);
    expect((await client.request(create.good())).status).toBe(429);

    await enforce(null);
    expect((await client.request(create.good())).status).toBe(201);
  });

  it('are 1,000 a minute for all of e-mail together', async () => {
    const { client } = await service.account('enterprise');
    await client.account.update({ body: { settings: { enforce_endpoint_limits: true } } });
    toNextMinute(clock);
    const paths = ['/email/history', '/email/outbound', '/email/digests'];
    for (const [i, path] of paths.entries()) {
      const told = { limit: 1_000, remaining: 999 - i, policy: '1000;w=60' };
      expect(toldBy(await client.request(get(path)))).toMatchObject(told);
    }
  });
});
