import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { createFakeMedia, fakeRecording } from '../../support/fake-media.ts';
import {
  openRawConnection,
  type RawHttpConnection,
  type RawHttpResponse,
} from '../../support/raw-http.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { listBlobs } from '../media/blobs.ts';

const codeOf = ({ text }: RawHttpResponse): string =>
  (JSON.parse(text) as { error: { code: string } }).error.code;

const formType = 'multipart/form-data; boundary=b';
const fileBegin = '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n';
const formEnd = '\r\n--b--\r\n';
const offsetType = 'application/offset+octet-stream';
/** More than is written at once: some of it is in the blob store before the rest has come. */
const much = '\0'.repeat(400_000);

const head = (method: string, path: string, key: string, ...lines: string[]): string =>
  [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    ...(key === '' ? [] : [`Authorization: Bearer ${key}`]),
    ...lines,
    '\r\n',
  ].join('\r\n');

/** The head of a form that says to be of a megabyte. */
const formHead = (key: string, ...lines: string[]): string =>
  head(
    'POST',
    '/v1/memories',
    key,
    `Content-Type: ${formType}`,
    'Content-Length: 1000000',
    ...lines,
  );

async function began(service: Service, length: number, client?: Client): Promise<string> {
  const { headers } = await (client ?? service.client()).request({
    method: 'POST',
    path: '/media/uploads',
    headers: { 'tus-resumable': '1.0.0', 'upload-length': String(length) },
  });
  return headers.get('location') ?? '';
}

describe('an upload that takes its time', () => {
  let service: Service;
  let clock: FakeClock;
  beforeAll(async () => {
    clock = createFakeClock();
    service = await startService('embedded', {
      overrides: { ...createFakeMedia(), transcribers: [], clock },
    });
  });
  afterAll(() => service.stop());

  /** What the service has taken in and not yet let go. */
  const taken = (count: number) =>
    eventually(
      () => listBlobs(service),
      (blobs) => blobs.length === count,
    );
  const seconds = 60;

  it('goes on for as long as enough of it comes, and is 408 once too little does', async () => {
    const before = (await listBlobs(service)).length;
    using wire = await openRawConnection(service.url);
    wire.send(`${formHead(service.adminKey)}${fileBegin}${much}`);
    await taken(before + 1);
    let over = false;
    void wire.ended.then(() => {
      over = true;
    });
    for (let minute = 0; minute < 3; minute += 1) {
      clock.advance(seconds * 1_000);
      wire.send('\0'.repeat(seconds * 1_024));
      await service.client().memories.list();
    }
    expect(over).toBe(false);
    const answer = wire.readResponse();
    // Each minute a byte, as somebody would who means to stay for long.
    await eventually(
      async () => {
        if (over) return;
        wire.send('\0');
        await service.client().memories.list();
        clock.advance(seconds * 1_000);
      },
      () => over,
    );
    expect((await answer).status).toBe(408);
    await taken(before);
    expect((await service.client().memories.list()).data).toEqual([]);
  });

  it('by tus is let go, too, and what came is kept', async () => {
    const place = await began(service, 1_000_000);
    using wire = await openRawConnection(service.url);
    const lines = [
      'Tus-Resumable: 1.0.0',
      `Content-Type: ${offsetType}`,
      'Upload-Offset: 0',
      'Content-Length: 1000000',
    ];
    const before = (await listBlobs(service)).length;
    wire.send(`${head('PATCH', place, service.adminKey, ...lines)}${much}`);
    await taken(before + 1);
    let isAnswered = false;
    const answer = wire.readResponse().finally(() => {
      isAnswered = true;
    });
    // What came and was not read yet counts for the service, not against the client.
    await eventually(
      async () => {
        await service.client().memories.list();
        clock.advance(seconds * 1_000);
      },
      () => isAnswered,
    );
    expect((await answer).status).toBe(408);
    const path = place.replace('/v1', '');
    const { headers } = await eventually(
      () =>
        service.client().request({
          method: 'HEAD',
          path,
          headers: { 'tus-resumable': '1.0.0' },
        }),
      (told) => told.headers.get('upload-offset') !== '0',
    );
    expect(headers.get('upload-offset')).toBe(String(much.length));
  });

  it('is let go once it was refused, however much still comes', async () => {
    using wire = await openRawConnection(service.url);
    wire.send(`${formHead('')}${fileBegin}${much}`);
    expect((await wire.readResponse()).status).toBe(401);
    clock.advance(seconds * 1_000);
    await wire.ended;
  });

  it.each([
    ['a form', 'POST', '/v1/memories', formType],
    ['JSON', 'POST', '/v1/memories', 'application/json'],
    ['JSON where bytes are taken', 'PATCH', '/v1/media/uploads/x', 'application/json'],
    ['a form where none is taken', 'POST', '/v1/spaces', formType],
  ])('that never begins is 408: %s', async (_what, method, path, type) => {
    using wire = await openRawConnection(service.url);
    const lines = [`Content-Type: ${type}`, 'Content-Length: 1000000', 'Tus-Resumable: 1.0.0'];
    wire.send(head(method, path, service.adminKey, ...lines));
    await service.client().memories.list();
    const answer = wire.readResponse();
    await eventually(
      async () => clock.advance(seconds * 1_000),
      () => service.logLines.some((line) => line.includes('ERR_HTTP_REQUEST_TIMEOUT')),
    );
    expect([408, 415]).toContain((await answer).status);
  });
});

