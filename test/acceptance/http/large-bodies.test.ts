import { bulkBodyBytesByPlan, limits, type Plan } from '@mneme/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRawConnection } from '../../support/raw-http.ts';
import { type Service, startService } from '../../support/service.ts';

/** Larger than what is parsed at once. */
const long = 'word '.repeat(30_000);

describe('large JSON bodies', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService('embedded');
  });
  afterAll(() => service.stop());

  const send = async (key: string, path: string, body: string, headers = {}) => {
    const response = await fetch(`${service.url}/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body,
    });
    const answer = (await response.json()) as Record<string, unknown> & { error?: object };
    return { status: response.status, headers: response.headers, answer };
  };
  const bulk = (items: readonly unknown[]): string => JSON.stringify({ memories: items });

  it.each(Object.entries(bulkBodyBytesByPlan))(
    'of a bulk may have on %s %i bytes',
    async (plan, max) => {
      const { key } = await service.createAccount(plan as Plan);
      const head = (bytes: number) =>
        `POST /v1/memories/bulk HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${bytes}\r\n` +
        'Expect: 100-continue\r\n\r\n';
      using permitted = await openRawConnection(service.url);
      permitted.send(head(max));
      // The body is asked for.
      await permitted.waitForFirstBytes();
      using refused = await openRawConnection(service.url);
      refused.send(head(max + 1));
      const answer = await refused.readResponse();
      expect(answer.status).toBe(413);
      expect(answer.text).toContain('payload_too_large');
      expect(answer.text).toContain(String(max));
    },
  );

  it('that come in chunks are refused once they have more than the plan permits', async () => {
    const { key } = await service.createAccount('free');
    const body = new ReadableStream({
      start: (stream) => stream.enqueue(Buffer.from('{"memories":[')),
      pull: (stream) => stream.enqueue(Buffer.from(`{"content":"${long}"},`)),
    });
    const response = await fetch(`${service.url}/v1/memories/bulk`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
      duplex: 'half',
    });
    expect(response.status).toBe(413);
  });

  it('store what small ones would, and report each faulty item', async () => {
    const { key, client } = await service.createAccount();
    const items = [{ content: `one ${long}` }, { content: 7 }, { content: long, tags: ['a'] }, 5];
    const { status, answer } = await send(key, '/memories/bulk', bulk(items));
    expect(status).toBe(201);
    expect(answer).toMatchObject({
      created: 2,
      failed: [
        { index: 1, error: { details: { fields: { content: { code: 'invalid_type' } } } } },
        { index: 3, error: { details: { fields: { body: { code: 'invalid_type' } } } } },
      ],
    });
    const { data } = await client.memories.list();
    expect(data.map(({ content }) => content)).toEqual([long, `one ${long}`]);
    const atomic = await send(key, '/memories/bulk?atomic=true', bulk(items));
    expect(atomic.answer).toMatchObject({
      error: { details: { fields: { 'memories.1.content': { code: 'invalid_type' } } } },
    });
  });

  it('tell the faulty fields of one memory as small ones do', async () => {
    const { key } = await service.createAccount();
    const body = JSON.stringify({ content: long, priority: 'high', nothing: 1 });
    const { status, answer } = await send(key, '/memories', body);
    expect(status).toBe(422);
    expect(Object.keys((answer.error as { details: { fields: object } }).details.fields)).toEqual([
      'priority',
      'nothing',
    ]);
  });

  it('are bound to their Idempotency-Key like small ones', async () => {
    const { key, client } = await service.createAccount();
    const headers = { 'idempotency-key': 'large' };
    const body = bulk([{ content: long }]);
    const first = await send(key, '/memories/bulk', body, headers);
    const again = await send(key, '/memories/bulk', body, headers);
    expect(first.status).toBe(201);
    expect(again.answer).toEqual(first.answer);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const other = await send(key, '/memories/bulk', bulk([{ content: `${long}.` }]), headers);
    expect(other).toMatchObject({
      status: 409,
      answer: { error: { code: 'idempotency_key_reused' } },
    });
    expect((await client.memories.list()).data).toHaveLength(1);
  });

  it.each([
    ['of no JSON', `{"content":"${long}"`, 400, 'invalid_json'],
    ['that are a list', `["${long}"]`, 400, 'invalid_request'],
    [
      'that nest too deeply',
      `{"content":"${long}","a":${'['.repeat(40)}`,
      413,
      'payload_too_large',
    ],
  ])('%s are refused', async (_what, body, status, code) => {
    const { key } = await service.createAccount();
    expect(await send(key, '/memories', body)).toMatchObject({
      status,
      answer: { error: { code } },
    });
  });

  it('of more tokens than permitted are refused, and the next one is read', async () => {
    const { key } = await service.createAccount();
    const inner = `[${Array(9_999).fill(0).join()}]`;
    const list = `[${Array(Math.ceil(limits.jsonTokensMax / 20_000) + 1)
      .fill(inner)
      .join()}]`;
    const body = `{"content":"a","metadata":{"a":${list}}}`;
    const refused = await send(key, '/memories', body);
    expect(refused).toMatchObject({
      status: 413,
      answer: { error: { message: expect.stringContaining(String(limits.jsonTokensMax)) } },
    });
    expect((await send(key, '/memories', JSON.stringify({ content: long }))).status).toBe(201);
  });

  it('that are compressed are refused, as small ones are', async () => {
    const { key } = await service.createAccount();
    for (const content of [long, 'short']) {
      const headers = { 'content-encoding': 'gzip' };
      expect(await send(key, '/memories', JSON.stringify({ content }), headers)).toMatchObject({
        status: 415,
        answer: { error: { message: expect.stringContaining('uncompressed') } },
      });
    }
  });

  it('of a route that takes none are refused by their length', async () => {
    const { key, client } = await service.createAccount();
    const { id } = await client.memories.create({ body: { content: 'a' } });
    const body = JSON.stringify({ a: 'a'.repeat(limits.noBodyBytesMax) });
    expect((await send(key, `/memories/${id}/pin`, body)).status).toBe(413);
  });
});
