import { describe, expect, it } from 'vitest';
import type { Client } from './index.ts';
import { type ResponseScript, startScriptedServer } from './testing.ts';

const params = { id: '1' };
const calls = {
  'a read': (client: Client) => client.memories.get({ params }),
  'a search by POST': (client: Client) => client.search.post({ body: { q: 'x' } }),
  'a create': (client: Client) => client.memories.create({ body: { content: 'x' } }),
  'a change': (client: Client) => client.memories.update({ params, body: { priority: 3 } }),
  'a delete': (client: Client) => client.memories.remove({ params }),
  'a change behind If-Match': (client: Client) =>
    client.memories.update({ params, body: {} }, { headers: { 'If-Match': '"1"' } }),
  'a POST without a key': (client: Client) => client.memories.verify({ params }),
  'a POST with a key of the caller': (client: Client) =>
    client.memories.verify({ params }, { idempotencyKey: 'mine' }),
};
type Kind = keyof typeof calls;

/** Attempts out of 4, by what happens to each of them. */
const attempts: Record<Kind, readonly [drop: number, s500: number, s502: number, s503: number]> = {
  'a read': [4, 4, 4, 4],
  'a search by POST': [4, 4, 4, 4],
  'a create': [4, 1, 4, 4],
  'a change': [4, 1, 4, 4],
  'a delete': [4, 1, 4, 4],
  'a change behind If-Match': [1, 1, 1, 4],
  'a POST without a key': [1, 1, 1, 4],
  'a POST with a key of the caller': [4, 1, 4, 4],
};
const happenings: readonly [string, ResponseScript][] = [
  ['a lost connection', () => 'drop'],
  ['a 500', () => ({ status: 500, body: {} })],
  ['a 502', () => ({ status: 502, body: {} })],
  ['a 503', () => ({ status: 503, body: {} })],
];
const rows = Object.entries(attempts).flatMap(([kind, counts]) =>
  counts.map((count, i) => {
    const [happening = '', script = () => 'drop' as const] = happenings[i] ?? [];
    return { kind: kind as Kind, happening, script, count };
  }),
);

describe('attempts', () => {
  it.each(rows)('$kind meets $happening: $count', async ({ kind, script, count }) => {
    await using scene = await startScriptedServer(script);
    await expect(calls[kind](scene.client)).rejects.toThrow();
    expect(scene.waits).toHaveLength(count - 1);
    expect(scene.requests).toHaveLength(count);
  });

  it.each([
    ['a create', 4],
    ['a POST without a key', 1],
  ] as const)('of %s that did not arrive in time (408): %i', async (kind, count) => {
    await using scene = await startScriptedServer(() => ({ status: 408, body: {} }));
    await expect(calls[kind](scene.client)).rejects.toMatchObject({ status: 408 });
    expect(scene.requests).toHaveLength(count);
  });

  it.each([400, 401, 404, 409, 412, 422])('does not repeat what got a %i', async (status) => {
    await using scene = await startScriptedServer(() => ({ status, body: {} }));
    await expect(calls['a read'](scene.client)).rejects.toMatchObject({ status });
    expect(scene.requests).toHaveLength(1);
  });

  it('makes no more of them than it is told', async () => {
    await using scene = await startScriptedServer(() => ({ status: 503, body: {} }), {
      retries: 1,
    });
    await expect(calls['a read'](scene.client)).rejects.toThrow();
    expect(scene.requests).toHaveLength(2);
  });

  it('carry one Idempotency-Key and one body until the answer comes', async () => {
    await using scene = await startScriptedServer((_, i) =>
      i < 2 ? 'drop' : { status: 201, body: { id: '1' } },
    );
    expect(await calls['a create'](scene.client)).toEqual({ id: '1' });
    const sent = scene.requests.map(({ headers, body }) => `${headers['idempotency-key']} ${body}`);
    expect(sent).toHaveLength(3);
    expect(new Set(sent).size).toBe(1);
    expect(sent[0]).toMatch(/^[0-9a-f-]{36} \{"content":"x"\}$/);
  });

  it.each([
    ['nested', { error: { code: 'idempotency_in_progress', message: 'm' } }],
    ['flat', { error: 'idempotency_in_progress', message: 'm' }],
  ])('wait for the outcome of the first one that still runs (%s)', async (_form, body) => {
    await using scene = await startScriptedServer((_, i) =>
      i < 2 ? { status: 409, body } : { status: 201, body: { id: '1' } },
    );
    expect(await calls['a create'](scene.client)).toEqual({ id: '1' });
    expect(scene.requests).toHaveLength(3);
  });

  it('are not made for what cannot be sent at all', async () => {
    await using scene = await startScriptedServer(() => ({ status: 200 }), {
      apiKey: 'two\nlines',
    });
    await expect(calls['a read'](scene.client)).rejects.toThrow(TypeError);
    expect(scene.waits).toEqual([]);
  });

  it('end when onResponse throws', async () => {
    await using scene = await startScriptedServer(() => ({ status: 503 }), {
      onResponse: () => {
        throw new Error('enough');
      },
    });
    await expect(calls['a read'](scene.client)).rejects.toThrow('enough');
    expect(scene.requests).toHaveLength(1);
  });
});

