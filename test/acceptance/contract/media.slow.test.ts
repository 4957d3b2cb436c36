import { allRoutes, buildOpenApi, createdMemory as memorySchema, routes } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clipUrl } from '../../../packages/server/src/domains/media/index.ts';
import { fakeRecording } from '../../support/fake-media.ts';
import { oneEngine, type Service } from '../../support/service.ts';
import {
  byteRoutes,
  createExampleData,
  exampleRequest,
  startContractService,
} from './example-data.ts';
import { formBytes } from './example-data-media.ts';

/** What the example of each is answered, of bytes that no schema tells. */
const told: Readonly<Record<string, { status: number; type: string | null }>> = {
  'media.stream': { status: 200, type: 'audio/mp4' },
  'media.video': { status: 200, type: 'video/mp4' },
  'media.thumbnail': { status: 200, type: 'image/webp' },
  'media.clip': { status: 403, type: 'application/json' },
  'media.appendUpload': { status: 204, type: null },
};

const typeOf = (headers: Headers): string | null =>
  headers.get('content-type')?.split(';')[0] ?? null;

describe.each(oneEngine)('bytes of media on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startContractService(engine);
  });
  afterAll(() => service.stop());

  it('come and go by these routes', () => {
    expect(byteRoutes.map(([id]) => id).toSorted()).toEqual(Object.keys(told).toSorted());
  });

  it.each(byteRoutes)('%s answers its example by the contract', async (id, route) => {
    const { client } = await service.createAccount();
    const { status, headers, body } = await client.request(
      exampleRequest(route, await createExampleData(service, client, route)),
    );
    expect({ status, type: typeOf(headers) }).toEqual(told[id]);
    // An invented signature opens nothing.
    const isKnown = id === 'media.clip' || status in route.responses;
    expect(isKnown).toBe(true);
    if (status === 204) expect(body).toBeUndefined();
  });

  it('media.clip plays by its link, without a key, whole and in part', async () => {
    const { client } = await service.createAccount();
    const { recording } = await createExampleData(service, client, routes.media.stream);
    const link = new URL(clipUrl(service.running.context.app, recording, 0.4, 3.9), service.url);
    const whole = await fetch(link);
    expect([whole.status, typeOf(whole.headers), await whole.text()]).toEqual([
      200,
      'audio/mp4',
      'a clip',
    ]);
    const part = await fetch(link, { headers: { range: 'bytes=2-' } });
    expect([part.status, await part.text()]).toEqual([206, 'clip']);
  });

  it.each(['media.stream', 'media.video'])('%s honours Range, If-Range and HEAD', async (id) => {
    const route = allRoutes.find((one) => one.id === id) as (typeof allRoutes)[number];
    const { client } = await service.createAccount();
    const sent = exampleRequest(route, await createExampleData(service, client, route));
    const bytes = new Uint8Array(fakeRecording(id === 'media.video' ? 'video' : 'audio'));
    const asked = (headers: Record<string, string>, method = 'GET') =>
      client.request({ ...sent, method, headers });
    const whole = await asked({});
    const etag = whole.headers.get('etag') ?? '';
    expect(whole.body).toEqual(bytes);
    const part = await asked({ range: 'bytes=1-5', 'if-range': etag });
    expect([part.status, part.body]).toEqual([206, bytes.slice(1, 6)]);
    expect(part.headers.get('content-range')).toBe(`bytes 1-5/${bytes.length}`);
    expect((await asked({ range: 'bytes=1-5', 'if-range': '"other"' })).status).toBe(200);
    const beyond = await asked({ range: 'bytes=500-' });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([
      416,
      `bytes */${bytes.length}`,
    ]);
    const head = await asked({}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), head.body]).toEqual([
      200,
      String(bytes.length),
      undefined,
    ]);
  });
});

