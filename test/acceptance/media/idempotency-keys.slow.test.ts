import type { Memory } from '@mneme/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createFakeMedia, fakeRecording } from '../../support/fake-media.ts';
import { openRawConnection } from '../../support/raw-http.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { listBlobs } from './blobs.ts';
import {
  type ApiCredentials,
  createForm,
  errorCodeOf,
  type HttpResult,
  parseJson,
  sendRequest,
} from './http-requests.ts';

const one = fakeRecording('audio', 'one');
const other = fakeRecording('audio', 'two');

describe.each(engines)('an Idempotency-Key with a form on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine, { overrides: { ...createFakeMedia(), transcribers: [] } });
  });
  afterAll(() => service.stop());

  const account = async (): Promise<
    ApiCredentials & Awaited<ReturnType<Service['createAccount']>>
  > => ({
    ...(await service.createAccount()),
    url: service.url,
  });
  const post = (credentials: ApiCredentials, key: string, form: FormData): Promise<HttpResult> =>
    sendRequest(credentials, '/v1/memories', {
      method: 'POST',
      body: form,
      headers: { 'idempotency-key': key },
    });
  const isReplayed = ({ headers }: HttpResult): boolean =>
    headers.get('idempotency-replayed') === 'true';
  const ids = async ({ client }: Awaited<ReturnType<typeof account>>): Promise<string[]> =>
    (await client.memories.list()).data.map(({ id }) => id);

  it('replays the first answer for the same bytes and fields, whatever their order', async () => {
    const credentials = await account();
    const fields = { title: 'Walk', tags: '["a"]' };
    const first = await post(credentials, 'key', createForm(one, fields));
    expect([first.status, isReplayed(first)]).toEqual([201, false]);
    const before = await listBlobs(service);
    for (const form of [
      createForm(one, fields),
      createForm(one, { tags: '["a"]', title: 'Walk' }),
      createForm(one, fields, { fileFirst: true }),
    ]) {
      const again = await post(credentials, 'key', form);
      expect([again.status, isReplayed(again)]).toEqual([201, true]);
      expect(parseJson(again)).toEqual(parseJson(first));
      expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    }
    expect(await ids(credentials)).toEqual([parseJson(first).id]);
    expect(await listBlobs(service)).toEqual(before);
  });

  it('is 409 idempotency_key_reused for another file, name of it, field, or for JSON', async () => {
    const credentials = await account();
    const first = await post(credentials, 'key', createForm(one, { title: 'Walk' }));
    const before = await listBlobs(service);
    const others = [
      await post(credentials, 'key', createForm(other, { title: 'Walk' })),
      await post(credentials, 'key', createForm(Buffer.concat([one, one]), { title: 'Walk' })),
      await post(credentials, 'key', createForm(one, { title: 'Walk' }, { filename: 'x.wav' })),
      await post(credentials, 'key', createForm(one, { title: 'Run' })),
      await post(credentials, 'key', createForm(one)),
      await post(credentials, 'key', createForm(null, { title: 'Walk' })),
      await sendRequest(credentials, '/v1/memories', {
        method: 'POST',
        body: '{"content":"x"}',
        headers: { 'idempotency-key': 'key', 'content-type': 'application/json' },
      }),
    ];
    for (const response of others) {
      expect([response.status, errorCodeOf(response)]).toEqual([409, 'idempotency_key_reused']);
    }
    expect(await ids(credentials)).toEqual([parseJson(first).id]);
    expect(await listBlobs(service)).toEqual(before);
  });

  it('replays a refusal of a form that was read to its end, and of it alone', async () => {
    const credentials = await account();
    const noise = Buffer.alloc(100, 0xfe);
    expect((await post(credentials, 'noise', createForm(noise))).status).toBe(400);
    const again = await post(credentials, 'noise', createForm(noise));
    expect([again.status, isReplayed(again)]).toEqual([400, true]);
    expect(errorCodeOf(await post(credentials, 'noise', createForm(one)))).toBe(
      'idempotency_key_reused',
    );
    const faulty = createForm(one, { priority: '11' }, { fileFirst: true });
    expect((await post(credentials, 'faulty', faulty)).status).toBe(422);
    expect(isReplayed(await post(credentials, 'faulty', faulty))).toBe(true);
    expect(errorCodeOf(await post(credentials, 'faulty', createForm(one)))).toBe(
      'idempotency_key_reused',
    );
    // A request that was rejected before its file was read has no file digest.
    expect((await post(credentials, 'early', createForm(one, { priority: '11' }))).status).toBe(
      422,
    );
    expect((await post(credentials, 'early', createForm(one, { priority: '7' }))).status).toBe(201);
  });

  it('has one effect, however many forms with the key come at the same time', async () => {
    const credentials = await account();
    const all = await Promise.all(
      Array.from({ length: 8 }, () =>
        post(credentials, 'key', createForm(one, { allow_duplicate: 'true' })),
      ),
    );
    const fresh = all.filter((response) => response.status === 201 && !isReplayed(response));
    expect(fresh).toHaveLength(1);
    for (const response of all) {
      if (response.status === 201)
        expect(parseJson<Memory>(response).id).toBe(parseJson(fresh[0] as HttpResult).id);
      else
        expect([response.status, errorCodeOf(response)]).toEqual([409, 'idempotency_in_progress']);
    }
    expect(await ids(credentials)).toHaveLength(1);
  });

  it('is free again where a form broke off, and its bytes are gone', async () => {
    const credentials = await account();
    const before = await listBlobs(service);
    const whole = new Response(createForm(Buffer.alloc(400_000, 1)));
    const bytes = Buffer.from(await whole.arrayBuffer());
    {
      using wire = await openRawConnection(service.url);
      const head = [
        'POST /v1/memories HTTP/1.1',
        'Host: localhost',
        `Authorization: Bearer ${credentials.key}`,
        'Idempotency-Key: key',
        `Content-Type: ${whole.headers.get('content-type')}`,
        `Content-Length: ${bytes.length}`,
        '\r\n',
      ];
      wire.send(head.join('\r\n') + bytes.toString('latin1', 0, 300_000));
      await eventually(
        () => listBlobs(service),
        (blobs) => blobs.length > before.length,
      );
      const meanwhile = await post(credentials, 'key', createForm(one));
      expect(errorCodeOf(meanwhile)).toBe('idempotency_in_progress');
    }
    const response = await eventually(
      () => post(credentials, 'key', createForm(one)),
      ({ status }) => status !== 409,
    );
    expect([response.status, isReplayed(response)]).toEqual([201, false]);
    expect(await listBlobs(service)).toHaveLength(before.length + 1);
  });

  it('begins one resumable upload, told again with its place; not of another length', async () => {
    const credentials = await account();
    const begin = (length: string) =>
      sendRequest(credentials, '/v1/media/uploads', {
        method: 'POST',
        headers: { 'upload-length': length, 'idempotency-key': 'key' },
      });
    const [first, again, changed] = [await begin('10'), await begin('10'), await begin('11')];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect([changed.status, errorCodeOf(changed)]).toEqual([409, 'idempotency_key_reused']);
  });
});