describe('a body that nobody wants', () => {
  let service: Service;
  beforeAll(async () => {
    const env = { MNEME_MAX_UPLOAD_BYTES: '500000' };
    service = await startService('embedded', {
      env,
      overrides: { ...createFakeMedia(), transcribers: [] },
    });
  });
  afterAll(() => service.stop());

  const expecting = 'Expect: 100-continue';
  /** The head of a part of an upload, at an offset. */
  const partHead = (path: string, { offset, length }: { offset: number; length: number }): string =>
    head(
      'PATCH',
      path,
      service.adminKey,
      'Tus-Resumable: 1.0.0',
      `Content-Type: ${offsetType}`,
      `Upload-Offset: ${offset}`,
      `Content-Length: ${length}`,
      expecting,
    );

  it('is asked for once its request is let in, and never before', async () => {
    const body = `${fileBegin}${fakeRecording('audio').toString('latin1')}${formEnd}`;
    using wire = await openRawConnection(service.url);
    const lines = [`Content-Type: ${formType}`, `Content-Length: ${body.length}`, expecting];
    wire.send(head('POST', '/v1/memories', service.adminKey, ...lines));
    expect((await wire.readResponse()).status).toBe(100);
    wire.send(body);
    const answer = await wire.readResponse();
    expect(answer.status).toBe(201);
    expect(answer.headers.get('connection')).not.toBe('close');
  });

  const large = ['Content-Type: application/json', 'Content-Length: 9000000'];
  it.each<[what: string, status: number, make: () => Promise<string> | string]>([
    ['without a key', 401, () => formHead('', expecting)],
    [
      'without the scope',
      403,
      async () => {
        const body = { name: 'r', scopes: ['memories:read' as const] };
        const { key } = await service.client().keys.create({ body });
        return formHead(key, expecting);
      },
    ],
    [
      'of a file that is too large',
      413,
      () => formHead(service.adminKey, expecting).replace('1000000', '2000000'),
    ],
    [
      'of too much JSON',
      413,
      () => head('POST', '/v1/memories', service.adminKey, ...large, expecting),
    ],
    [
      'of JSON where bytes are taken',
      415,
      () =>
        head(
          'PATCH',
          '/v1/media/uploads/x',
          service.adminKey,
          'Tus-Resumable: 1.0.0',
          ...large,
          expecting,
        ),
    ],
    ['for no upload', 404, () => partHead('/v1/media/uploads/x', { offset: 0, length: 1_000 })],
    [
      'at another offset',
      409,
      async () => partHead(await began(service, 2_000), { offset: 7, length: 1_000 }),
    ],
    [
      'beyond the length of its upload',
      413,
      async () => partHead(await began(service, 2_000), { offset: 0, length: 2_001 }),
    ],
    [
      'of another type',
      415,
      () =>
        head(
          'POST',
          '/v1/spaces',
          service.adminKey,
          `Content-Type: ${formType}`,
          'Content-Length: 1000',
          expecting,
        ),
    ],
    ['to no path', 404, () => head('POST', '/v1/nothing', service.adminKey, ...large, expecting)],
  ])('is refused before it comes, and its connection ends: %s', async (_what, status, make) => {
    using wire = await openRawConnection(service.url);
    wire.send(await make());
    const answer = await wire.readResponse();
    expect(answer.status).toBe(status);
    expect(answer.headers.get('connection')).toBe('close');
    expect(await wire.ended).toBe('');
  });

  it('is not held in memory where it is no bytes of an upload', async () => {
    const place = await began(service, 400_000);
    const { status } = await fetch(new URL(place, service.url), {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${service.adminKey}`,
        'content-type': 'application/json',
        'tus-resumable': '1.0.0',
        'upload-offset': '0',
      },
      body: Buffer.alloc(8_500_000, ' '),
    });
    expect(status).toBe(415);
  });
});

describe.each(engines)('uploads at the same time on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    const env = { MNEME_REQUESTS_MAX: '20' };
    service = await startService(engine, {
      env,
      overrides: { ...createFakeMedia(), transcribers: [] },
    });
  });
  afterAll(() => service.stop());

  /** Forms that have begun and do not go on. */
  async function begin(
    key: string,
    count: number,
    ending: DisposableStack,
  ): Promise<RawHttpConnection[]> {
    const before = (await listBlobs(service)).length;
    const wires: RawHttpConnection[] = [];
    for (let i = 0; i < count; i += 1) {
      const wire = ending.use(await openRawConnection(service.url));
      wire.send(`${formHead(key)}${fileBegin}${much}`);
      wires.push(wire);
    }
    await eventually(
      () => listBlobs(service),
      (blobs) => blobs.length === before + count,
    );
    return wires;
  }

  async function refused(key: string): Promise<RawHttpResponse> {
    using wire = await openRawConnection(service.url);
    wire.send(formHead(key, 'Expect: 100-continue'));
    return await wire.readResponse();
  }

  it('count toward what the plan allows at once, until they are over', async () => {
    const { key, client } = await service.createAccount('free');
    {
      using ending = new DisposableStack();
      await begin(key, 5, ending);
      const told = await client.request({ method: 'GET', path: '/spaces' });
      expect(told.status).toBe(429);
      expect(told.body).toMatchObject({ error: { code: 'concurrent_limit_exceeded' } });
    }
    await eventually(
      () => client.request({ method: 'GET', path: '/spaces' }),
      ({ status }) => status === 200,
    );
  });

  it('of one account never take all places, nor those of all accounts; others go on', async () => {
    const [one, two, three] = [
      await service.createAccount(),
      await service.createAccount(),
      await service.createAccount(),
    ];
    {
      using ending = new DisposableStack();
      await begin(one.key, 5, ending);
      const sixth = await refused(one.key);
      expect([sixth.status, codeOf(sixth)]).toEqual([503, 'service_unavailable']);
      expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(0);
      await begin(two.key, 5, ending);
      expect((await refused(three.key)).status).toBe(503);
      for (const { client } of [one, two, three]) {
        expect((await client.memories.list()).data).toEqual([]);
      }
    }
    await eventually(
      () => refused(three.key),
      ({ status }) => status === 100,
    );
  });
});

describe.each(engines)('an upload that there is no room for on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine, { overrides: { ...createFakeMedia(), transcribers: [] } });
  });
  afterAll(() => service.stop());

  it('is refused before its bytes, and once more where the room goes meanwhile', async () => {
    const { id, key, client } = await service.createAccount();
    const settings = { daily_memory_limit: 1 };
    await service.operator().admin.updateAccount({ params: { id }, body: { settings } });
    const begin = () =>
      client.request({
        method: 'POST',
        path: '/media/uploads',
        headers: {
          'tus-resumable': '1.0.0',
          'upload-length': String(fakeRecording('audio').length),
        },
      });
    const begun = await begin();
    expect(begun.status).toBe(201);
    await client.memories.create({ body: { content: 'the only one of the day' } });
    const before = await listBlobs(service);
    using wire = await openRawConnection(service.url);
    wire.send(formHead(key, 'Expect: 100-continue'));
    const told = await wire.readResponse();
    expect([told.status, codeOf(told)]).toEqual([429, 'daily_limit_exceeded']);
    expect((await begin()).status).toBe(429);
    const last = await client.request({
      method: 'PATCH',
      path: (begun.headers.get('location') ?? '').replace('/v1', ''),
      headers: { 'tus-resumable': '1.0.0', 'content-type': offsetType, 'upload-offset': '0' },
      body: fakeRecording('audio'),
    });
    expect(last).toMatchObject({ status: 429, body: { error: { code: 'daily_limit_exceeded' } } });
    // Its bytes wait for the next day.
    expect(await listBlobs(service)).toHaveLength(before.length + 1);
    expect((await client.memories.list()).data).toHaveLength(1);
  });

  it('is 403 where the plan has no further memory', async () => {
    const { key, id } = await service.createAccount('free');
    const { db } = service.running.context.app.engine;
    const row = { account_id: id, metric: 'memories', period: '', used: 1_000 };
    const { period } = await db
      .selectFrom('usage_counters')
      .select('period')
      .where('metric', '=', 'memories')
      .limit(1)
      .executeTakeFirstOrThrow();
    await db
      .insertInto('usage_counters')
      .values({ ...row, period })
      .execute();
    using wire = await openRawConnection(service.url);
    wire.send(formHead(key, 'Expect: 100-continue'));
    const told = await wire.readResponse();
    expect([told.status, codeOf(told)]).toEqual([403, 'quota_exceeded']);
  });
});