describe.each(oneEngine)('POST /memories with a form on %s', (engine) => {
  let service: Service;
  let client: Client;
  beforeAll(async () => {
    service = await startContractService(engine);
    ({ client } = await service.createAccount());
  });
  afterAll(() => service.stop());

  const post = async (
    by: Client,
    fields: Record<string, string>,
    file: Uint8Array = fakeRecording('audio', JSON.stringify(fields)),
  ) =>
    by.request({
      method: 'POST',
      path: '/memories',
      ...(await formBytes(fields, file, 'file.bin')),
    });

  it('is documented with its file and each of its fields', () => {
    const document = buildOpenApi(allRoutes, '1.0.0') as unknown as {
      paths: { '/memories': { post: { requestBody: { content: Record<string, unknown> } } } };
    };
    const { content } = document.paths['/memories'].post.requestBody;
    expect(content['multipart/form-data']).toMatchObject({
      schema: {
        required: ['file'],
        additionalProperties: false,
        properties: Object.fromEntries(
          ['file', ...Object.keys(routes.memories.create.form.shape)].map((name) => [
            name,
            expect.any(Object),
          ]),
        ),
      },
    });
  });

  it('is 201 with the memory and its ETag, as JSON is', async () => {
    const { status, headers, body } = await post(client, { title: 'Stand-up' });
    expect(status).toBe(201);
    expect(memorySchema.parse(body)).toEqual(body);
    expect(headers.get('etag')).toMatch(/^"/);
  });

  it('tells every faulty field by its name', async () => {
    const { status, body } = await post(client, {
      title: '',
      tags: 'no json',
      metadata: '[]',
      priority: '11',
      is_pinned: 'yes',
      protection_level: 'iron',
      occurred_at: 'yesterday',
      session_id: 'x',
      space_id: 'y',
      allow_duplicate: '1',
      colour: 'red',
    });
    const { error } = body as { error: { details: { fields: Record<string, { code: string }> } } };
    const codes = Object.entries(error.details.fields).map(([name, { code }]) => [name, code]);
    expect([status, Object.fromEntries(codes)]).toEqual([
      422,
      {
        title: 'invalid_range',
        tags: 'invalid_format',
        metadata: 'invalid_type',
        priority: 'invalid_range',
        is_pinned: 'invalid_type',
        protection_level: 'invalid_enum_value',
        occurred_at: 'invalid_format',
        session_id: 'invalid_format',
        space_id: 'invalid_format',
        allow_duplicate: 'invalid_type',
        colour: 'unknown_field',
      },
    ]);
  });

  it('is 403 for a space that the key may not use, 404 for one that is not there', async () => {
    const [one, two] = [
      await client.spaces.create({ body: { name: 'one' } }),
      await client.spaces.create({ body: { name: 'two' } }),
    ];
    const { key } = await client.keys.create({ body: { name: 'limited', space_ids: [one.id] } });
    const limited = service.client(key);
    const codes = [
      await post(limited, { space_id: two.id }),
      await post(limited, {}),
      await post(client, { space_id: '019b8d1c-3a40-7c11-9d3e-5f0a4b6c7dff' }),
    ].map(({ status, body }) => [status, (body as { error: { code: string } }).error.code]);
    expect(codes).toEqual([
      [403, 'space_access_denied'],
      [403, 'space_access_denied'],
      [404, 'space_not_found'],
    ]);
    expect((await post(limited, { space_id: one.id })).status).toBe(201);
  });

  it('is taken by no key without the scope, and by none at all', async () => {
    const { key } = await client.keys.create({ body: { name: 'r', scopes: ['memories:read'] } });
    expect((await post(service.client(key), {})).status).toBe(403);
    expect((await post(service.client('mnk_none'), {})).status).toBe(401);
  });

  it('is a type that no other route takes', async () => {
    const { body, headers: typed } = await formBytes({}, fakeRecording('audio'), 'x');
    const sent = { body, headers: { ...typed, 'tus-resumable': '1.0.0' } };
    for (const path of ['/memories/bulk', '/spaces', '/media/uploads', '/search']) {
      expect((await client.request({ method: 'POST', path, ...sent })).status).toBe(415);
    }
  });
});
