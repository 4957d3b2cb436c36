import type { Upload } from '@mneme/contract';
import { Upload as TusUpload } from 'tus-js-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { generateAudio } from '../../support/generated-media.ts';
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

const encode = (pairs: Record<string, string>): string =>
  Object.entries(pairs)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',');

const create = (
  credentials: ApiCredentials,
  length: number,
  fields: Record<string, string> = {},
): Promise<HttpResult> =>
  sendRequest(credentials, '/v1/media/uploads', {
    method: 'POST',
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': String(length),
      'upload-metadata': encode(fields),
    },
  });

const append = (
  credentials: ApiCredentials,
  uploadUrl: string,
  offset: number,
  bytes: Uint8Array,
): Promise<HttpResult> =>
  sendRequest(credentials, uploadUrl, {
    method: 'PATCH',
    headers: {
      'tus-resumable': '1.0.0',
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
    },
    body: new Uint8Array(bytes),
  });

const offsetAt = async (credentials: ApiCredentials, uploadUrl: string): Promise<string | null> =>
  (await sendRequest(credentials, uploadUrl, { method: 'HEAD' })).headers.get('upload-offset');

describe.each(engines)('an upload that can go on, on %s', (engine) => {
  let service: Service;
  let clock: FakeClock;
  let sound: Buffer;
  beforeAll(async () => {
    clock = createFakeClock();
    // Exclusive, since tests count the files of the whole service.
    service = await startService(engine, { overrides: { clock }, isExclusive: true });
    sound = await generateAudio('tone.wav', 3);
  });
  afterAll(() => service.stop());

  const account = async (): Promise<
    ApiCredentials & Awaited<ReturnType<Service['createAccount']>>
  > => ({
    ...(await service.createAccount()),
    url: service.url,
  });
  const createUpload = async (
    credentials: ApiCredentials,
    fields: Record<string, string> = {},
  ): Promise<string> =>
    (await create(credentials, sound.length, fields)).headers.get('location') ?? '';

  it('becomes a memory with its fields, once its last bytes are here', async () => {
    const credentials = await account();
    const uploadUrl = await createUpload(credentials, { filename: 'walk.wav', tags: '["walk"]' });
    const first = await append(credentials, uploadUrl, 0, sound.subarray(0, 1_000));
    expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '1000']);
    expect(await offsetAt(credentials, uploadUrl)).toBe('1000');
    expect((await credentials.client.memories.list()).data).toEqual([]);
    const last = await append(credentials, uploadUrl, 1_000, sound.subarray(1_000));
    const id = last.headers.get('x-mneme-memory-id') ?? '';
    const memory = await credentials.client.memories.get({ params: { id } });
    expect(memory).toMatchObject({ content: 'walk', content_type: 'audio', tags: ['walk'] });
    const played = await sendRequest(credentials, `/v1/memories/${id}/stream`);
    expect(played.bytes.equals(sound)).toBe(true);
    expect(parseJson<Upload>(await sendRequest(credentials, uploadUrl))).toMatchObject({
      memory_id: id,
    });
    await service.running.context.worker.drain();
    expect((await listBlobs(service)).length).toBe(1);
    await credentials.client.memories.remove({ params: { id } });
    await service.running.context.worker.drain();
    expect(await listBlobs(service)).toEqual([]);
  });

  it('is taken by a client of tus, with its parts in several requests', async () => {
    const credentials = await account();
    const requests: string[] = [];
    await new Promise<void>((resolve, reject) => {
      new TusUpload(sound, {
        endpoint: new URL('/v1/media/uploads', service.url).href,
        headers: { authorization: `Bearer ${credentials.key}` },
        metadata: { filename: 'from-a-phone.wav', filetype: 'audio/wav' },
        chunkSize: 100_000,
        onBeforeRequest: (request) => void requests.push(request.getMethod()),
        onError: reject,
        onSuccess: () => resolve(),
      }).start();
    });
    expect(requests.length).toBeGreaterThan(2);
    const { data } = await credentials.client.memories.list();
    expect(data.map(({ content }) => content)).toEqual(['from-a-phone']);
  });

  it('keeps what came before the connection broke', async () => {
    const credentials = await account();
    await service.running.context.worker.drain();
    const before = (await listBlobs(service)).length;
    const uploadUrl = await createUpload(credentials);
    const abort = new AbortController();
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new Uint8Array(sound.subarray(0, 5_000)));
      },
    });
    const broken = fetch(new URL(uploadUrl, credentials.url), {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${credentials.key}`,
        'tus-resumable': '1.0.0',
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
      },
      body,
      duplex: 'half',
      signal: abort.signal,
    } as RequestInit);
    await eventually(
      () => listBlobs(service),
      (blobs) => blobs.length > before,
      20_000,
    );
    abort.abort();
    await expect(broken).rejects.toThrow();
    const offset = await eventually(
      () => offsetAt(credentials, uploadUrl),
      (at) => at === '5000',
      20_000,
    );
    const last = await append(credentials, uploadUrl, Number(offset), sound.subarray(5_000));
    expect(last.headers.get('x-mneme-memory-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('is 409 at another offset, and takes no bytes beyond its length', async () => {
    const credentials = await account();
    const uploadUrl = await createUpload(credentials);
    const skipped = await append(credentials, uploadUrl, 10, sound.subarray(10));
    expect([skipped.status, errorCodeOf(skipped)]).toEqual([409, 'conflict']);
    const beyond = await append(
      credentials,
      uploadUrl,
      0,
      Buffer.concat([sound, Buffer.from('x')]),
    );
    expect([beyond.status, errorCodeOf(beyond)]).toEqual([413, 'payload_too_large']);
  });

  it('that is no recording is refused with its last bytes, and gone', async () => {
    const credentials = await account();
    const noise = Buffer.alloc(5_000, 0xfe);
    const uploadUrl = (await create(credentials, noise.length)).headers.get('location') ?? '';
    const response = await append(credentials, uploadUrl, 0, noise);
    expect([response.status, errorCodeOf(response)]).toEqual([400, 'invalid_request']);
    expect((await sendRequest(credentials, uploadUrl)).status).toBe(404);
  });

  it.each([
    ['a faulty field', { priority: '11' }, 422],
    ['a space that is not there', { space_id: '019b8d1c-3a40-7c11-9d3e-5f0a4b6c7dff' }, 404],
  ])('with %s is refused before any byte', async (_, fields, status) => {
    expect((await create(await account(), 10, fields)).status).toBe(status);
  });

  it('that is larger than a file may be is 413', async () => {
    expect((await create(await account(), 3 * 1024 ** 3)).status).toBe(413);
  });

  it('is given up on request, and after a day of rest', async () => {
    const credentials = await account();
    await service.running.context.worker.drain();
    const [one, two] = [await createUpload(credentials), await createUpload(credentials)];
    await append(credentials, one, 0, sound.subarray(0, 100));
    await append(credentials, two, 0, sound.subarray(0, 100));
    const before = (await listBlobs(service)).length;
    expect((await sendRequest(credentials, one, { method: 'DELETE' })).status).toBe(204);
    expect((await sendRequest(credentials, one)).status).toBe(404);
    clock.advance(25 * 3_600_000);
    await service.running.context.worker.drain();
    expect((await sendRequest(credentials, two)).status).toBe(404);
    expect((await listBlobs(service)).length).toBe(before - 2);
  });

  it('of another account is 404', async () => {
    const uploadUrl = await createUpload(await account());
    const stranger = await account();
    expect((await sendRequest(stranger, uploadUrl)).status).toBe(404);
    expect((await append(stranger, uploadUrl, 0, sound)).status).toBe(404);
  });

  it('by a form that breaks off leaves nothing behind', async () => {
    const credentials = await account();
    const before = await listBlobs(service);
    const abort = new AbortController();
    const whole = new Request('http://localhost', { method: 'POST', body: createForm(sound) });
    const type = whole.headers.get('content-type') ?? '';
    const bytes = new Uint8Array(await whole.arrayBuffer());
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytes.subarray(0, 100_000)),
    });
    const broken = fetch(new URL('/v1/memories', credentials.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${credentials.key}`, 'content-type': type },
      body,
      duplex: 'half',
      signal: abort.signal,
    } as RequestInit);
    await eventually(
      () => listBlobs(service),
      (blobs) => blobs.length > before.length,
      20_000,
    );
    abort.abort();
    await expect(broken).rejects.toThrow();
    await eventually(
      () => listBlobs(service),
      (blobs) => blobs.length === before.length,
      20_000,
    );
    expect((await credentials.client.memories.list()).data).toEqual([]);
  });
});
