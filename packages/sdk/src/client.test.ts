import { type Route, routes } from '@mneme/contract';
import { describe, expect, it } from 'vitest';
import { createClient, isMnemeError, MnemeError, operations } from './index.ts';
import { startScriptedServer } from './testing.ts';

const memory = { id: '1', content: 'x' };
const ok = { status: 200, body: memory };
type AnyCall = (input?: object) => Promise<unknown>;

describe('client', () => {
  const named = Object.entries(routes).flatMap(([area, verbs]) =>
    Object.entries(verbs)
      .map(([verb, route]) => ({ area, verb, route: route as Route }))
      .filter(({ route }) => route.eventStream === undefined),
  );

  it.each(named)('sends $area.$verb as the contract has it', async ({ area, verb, route }) => {
    const { params = {}, query = {}, headers = {}, body, response } = route.example;
    const [status = 200] = Object.keys(route.responses).map(Number);
    await using scene = await startScriptedServer(() =>
      response === null ? { status: 204 } : { status, body: response },
    );
    const call = (scene.client as unknown as Record<string, Record<string, AnyCall>>)[area]?.[verb];
    const given = await call?.({ params, query, headers, ...(body ? { body } : {}) });
    expect(given instanceof Response).toBe(route.responseType !== undefined);
    if (route.responseType === undefined) expect(given).toEqual(response ?? undefined);
    const path = Object.entries(params).reduce(
      (filled, [name, value]) => filled.replace(`:${name}`, encodeURIComponent(value)),
      route.path,
    );
    const [sent] = scene.requests;
    expect(sent?.method).toBe(route.method);
    expect(sent?.url.replace(/\?.*/, '')).toBe(`/v1${path}`);
    expect(sent?.body).toBe(body === undefined ? '' : JSON.stringify(body));
    expect(sent?.headers).toMatchObject(headers);
    if (route.requestType) expect(sent?.headers['content-type']).toBe(route.requestType.type);
    expect(sent?.headers['idempotency-key'] !== undefined).toBe(route.idempotent ?? false);
  });

  it('sends the credentials, the JSON and the encoded path', async () => {
    await using scene = await startScriptedServer(() => ok);
    await scene.client.memories.update({
      params: { id: 'a/b' },
      query: { confirm: true },
      body: { tags: ['x'] },
    });
    expect(scene.requests[0]).toMatchObject({
      method: 'PATCH',
      url: '/v1/memories/a%2Fb?confirm=true',
      body: '{"tags":["x"]}',
      headers: { authorization: 'Bearer mnk_test', 'content-type': 'application/json' },
    });
  });

  it('sends the headers and the Idempotency-Key of its caller', async () => {
    await using scene = await startScriptedServer(() => ok);
    const options = { idempotencyKey: 'mine', headers: { 'X-Request-Id': 'r1' } };
    await scene.client.memories.create({ body: { content: 'x' } }, options);
    const { headers } = scene.requests[0] ?? {};
    expect(headers).toMatchObject({ 'idempotency-key': 'mine', 'x-request-id': 'r1' });
  });

  it('makes another Idempotency-Key for each call', async () => {
    await using scene = await startScriptedServer(() => ok);
    await scene.client.memories.create({ body: { content: 'x' } });
    await scene.client.memories.create({ body: { content: 'x' } });
    expect(new Set(scene.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(2);
  });

  it('takes the URL with /v1 and slashes, and refuses what is none', async () => {
    await using scene = await startScriptedServer(() => ok);
    await createClient({ url: `${scene.url}/v1/` }).operations.ready();
    expect(scene.requests[0]?.url).toBe('/v1/ready');
    expect(scene.requests[0]?.headers.authorization).toBeUndefined();
    expect(() => createClient({ url: '127.0.0.1' })).toThrow(TypeError);
    const misspelt = { apikey: 'mnk_1' } as object;
    expect(() => createClient(misspelt)).toThrow('no option apikey: use apiKey.');
    const unknown = { key: 'mnk_1' } as object;
    expect(() => createClient(unknown)).toThrow(/no option key: the options are url, apiKey, /);
  });

  it('gives status and headers by raw', async () => {
    await using scene = await startScriptedServer(() => ({ ...ok, headers: { etag: '"7"' } }));
    const answer = await scene.client.raw(operations.memories.get, { params: { id: '1' } });
    expect(answer).toMatchObject({ status: 200, body: memory });
    expect(answer.headers.get('etag')).toBe('"7"');
  });

  it('gives an empty body as undefined', async () => {
    await using scene = await startScriptedServer(() => ({ status: 204 }));
    expect(await scene.client.memories.remove({ params: { id: '1' } })).toBeUndefined();
  });

  it('takes a 503 that the route declares for an answer, at once', async () => {
    const { response } = routes.operations.health.example;
    const body = { ...response, status: 'unavailable' };
    await using scene = await startScriptedServer(() => ({ status: 503, body }));
    expect(await scene.client.operations.health()).toEqual(body);
    expect(scene.requests).toHaveLength(1);
  });

  it('does not take the 503 of something in between for one', async () => {
    const body = { error: { code: 'service_unavailable', message: 'm' } };
    await using scene = await startScriptedServer(() => ({ status: 503, body }));
    await expect(scene.client.operations.health()).rejects.toThrow(MnemeError);
    expect(scene.requests).toHaveLength(4);
  });

  it('rejects unknown parts of an input and unknown options, before anything is sent', async () => {
    await using scene = await startScriptedServer(() => ok);
    const { memories, follow } = scene.client;
    const misspelt = [
      memories.get({ param: { id: '1' } } as never),
      memories.get({ params: { id: '1' } }, { timeoutMS: 5 } as never),
      memories.upload({ file: new Blob(['x']), filename: 'x' }, { progress: true } as never),
      memories.uploadInParts({ file: new Blob(['x']), filename: 'x' }, { uploadID: '' } as never),
    ];
    const errors = await Promise.all(misspelt.map((call) => call.catch((error) => error.message)));
    expect(errors).toEqual([
      expect.stringContaining('The input of memories.get has no option param: the options are'),
      'A call of memories.get has no option timeoutMS: use timeoutMs.',
      expect.stringContaining('memories.upload has no option progress'),
      'memories.uploadInParts has no option uploadID: use uploadId.',
    ]);
    expect(() => follow({ userId: 'ana' } as never)).toThrow(
      'follow has no option userId: use user_id.',
    );
    expect(scene.requests).toHaveLength(0);
  });

  it('narrows an error by its code', async () => {
    const details = { memory_id: 'm1' };
    const error = { code: 'duplicate_memory', message: 'm', request_id: 'r', details };
    await using scene = await startScriptedServer(() => ({ status: 409, body: { error } }));
    const caught: unknown = await scene.client.memories
      .create({ body: { content: 'x' } })
      .catch((reason) => reason);
    expect(isMnemeError(caught)).toBe(true);
    expect(isMnemeError(caught, 'conflict', 'not_found')).toBe(false);
    expect(isMnemeError(new Error('x'))).toBe(false);
    if (!isMnemeError(caught, 'conflict', 'duplicate_memory')) throw caught;
    const id: string | undefined =
      caught.code === 'duplicate_memory' ? String(caught.details.memory_id) : undefined;
    expect(id).toBe('m1');
  });
});

describe('hooks', () => {
  it('see every attempt and its outcome, and can set headers', async () => {
    const shown: string[] = [];
    const traces = ['00-a-1-01', '00-a-2-01', '00-a-3-01', '00-a-4-01'];
    await using scene = await startScriptedServer((_, i) => (i === 0 ? { status: 503 } : ok), {
      onRequest: ({ headers }) => headers.set('traceparent', traces.shift() ?? ''),
      onResponse: ({ status }, { operation, method, url, attempt, durationMs }) => {
        expect(durationMs).toBeGreaterThanOrEqual(0);
        shown.push(`${operation} ${method} ${new URL(url).pathname} ${attempt} ${status}`);
      },
    });
    await scene.client.memories.get({ params: { id: '1' } });
    await scene.client.request({ method: 'GET', path: '/x' });
    expect(shown).toEqual([
      'memories.get GET /v1/memories/1 0 503',
      'memories.get GET /v1/memories/1 1 200',
      'undefined GET /v1/x 0 200',
    ]);
    expect(scene.requests.map(({ headers }) => headers.traceparent)).toEqual([
      '00-a-1-01',
      '00-a-2-01',
      '00-a-3-01',
    ]);
  });

  it('see an attempt without a response as a failure', async () => {
    const failures: string[] = [];
    await using scene = await startScriptedServer((_, i) => (i === 0 ? 'drop' : ok), {
      onFailure: (error, { operation, attempt }) =>
        failures.push(`${operation} ${attempt} ${(error as Error).name}`),
    });
    await scene.client.memories.get({ params: { id: '1' } });
    expect(failures).toEqual(['memories.get 0 TypeError']);
  });
});

describe('client.request', () => {
  it('gives any status back, without trying again', async () => {
    await using scene = await startScriptedServer(() => ({ status: 503, body: { error: 'x' } }));
    const { status, body } = await scene.client.request({ method: 'GET', path: '/memories' });
    expect({ status, body }).toEqual({ status: 503, body: { error: 'x' } });
    expect(scene.requests).toHaveLength(1);
  });

  it('sends a text as it is, valid or not', async () => {
    await using scene = await startScriptedServer(() => ({ status: 400 }));
    const headers = { 'Content-Type': 'text/plain', authorization: 'Basic x' };
    await scene.client.request({ method: 'POST', path: '/memories', body: '{"con', headers });
    expect(scene.requests[0]).toMatchObject({
      body: '{"con',
      headers: { 'content-type': 'text/plain', authorization: 'Basic x' },
    });
  });

  it('gives no key to another host', async () => {
    await using scene = await startScriptedServer(() => ok);
    await using other = await startScriptedServer(() => ok);
    await scene.client.request({ method: 'GET', path: `${scene.url}/metrics` });
    await scene.client.request({ method: 'GET', path: `${other.url}/metrics` });
    expect(scene.requests[0]?.headers.authorization).toBe('Bearer mnk_test');
    expect(other.requests[0]?.url).toBe('/metrics');
    expect(other.requests[0]?.headers.authorization).toBeUndefined();
  });
});