describe('the wait before the next attempt', () => {
  it('doubles, with jitter', async () => {
    await using scene = await startScriptedServer(() => ({ status: 503, body: {} }));
    await expect(calls['a read'](scene.client)).rejects.toThrow();
    expect(scene.waits).toEqual([100, 200, 400]);
  });

  it('ends growing at ten seconds', async () => {
    const options = { retries: 8, random: () => 1 };
    await using scene = await startScriptedServer(() => ({ status: 503, body: {} }), options);
    await expect(calls['a read'](scene.client)).rejects.toThrow();
    expect(scene.waits).toEqual([200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000]);
  });

  const limited = (retryAfter: string): ResponseScript => {
    const date = 'Mon, 05 Jan 2026 09:30:00 GMT';
    const body = { error: { code: 'rate_limit_exceeded', message: 'm' } };
    return () => ({ status: 429, headers: { 'retry-after': retryAfter, date }, body });
  };

  it.each([
    ['7', 7],
    ['0', 0],
    ['60', 60],
    ['Mon, 05 Jan 2026 09:30:05 GMT', 5],
    ['Mon, 05 Jan 2026 09:29:00 GMT', 0],
  ])('is what Retry-After says: %s', async (retryAfter, retryAfterSeconds) => {
    await using scene = await startScriptedServer(limited(retryAfter));
    await expect(calls['a POST without a key'](scene.client)).rejects.toMatchObject({
      code: 'rate_limit_exceeded',
      retryAfterSeconds,
    });
    const waitMs = retryAfterSeconds * 1_000;
    expect(scene.waits).toEqual([waitMs, waitMs, waitMs]);
  });

  it('is our own when Retry-After cannot be read', async () => {
    await using scene = await startScriptedServer(limited('soon'));
    const refused = { retryAfterSeconds: null };
    await expect(calls['a read'](scene.client)).rejects.toMatchObject(refused);
    expect(scene.waits).toEqual([100, 200, 400]);
  });

  it('is left to the caller when Retry-After asks for more than a minute', async () => {
    await using scene = await startScriptedServer(limited('2592000'));
    const refused = { status: 429, retryAfterSeconds: 2_592_000 };
    await expect(calls['a read'](scene.client)).rejects.toMatchObject(refused);
    expect(scene.requests).toHaveLength(1);
  });
});

describe('the end of patience', () => {
  it('is a TimeoutError, after the retries', async () => {
    await using scene = await startScriptedServer(() => 'silence', { timeoutMs: 500, retries: 1 });
    await expect(calls['a read'](scene.client)).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(scene.requests).toHaveLength(2);
  });

  it('holds for request too', async () => {
    await using scene = await startScriptedServer(() => 'silence', { timeoutMs: 50 });
    const asked = scene.client.request({ method: 'GET', path: '/memories' });
    await expect(asked).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('comes at once when the caller aborts an attempt', async () => {
    const abort = new AbortController();
    await using scene = await startScriptedServer(() => {
      abort.abort(new Error('no longer wanted'));
      return 'silence';
    });
    const asked = scene.client.memories.get({ params }, { signal: abort.signal });
    await expect(asked).rejects.toThrow('no longer wanted');
    expect(scene.requests).toHaveLength(1);
    expect(scene.waits).toEqual([]);
  });

  it('comes at once when the caller aborts between attempts', async () => {
    const abort = new AbortController();
    await using scene = await startScriptedServer(() => ({ status: 503, body: {} }), {
      sleep: async (_ms, signal) => {
        abort.abort(new Error('no longer wanted'));
        signal?.throwIfAborted();
      },
    });
    const asked = scene.client.memories.get({ params }, { signal: abort.signal });
    await expect(asked).rejects.toThrow('no longer wanted');
    expect(scene.requests).toHaveLength(1);
  });
});
