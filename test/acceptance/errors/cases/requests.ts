import type { FieldErrorCode } from '@mneme/contract';
import { expect } from 'vitest';
import { openRawConnection } from '../../../support/raw-http.ts';
import { absentId, type ErrorCase, prepareRequest, requestText } from '../error-case.ts';
import type { FaultInjectionService } from '../fault-injection-service.ts';

const createKey = async ({ service }: FaultInjectionService): Promise<string> =>
  (await service.createAccount()).key;

const unknownPaths: readonly ErrorCase[] = [
  {
    code: 'not_found',
    where: 'the path leads nowhere',
    route: null,
    provoke: async (stage) => prepareRequest(stage, 'GET /nope'),
  },
  {
    code: 'not_found',
    where: 'the path leads nowhere below /webhooks',
    route: null,
    format: 'flat',
    provoke: async (stage) => prepareRequest(stage, 'GET /webhooks/a/b/c/d?x=1'),
  },
  {
    code: 'not_found',
    where: 'the path leads nowhere below /email',
    route: null,
    format: 'flat',
    provoke: async (stage) => prepareRequest(stage, 'POST /email/nope', { body: {} }),
  },
  {
    code: 'method_not_allowed',
    where: 'the path does not take that method',
    route: null,
    headers: { allow: 'POST, GET, HEAD, OPTIONS' },
    provoke: async (stage) => prepareRequest(stage, 'PUT /memories', { body: {} }),
  },
];

const malformed: readonly ErrorCase[] = [
  {
    code: 'invalid_json',
    where: 'the body is no JSON',
    route: 'memories.create',
    provoke: async (stage) =>
      prepareRequest(stage, 'POST /memories', { key: await createKey(stage), body: '{' }),
  },
  {
    code: 'invalid_request',
    where: 'the body is no object',
    route: 'memories.create',
    provoke: async (stage) =>
      prepareRequest(stage, 'POST /memories', { key: await createKey(stage), body: '[]' }),
  },
  {
    code: 'invalid_request',
    where: 'the route takes no body',
    route: 'memories.verify',
    provoke: async (stage) =>
      prepareRequest(stage, `POST /memories/${absentId}/verify`, {
        key: await createKey(stage),
        body: { x: 1 },
      }),
  },
  {
    code: 'invalid_request',
    where: 'the cursor is none',
    route: 'memories.list',
    provoke: async (stage) =>
      prepareRequest(stage, 'GET /memories?cursor=nonsense', { key: await createKey(stage) }),
  },
  {
    code: 'invalid_request',
    where: 'the cursor was made with other filters',
    route: 'memories.list',
    async provoke(stage) {
      const { client, key } = await stage.service.createAccount();
      for (const content of ['one', 'two']) await client.memories.create({ body: { content } });
      const { next_cursor: cursor } = await client.memories.list({ query: { limit: 1 } });
      return prepareRequest(stage, `GET /memories?pinned=true&cursor=${cursor}`, { key });
    },
  },
  {
    code: 'invalid_request',
    where: 'the path is not percent-encoded as it should be',
    route: null,
    provoke: async (stage) =>
      prepareRequest(stage, 'GET /memories/%zz', { key: await createKey(stage) }),
  },
  {
    code: 'invalid_request',
    where: 'the query is not percent-encoded as it should be',
    route: 'search.get',
    provoke: async (stage) =>
      prepareRequest(stage, 'GET /search?q=caf%e9', { key: await createKey(stage) }),
  },
  {
    code: 'invalid_request',
    where: 'there is no Host',
    route: null,
    provoke: async ({ service }) => ({
      async send(headers) {
        using wire = await openRawConnection(service.url);
        wire.send(requestText('GET /memories', { headers }).replace('host: localhost\r\n', ''));
        return await wire.readResponse();
      },
    }),
  },
  {
    code: 'invalid_request',
    where: 'the Host header has a name that is not allowed',
    status: 421,
    route: 'operations.health',
    details: { host: 'attacker.example' },
    provoke: async ({ service }) => ({
      async send(headers) {
        using wire = await openRawConnection(service.url);
        const text = requestText('GET /health', { headers });
        wire.send(text.replace('host: localhost', 'host: attacker.example'));
        return await wire.readResponse();
      },
    }),
  },
  {
    code: 'invalid_request',
    where: 'a page of another origin sends a change without a key',
    status: 403,
    format: 'flat',
    route: 'email.unsubscribe',
    provoke: async (stage) =>
      prepareRequest(stage, 'POST /email/unsubscribe?token=x', {
        headers: { origin: 'https://attacker.example' },
      }),
  },
  {
    code: 'invalid_request',
    where: 'the URL is too long',
    status: 414,
    route: 'search.get',
    provoke: async (stage) =>
      prepareRequest(stage, `GET /search?q=${'x'.repeat(17_000)}`, { key: await createKey(stage) }),
  },
  {
    code: 'payload_too_large',
    where: 'the body says that it is too large',
    route: 'memories.create',
    headers: { connection: 'close' },
    async provoke(stage) {
      const length = String(8 * 1024 * 1024 + 1);
      const headers = { 'content-type': 'application/json', 'content-length': length };
      return prepareRequest(stage, 'POST /memories', { key: await createKey(stage), headers });
    },
  },
  {
    code: 'unsupported_media_type',
    where: 'the body is no JSON by its Content-Type',
    route: 'memories.create',
    async provoke(stage) {
      const headers = { 'content-type': 'text/plain' };
      return prepareRequest(stage, 'POST /memories', {
        key: await createKey(stage),
        headers,
        body: 'x',
      });
    },
  },
];

