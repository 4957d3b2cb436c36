import type { Client, RawResponse } from '@mneme/sdk';
import { describe, expect, it } from 'vitest';
import { slowResponseMs, startDatabaseProxy } from '../../support/database-proxy.ts';
import { eventually } from '../../support/eventually.ts';
import { createDataLocation, startServerProcess } from '../../support/server-process.ts';
import { engines, serverEngine } from '../../support/service.ts';

/** A file of tests must hold one: without a server they are there and do not run. */
const onServer = engines.includes(serverEngine);

/** A connection is waited for 10 s; the rest is what a busy machine may take. */
const patienceMs = 15_000;
const recoveryMs = 15_000;
/** Vectors are not the subject. */
const env = { MNEME_EMBEDDING_PROVIDER: 'static' };

interface Told {
  readonly status: number;
  readonly code: string | undefined;
  readonly retryAfter: string | undefined;
  readonly ms: number;
}

async function tell(asking: Promise<RawResponse>): Promise<Told> {
  const begun = performance.now();
  const { status, body, headers } = await asking;
  const { error } = (body ?? {}) as { error?: { code: string } };
  const retryAfter = new Headers(headers as never).get('retry-after') ?? undefined;
  return { status, code: error?.code, retryAfter, ms: performance.now() - begun };
}

let written = 0;
const post = (client: Client): Promise<Told> => {
  written += 1;
  const body = { content: `Note ${written} of the day.` };
  return tell(client.request({ method: 'POST', path: '/memories', body }));
};
const get = (client: Client, path: string): Promise<Told> =>
  tell(client.request({ method: 'GET', path }));

describe.runIf(onServer).each([serverEngine] as const)('a service that has lost %s', (engine) => {
  it.each(['cut', 'silent', 'full'] as const)(
    'tells everybody in time, and goes on by itself when it is back (%s)',
    async (mode) => {
      const place = await createDataLocation(engine);
      await using proxy = await startDatabaseProxy(place.databaseUrl ?? '');
      await using server = await startServerProcess({ ...place, databaseUrl: proxy.url }, { env });
      const client = server.client();
      const { id } = await client.memories.create({ body: { content: 'Before.' } });
      expect((await get(client, '/health')).status).toBe(200);

      proxy.setMode(mode);
      const told = await Promise.all([
        ...Array.from({ length: 150 }, () => post(client)),
        ...['/memories', `/memories/${id}`, '/spaces', '/events'].map((path) => get(client, path)),
      ]);
      expect([...new Set(told.map(({ code }) => code))]).toEqual(['storage_error']);
      expect(Math.max(...told.map(({ ms }) => ms))).toBeLessThan(2 * patienceMs);
      expect(await get(client, '/health')).toMatchObject({ status: 503 });
      expect(await get(client, '/ready')).toMatchObject({ status: 503 });

      proxy.setMode('open');
      await eventually(
        () => post(client),
        ({ status }) => status === 201,
        recoveryMs,
      );
      expect((await get(client, `/memories/${id}`)).status).toBe(200);
      expect((await get(client, '/health')).status).toBe(200);
      const { data } = await client.memories.list({ query: { limit: 100 } });
      expect(data.length, 'nothing that was refused is there').toBe(2);
      await server.kill('SIGTERM');
      await place.remove();
    },
    120_000,
  );

  it('goes on late while the database is slow: nothing is lost or doubled', async () => {
    const place = await createDataLocation(engine);
    await using proxy = await startDatabaseProxy(place.databaseUrl ?? '');
    await using server = await startServerProcess({ ...place, databaseUrl: proxy.url }, { env });
    const client = server.client();
    const { id } = await client.memories.create({ body: { content: 'Before.' } });

    // Connections stay, so that their statements are under way when it becomes slow.
    proxy.setMode('slow', { keep: true });
    const told = await Promise.all([
      ...Array.from({ length: 150 }, () => post(client)),
      ...Array.from({ length: 20 }, () => get(client, `/memories/${id}`)),
    ]);
    const stored = told.filter(({ status }) => status === 201).length;
    expect(told.filter(({ status }) => status >= 400)).toEqual([]);
    expect(Math.max(...told.map(({ ms }) => ms))).toBeGreaterThan(slowResponseMs);
    // A statement each, one after the other on one connection, would take ten times as long.
    expect(Math.max(...told.map(({ ms }) => ms))).toBeLessThan(75 * slowResponseMs);

    proxy.setMode('open', { keep: true });
    expect(stored).toBe(150);
    const first = await client.memories.list({ query: { limit: 100 } });
    const cursor = first.next_cursor ?? '';
    const second = await client.memories.list({ query: { limit: 100, cursor } });
    const contents = [...first.data, ...second.data].map(({ content }) => content);
    expect(contents.length, 'each is there once').toBe(stored + 1);
    expect(new Set(contents).size).toBe(stored + 1);
    await server.kill('SIGTERM');
    await place.remove();
  }, 120_000);

  it('takes in so many requests of an account: others are told at once to come again', async () => {
    const place = await createDataLocation(engine);
    await using proxy = await startDatabaseProxy(place.databaseUrl ?? '');
    await using server = await startServerProcess(
      { ...place, databaseUrl: proxy.url },
      { env: { ...env, MNEME_REQUESTS_MAX: '20' } },
    );
    const client = server.client();
    expect((await post(client)).status).toBe(201);
    proxy.setMode('silent');
    const told = await Promise.all(Array.from({ length: 200 }, () => post(client)));
    const away = told.filter(({ status }) => status === 503);
    expect(away.length).toBeGreaterThanOrEqual(190);
    for (const { code, retryAfter } of away) {
      expect(code).toBe('service_unavailable');
      expect(Number(retryAfter)).toBeGreaterThan(0);
    }
    const inside = told.filter(({ status }) => status !== 503);
    expect(inside.every(({ code }) => code === 'storage_error')).toBe(true);
    proxy.setMode('open');
    await eventually(
      () => post(client),
      ({ status }) => status === 201,
      recoveryMs,
    );
    const all = await Promise.all(Array.from({ length: 10 }, () => post(client)));
    expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 201));
    await server.kill('SIGTERM');
    await place.remove();
  }, 120_000);
});
