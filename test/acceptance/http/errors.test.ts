import http from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneEngine, type Service, startService } from '../../support/service.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const nobody = '019b8d1c-3a40-7c11-9d3e-5f0a4b6c7d8e';

describe.each(oneEngine)('errors over HTTP on %s', (engine) => {
  let service: Service;
  let client: ReturnType<Service['client']>;
  beforeAll(async () => {
    service = await startService(engine);
    client = service.client();
  });
  afterAll(() => service.stop());

  describe('a request id', () => {
    const ask = (path: string, id?: string) =>
      client.request({
        method: 'GET',
        path,
        ...(id === undefined ? {} : { headers: { 'x-request-id': id } }),
      });

    it.each(['a', 'trace-1_2.3', 'A'.repeat(128), '0'])(
      'that is well formed is echoed: %s',
      async (id) => {
        for (const path of ['/memories', '/memories/x', '/nope', '/health']) {
          expect((await ask(path, id)).headers.get('x-request-id')).toBe(id);
        }
      },
    );

    it.each(['with space', 'a'.repeat(129), 'a/b', '{}', 'ü', ''])(
      'that is malformed is replaced by a new one: %s',
      async (id) => {
        expect((await ask('/memories', id)).headers.get('x-request-id')).toMatch(uuid);
      },
    );

    it('that is missing is made, another one for each request', async () => {
      const ids = new Set<string | null>();
      for (const path of ['/memories', '/memories', '/nope', '/health', '/openapi.json']) {
        ids.add((await ask(path)).headers.get('x-request-id'));
      }
      ids.add((await fetch(`${service.url}/docs/`)).headers.get('x-request-id'));
      expect(ids.size).toBe(6);
      for (const id of ids) expect(id).toMatch(uuid);
    });
  });

  describe('the form of an error', () => {
    const ask = (headers: Record<string, string>, path = '/memories?limit=0') =>
      client.request({ method: 'GET', path, headers });
    const nested = { error: { code: 'validation_error' } };
    const flat = { error: 'bad_request', message: 'limit must be at least 1' };
    const problem = { type: 'about:blank', code: 'validation_error' };

    it.each<[string, Record<string, string>, object]>([
      ['an X-Error-Format that there is not', { 'x-error-format': 'yaml' }, nested],
      ['another Accept', { accept: 'text/html, application/json' }, nested],
      ['an Accept that refuses it', { accept: 'application/problem+json;q=0, */*' }, nested],
      ['one of several in Accept', { accept: 'text/html, application/problem+json;q=.5' }, problem],
      ['an Accept in capitals', { accept: 'Application/Problem+JSON' }, problem],
      ['an X-Error-Format in capitals', { 'x-error-format': 'Flat' }, flat],
      [
        'an X-Error-Format beside an Accept',
        { accept: 'application/problem+json', 'x-error-format': 'flat' },
        flat,
      ],
    ])('is the one asked for by %s', async (_what, headers, body) => {
      expect((await ask(headers)).body).toMatchObject(body);
    });

    it('changes nothing about a success', async () => {
      const headers = { 'x-error-format': 'flat', accept: 'application/problem+json' };
      const answer = await ask(headers, '/memories?limit=1');
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    });
  });

  describe('a body', () => {
    const post = (body: unknown, headers: Record<string, string> = {}) =>
      client.request({ method: 'POST', path: '/memories', body, headers });

    it.each(['{', '{"content": "x",}', '{"content": undefined}', 'content=x', '{}{}', '\u0000'])(
      'that is not JSON is 400 invalid_json: %j',
      async (body) => {
        expect(await post(body)).toMatchObject({
          status: 400,
          body: { error: { code: 'invalid_json' } },
        });
      },
    );

    it('that is not UTF-8 is 400 invalid_json', async () => {
      const body = Uint8Array.from([...Buffer.from('{"content":"'), 0xff, ...Buffer.from('"}')]);
      expect(await post(body)).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_json' } },
      });
    });

    it.each(['[]', '[{"content":"x"}]', '"x"', '5', 'true', 'null', ''])(
      'that is no object is 400 invalid_request: %j',
      async (body) => {
        expect(await post(body)).toMatchObject({
          status: 400,
          body: { error: { code: 'invalid_request' } },
        });
      },
    );

    it('on a route that takes none is 400 invalid_request', async () => {
      const { id } = await client.memories.create({ body: { content: 'to be verified' } });
      const path = `/memories/${id}/verify`;
      const answer = await client.request({ method: 'POST', path, body: { verified: true } });
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
      expect((await client.request({ method: 'POST', path, body: {} })).status).toBe(200);
    });

    it.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/xml',
      'application/jsonp',
    ])('of another Content-Type is 415 unsupported_media_type: %s', async (type) => {
      const answer = await post('{"content":"x"}', { 'content-type': type });
      expect(answer).toMatchObject({
        status: 415,
        body: {
          error: {
            code: 'unsupported_media_type',
            message: 'The Content-Type must be application/json or multipart/form-data.',
          },
        },
      });
    });

    it('without a Content-Type is 415', async () => {
      const response = await fetch(`${service.url}/v1/memories`, {
        method: 'POST',
        headers: { authorization: `Bearer ${service.adminKey}` },
        body: new Uint8Array([123, 125]),
      });
      expect(response.status).toBe(415);
    });

    it.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON'])(
      'is taken as %s',
      async (type) => {
        const body = JSON.stringify({ content: `sent as ${type}` });
        expect((await post(body, { 'content-type': type })).status).toBe(201);
      },
    );

    /** A body of so many bytes, all white space but its end. */
    const padded = (bytes: number): string => `${' '.repeat(bytes - 2)}{}`;

    it('of 8 MiB is read, of one byte more it is 413 payload_too_large', async () => {
      const most = 8 * 1024 * 1024;
      expect(await post(padded(most))).toMatchObject({
        status: 422,
        body: { error: { code: 'validation_error' } },
      });
      expect(await post(padded(most + 1))).toMatchObject({
        status: 413,
        body: { error: { code: 'payload_too_large' } },
      });
    });

    it('is 413 as soon as it says that it is too large, and in chunks when it is', async () => {
      const announced = await raw(service, { 'content-length': String(8 * 1024 * 1024 + 1) }, null);
      expect(announced).toMatchObject({ status: 413, code: 'payload_too_large' });
      const headers = { 'transfer-encoding': 'chunked' };
      const chunked = await raw(service, headers, padded(8 * 1024 * 1024 + 1));
      expect(chunked).toMatchObject({ status: 413, code: 'payload_too_large' });
    });

    it('of a bulk route may have up to 64 MiB', async () => {
      const path = '/memories/bulk';
      const body = padded(9 * 1024 * 1024);
      expect((await client.request({ method: 'POST', path, body })).status).toBe(422);
      const { status, code } = await raw(
        service,
        { 'content-length': String(64 * 1024 * 1024 + 1) },
        null,
        path,
      );
      expect({ status, code }).toEqual({ status: 413, code: 'payload_too_large' });
    });
  });

  it.each([
    ['/memories/ID', 'memory_not_found'],
    ['/spaces/ID', 'space_not_found'],
    ['/admin/accounts/ID', 'not_found'],
    ['/jobs/ID', 'not_found'],
  ])("a malformed id in %s is 404 with the resource's own code", async (path, code) => {
    const ids = [
      'nonsense',
      '1',
      'null',
      `wh_${nobody}`,
      'a'.repeat(5_000),
      nobody.slice(1),
      '%00',
    ];
    for (const id of [...ids, nobody]) {
      const asking = path.startsWith('/admin') ? service.operator() : client;
      const answer = await asking.request({ method: 'GET', path: path.replace('ID', id) });
      expect(answer).toMatchObject({ status: 404, body: { error: { code } } });
    }
  });
});

/** One POST by hand: `body` null sends the head alone. */
function raw(
  service: Service,
  headers: Record<string, string>,
  body: string | null,
  path = '/memories',
): Promise<{ status: number | undefined; code: string }> {
  return new Promise((resolve, reject) => {
    const request = http.request(`${service.url}/v1${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.adminKey}`,
        'content-type': 'application/json',
        ...headers,
      },
    });
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => {
        request.destroy();
        const { error } = JSON.parse(text) as { error: { code: string } };
        resolve({ status: response.statusCode, code: error.code });
      });
    });
    request.on('error', reject);
    if (body === null) request.flushHeaders();
    else request.end(body);
  });
}