/** What the server gives up on before any route is known. */
const unreadRequests: readonly ErrorCase[] = [
  {
    code: 'invalid_request',
    where: 'the bytes are no HTTP',
    route: null,
    isHeadUnread: true,
    headers: { connection: 'close' },
    provoke: async ({ service }) => ({
      async send() {
        using wire = await openRawConnection(service.url);
        wire.send('nonsense\r\n\r\n');
        return await wire.readResponse();
      },
    }),
  },
  {
    code: 'invalid_request',
    where: 'the headers are too large',
    status: 431,
    route: null,
    isHeadUnread: true,
    headers: { connection: 'close' },
    provoke: async (stage) =>
      prepareRequest(stage, 'GET /memories', { headers: { 'x-large': 'x'.repeat(40_000) } }),
  },
];

const fieldError = (code: FieldErrorCode, more: object = {}) => ({
  code,
  message: expect.stringMatching(/^must |^is /),
  ...more,
});

const fields: readonly ErrorCase[] = [
  {
    code: 'validation_error',
    where: 'fields of the body are faulty, each in its own way',
    route: 'memories.create',
    details: {
      fields: {
        content: fieldError('required'),
        type: fieldError('invalid_enum_value', { received: 'poem' }),
        'tags.1': fieldError('field_too_long', { max: 255 }),
        'tags.2': fieldError('invalid_type', { received: 5 }),
        priority: fieldError('invalid_range', { received: 11, min: 0, max: 10 }),
        space_id: fieldError('invalid_format', { received: 'mine' }),
        'metadata.deep.text': fieldError('invalid_characters'),
        colour: fieldError('unknown_field'),
      },
    },
    async provoke(stage) {
      const body = {
        type: 'poem',
        tags: ['ok', 'x'.repeat(256), 5],
        priority: 11,
        space_id: 'mine',
        metadata: { deep: { text: 'a\u0000b' } },
        colour: 'red',
      };
      return prepareRequest(stage, 'POST /memories', { key: await createKey(stage), body });
    },
  },
  {
    code: 'validation_error',
    where: 'a field of the query is unknown, on a route that takes none',
    route: 'operations.health',
    details: { fields: { verbose: fieldError('unknown_field') } },
    provoke: async (stage) => prepareRequest(stage, 'GET /health?verbose=true'),
  },
  {
    code: 'validation_error',
    where: 'the Idempotency-Key is too long',
    route: 'memories.create',
    details: { fields: { 'Idempotency-Key': fieldError('invalid_format') } },
    async provoke(stage) {
      const headers = { 'idempotency-key': 'x'.repeat(256) };
      const body = { content: 'x' };
      return prepareRequest(stage, 'POST /memories', {
        key: await createKey(stage),
        headers,
        body,
      });
    },
  },
];

const repeated: readonly ErrorCase[] = [
  {
    code: 'idempotency_key_reused',
    where: 'the Idempotency-Key comes back with another body',
    route: 'spaces.create',
    async provoke(stage) {
      const { client, key } = await stage.service.createAccount();
      const idempotencyKey = 'once';
      await client.spaces.create({ body: { name: 'first' } }, { idempotencyKey });
      const headers = { 'idempotency-key': idempotencyKey };
      return prepareRequest(stage, 'POST /spaces', { key, headers, body: { name: 'second' } });
    },
  },
  {
    code: 'idempotency_in_progress',
    where: 'the first request with the Idempotency-Key still runs',
    route: 'memories.create',
    async provoke(stage) {
      const { client, key } = await stage.service.createAccount();
      const body = { content: 'held' };
      const idempotencyKey = 'running';
      const hold = stage.blockEmbedding();
      const first = client.memories.create({ body }, { idempotencyKey });
      await hold.waitForCalls(1);
      const headers = { 'idempotency-key': idempotencyKey };
      return {
        ...prepareRequest(stage, 'POST /memories', { key, headers, body }),
        async restore() {
          hold[Symbol.dispose]();
          await first;
        },
      };
    },
  },
];

export const requests: readonly ErrorCase[] = [
  ...unknownPaths,
  ...malformed,
  ...unreadRequests,
  ...fields,
  ...repeated,
];
