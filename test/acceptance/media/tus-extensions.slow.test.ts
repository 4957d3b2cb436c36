import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Upload } from '@mneme/contract';
import { Upload as TusUpload, type UploadOptions } from 'tus-js-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { createFakeMedia, fakeRecording } from '../../support/fake-media.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { listBlobs } from './blobs.ts';
import {
  type ApiCredentials,
  errorCodeOf,
  type HttpResult,
  parseJson,
  sendRequest,
} from './http-requests.ts';

const uploads = '/v1/media/uploads';
const hourMs = 3_600_000;
const bytesMax = 1_000_000;
const bytesType = { 'content-type': 'application/offset+octet-stream' };
const encode = (text: string): string => Buffer.from(text).toString('base64');
const checksumOf = (bytes: Uint8Array, algorithm = 'sha1'): string =>
  `${algorithm} ${createHash(algorithm).update(bytes).digest('base64')}`;
const pick = ({ headers }: HttpResult, ...names: string[]) =>
  names.map((name) => headers.get(name));

describe.each(engines)('an extension of tus on %s', (engine) => {
  let service: Service;
  let clock: FakeClock;
  let credentials: ApiCredentials & Awaited<ReturnType<Service['createAccount']>>;
  let serial = 0;
  beforeAll(async () => {
    clock = createFakeClock();
    const overrides = { ...createFakeMedia(), transcribers: [], clock };
    const env = { MNEME_MAX_UPLOAD_BYTES: String(bytesMax) };
    service = await startService(engine, { env, overrides });
    credentials = await account();
  });
  afterAll(() => service.stop());

  const account = async () => ({ ...(await service.createAccount()), url: service.url });
  /** A unique recording per call. */
  const recording = (bytes = 5_000): Buffer => {
    serial += 1;
    return fakeRecording('audio', `${serial} ${'x'.repeat(bytes)}`);
  };
  const send = (
    method: string,
    path: string,
    headers: Record<string, string> = {},
    { body, by = credentials }: { body?: Uint8Array; by?: ApiCredentials } = {},
  ): Promise<HttpResult> =>
    sendRequest(by, path, { method, headers, ...(body ? { body: new Uint8Array(body) } : {}) });
  const create = (headers: Record<string, string>, by?: ApiCredentials): Promise<HttpResult> =>
    send('POST', uploads, headers, by ? { by } : {});
  const locationOf = (response: HttpResult): string => response.headers.get('location') ?? '';
  const head = (path: string): Promise<HttpResult> => send('HEAD', path);
  const patch = (
    path: string,
    offset: number,
    body: Uint8Array,
    headers: Record<string, string> = {},
    by = credentials,
  ): Promise<HttpResult> =>
    send(
      'PATCH',
      path,
      { ...bytesType, 'upload-offset': String(offset), ...headers },
      { body, by },
    );
  /** Creates a partial upload, complete or not. */
  const part = async (
    bytes: Uint8Array,
    length = bytes.length,
    by = credentials,
  ): Promise<string> => {
    const headers = { 'upload-length': String(length), 'upload-concat': 'partial' };
    const uploadUrl = locationOf(await create(headers, by));
    expect((await patch(uploadUrl, 0, bytes, {}, by)).status).toBe(204);
    return uploadUrl;
  };
  const contentOf = async (id: string | null, by: ApiCredentials = credentials): Promise<Buffer> =>
    (await sendRequest(by, `/v1/memories/${id}/stream`)).bytes;
  const drained = async (): Promise<string[]> => {
    await service.running.context.worker.drain();
    return listBlobs(service);
  };
  const byClient = (file: Buffer | Readable, options: UploadOptions): Promise<string> =>
    new Promise((resolve, reject) => {
      const client = new TusUpload(file, {
        endpoint: new URL(uploads, service.url).href,
        headers: { authorization: `Bearer ${credentials.key}` },
        retryDelays: null,
        onError: reject,
        onSuccess: () => resolve(new URL(client.url ?? '').pathname),
        ...options,
      });
      client.start();
    });
  const memoryAt = async (path: string): Promise<string | null> =>
    parseJson<Upload>(await send('GET', path)).memory_id;

  describe('metadata', () => {
    it('may have unknown names and empty values, which are ignored and told again', async () => {
      const bytes = recording();
      const unknown = `colour ${encode('red')},__proto__ /w==,empty`;
      const metadata = `${unknown},title,priority ,tags ${encode('["a"]')}`;
      const headers = { 'upload-length': String(bytes.length), 'upload-metadata': metadata };
      const uploadUrl = locationOf(await create(headers));
      expect(pick(await head(uploadUrl), 'upload-metadata')).toEqual([metadata]);
      const id = (await patch(uploadUrl, 0, bytes)).headers.get('x-mneme-memory-id') ?? '';
      const memory = await credentials.client.memories.get({ params: { id } });
      expect(memory).toMatchObject({ content: 'Audio recording', tags: ['a'], metadata: {} });
    });
  });

  describe('creation', () => {
    it('of no bytes is complete at once, becomes no memory, and expires', async () => {
      const response = await create({ 'upload-length': '0' });
      expect([response.status, ...pick(response, 'upload-offset')]).toEqual([201, '0']);
      const uploadUrl = locationOf(response);
      await service.running.context.worker.drain();
      expect(pick(await head(uploadUrl), 'upload-offset', 'upload-length')).toEqual(['0', '0']);
      expect((await patch(uploadUrl, 0, Buffer.of())).status).toBe(204);
      expect(await memoryAt(uploadUrl)).toBe(null);
      clock.advance(25 * hourMs);
      await service.running.context.worker.drain();
      expect((await head(uploadUrl)).status).toBe(404);
    });

    it('has the address of the upload in full where the service knows its own', async () => {
      const env = { MNEME_PUBLIC_URL: 'https://memory.example.org' };
      const named = await startService(engine, { env });
      try {
        const by = { url: named.url, key: named.adminKey };
        const location = locationOf(await create({ 'upload-length': '9' }, by));
        expect(location).toMatch(
          /^https:\/\/memory\.example\.org\/v1\/media\/uploads\/[0-9a-f-]+$/,
        );
      } finally {
        await named.stop();
      }
    });
  });

  describe('creation-with-upload', () => {
    it('takes all bytes, or the first ones, with the creation', async () => {
      const bytes = recording();
      const headers = { ...bytesType, 'upload-length': String(bytes.length) };
      const whole = await send('POST', uploads, headers, { body: bytes });
      expect([whole.status, ...pick(whole, 'upload-offset')]).toEqual([201, String(bytes.length)]);
      const id = whole.headers.get('x-mneme-memory-id');
      expect((await contentOf(id)).equals(bytes)).toBe(true);
      expect(parseJson<Upload>(whole)).toMatchObject({ memory_id: id, offset: bytes.length });
      const again = await send('POST', uploads, headers, { body: bytes });
      expect([again.status, ...pick(again, 'x-mneme-memory-id', 'mneme-duplicate')]).toEqual([
        ...[201, id, 'true'],
      ]);
      const other = recording();
      const length = { ...bytesType, 'upload-length': String(other.length) };
      const first = await send('POST', uploads, length, { body: other.subarray(0, 100) });
      expect([first.status, ...pick(first, 'upload-offset')]).toEqual([201, '100']);
      const last = await patch(locationOf(first), 100, other.subarray(100));
      expect((await contentOf(last.headers.get('x-mneme-memory-id'))).equals(other)).toBe(true);
    });

    it.each<[string, number, Record<string, string>]>([
      ['of another type', 415, { 'content-type': 'text/plain' }],
      ['beyond the length', 413, { 'upload-length': '4' }],
      ['with another checksum', 460, { 'upload-checksum': checksumOf(Buffer.from('other')) }],
      ['that are no recording', 400, {}],
    ])('is refused with bytes %s, and nothing is left of it', async (_what, status, headers) => {
      const by = await account();
      const before = await drained();
      const body = Buffer.of(0, 0xfe, 0xff, 1, 2);
      const sent = { ...bytesType, 'upload-length': String(body.length), ...headers };
      expect((await send('POST', uploads, sent, { body, by })).status).toBe(status);
      expect(await drained()).toEqual(before);
      const { db } = service.running.context.app.engine;
      const rows = db.selectFrom('media_uploads').selectAll().where('account_id', '=', by.id);
      expect(await rows.execute()).toEqual([]);
    });

    it('is spoken by tus-js-client', async () => {
      const bytes = recording(300_000);
      const options = { uploadDataDuringCreation: true, chunkSize: 100_000 };
      const id = await memoryAt(await byClient(bytes, options));
      expect((await contentOf(id)).equals(bytes)).toBe(true);
    });

    it('with an Idempotency-Key is done once', async () => {
      const bytes = recording();
      const headers = {
        ...bytesType,
        'upload-length': String(bytes.length),
        'idempotency-key': 'with bytes',
      };
      const first = await send('POST', uploads, headers, { body: bytes });
      const again = await send('POST', uploads, headers, { body: bytes });
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(locationOf(again)).toBe(locationOf(first));
      expect(again.bytes.equals(first.bytes)).toBe(true);
    });
  });

  describe('creation-defer-length', () => {
    it('takes the length with any later part, once', async () => {
      const bytes = recording();
      const uploadUrl = locationOf(await create({ 'upload-defer-length': '1' }));
      expect(pick(await head(uploadUrl), 'upload-defer-length', 'upload-length')).toEqual([
        '1',
        null,
      ]);
      expect(parseJson<Upload>(await send('GET', uploadUrl)).length).toBe(null);
      expect((await patch(uploadUrl, 0, bytes.subarray(0, 100))).status).toBe(204);
      const length = { 'upload-length': String(bytes.length) };
      expect((await patch(uploadUrl, 100, bytes.subarray(100, 200), length)).status).toBe(204);
      expect(pick(await head(uploadUrl), 'upload-defer-length', 'upload-length')).toEqual([
        ...[null, String(bytes.length)],
      ]);
      const changed = await patch(uploadUrl, 200, bytes.subarray(200), { 'upload-length': '9999' });
      expect([changed.status, errorCodeOf(changed)]).toEqual([400, 'invalid_request']);
      const last = await patch(uploadUrl, 200, bytes.subarray(200), length);
      expect((await contentOf(last.headers.get('x-mneme-memory-id'))).equals(bytes)).toBe(true);
    });

    it('may learn the length after the last byte, and is no memory before', async () => {
      const bytes = recording();
      const uploadUrl = locationOf(await create({ 'upload-defer-length': '1' }));
      await patch(uploadUrl, 0, bytes);
      await service.running.context.worker.drain();
      expect(await memoryAt(uploadUrl)).toBe(null);
      const last = await patch(uploadUrl, bytes.length, Buffer.of(), {
        'upload-length': String(bytes.length),
      });
      expect(last.status).toBe(204);
      expect(await memoryAt(uploadUrl)).toBe(last.headers.get('x-mneme-memory-id'));
    });

    it('is 413 for more than a file may have, and 400 for less than is there', async () => {
      const uploadUrl = locationOf(await create({ 'upload-defer-length': '1' }));
      const large = { 'upload-length': String(bytesMax + 1) };
      expect((await patch(uploadUrl, 0, Buffer.from('x'), large)).status).toBe(413);
      expect((await patch(uploadUrl, 0, Buffer.alloc(bytesMax + 1))).status).toBe(413);
      expect((await patch(uploadUrl, 0, Buffer.from('words'))).status).toBe(204);
      const less = await patch(uploadUrl, 5, Buffer.of(), { 'upload-length': '4' });
      expect(less.status).toBe(400);
      const both = { 'upload-length': '9', 'upload-defer-length': '1' };
      expect((await create(both)).status).toBe(400);
      expect((await create({ 'upload-defer-length': '2' })).status).toBe(400);
    });

    it('is spoken by tus-js-client', async () => {
      const bytes = recording(300_000);
      const options = { uploadLengthDeferred: true, chunkSize: 100_000 };
      const id = await memoryAt(await byClient(Readable.from([bytes]), options));
      expect((await contentOf(id)).equals(bytes)).toBe(true);
    });
  });

  describe('checksum', () => {
    it.each(['sha1', 'sha256'])('%s: keeps nothing of bytes that are others', async (algorithm) => {
      const bytes = recording();
      const uploadUrl = locationOf(await create({ 'upload-length': String(bytes.length) }));
      const first = { 'upload-checksum': checksumOf(bytes.subarray(0, 100), algorithm) };
      expect((await patch(uploadUrl, 0, bytes.subarray(0, 100), first)).status).toBe(204);
      const before = await drained();
      const last = { 'upload-checksum': checksumOf(bytes.subarray(100), algorithm) };
      const changed = Buffer.from(bytes.subarray(100));
      changed[7] = 0;
      const refused = await patch(uploadUrl, 100, changed, last);
      expect([refused.status, errorCodeOf(refused)]).toEqual([460, 'checksum_mismatch']);
      expect(pick(await head(uploadUrl), 'upload-offset')).toEqual(['100']);
      expect(await drained()).toEqual(before);
      const ended = await patch(uploadUrl, 100, bytes.subarray(100), last);
      expect((await contentOf(ended.headers.get('x-mneme-memory-id'))).equals(bytes)).toBe(true);
    });

    it.each(['md5 AAAA', 'sha1', 'sha1 ***'])('is 400 as %s', async (checksum) => {
      const uploadUrl = locationOf(await create({ 'upload-length': '9' }));
      const response = await patch(uploadUrl, 0, Buffer.from('words'), {
        'upload-checksum': checksum,
      });
      expect([response.status, errorCodeOf(response)]).toEqual([400, 'invalid_request']);
      expect(pick(await head(uploadUrl), 'upload-offset')).toEqual(['0']);
    });
  });

  describe('concatenation', () => {
    it('makes one memory of parts, in the order that is told', async () => {
      const bytes = recording();
      const [begin, end] = [bytes.subarray(0, 2_000), bytes.subarray(2_000)];
      const [last, first] = [await part(end), await part(begin)];
      expect(pick(await head(first), 'upload-concat', 'upload-length')).toEqual([
        ...['partial', '2000'],
      ]);
      await service.running.context.worker.drain();
      expect(await memoryAt(first)).toBe(null);
      const concat = `final;${new URL(first, service.url).href} ${last}`;
      const metadata = `title ${encode('Both')}`;
      const response = await create({ 'upload-concat': concat, 'upload-metadata': metadata });
      const id = response.headers.get('x-mneme-memory-id') ?? '';
      expect([response.status, (await contentOf(id)).equals(bytes)]).toEqual([201, true]);
      expect((await credentials.client.memories.get({ params: { id } })).content).toBe('Both');
      const final = locationOf(response);
      const length = String(bytes.length);
      const seen = await head(final);
      expect(pick(seen, 'upload-concat', 'upload-length', 'upload-offset')).toEqual([
        ...[concat, length, length],
      ]);
      expect((await patch(final, 0, Buffer.from('x'))).status).toBe(403);
      expect((await head(first)).status).toBe(404);
    });

    it('is 400 for what is incomplete or no part, and takes no length and no bytes', async () => {
      const whole = await part(Buffer.from('words'));
      const incomplete = await part(Buffer.from('words'), 9);
      const other = locationOf(await create({ 'upload-length': '9' }));
      const refused = [
        { 'upload-concat': `final;${incomplete}` },
        { 'upload-concat': `final;${other}` },
        { 'upload-concat': `final;${whole} ${whole}` },
        { 'upload-concat': 'final;' },
        { 'upload-concat': 'whole' },
        { 'upload-concat': `final;${whole}`, 'upload-length': '5' },
      ];
      for (const headers of refused) {
        const response = await create(headers);
        expect([response.status, errorCodeOf(response)]).toEqual([400, 'invalid_request']);
      }
      const withBytes = { ...bytesType, 'upload-concat': `final;${whole}` };
      const response = await send('POST', uploads, withBytes, { body: Buffer.from('x') });
      expect(response.status).toBe(400);
      expect((await head(whole)).status).toBe(200);
    });

    it('is 413 where the parts are too large together', async () => {
      const half = Buffer.alloc(bytesMax / 2 + 1, 1);
      const places = [await part(half), await part(half)];
      expect((await create({ 'upload-concat': `final;${places.join(' ')}` })).status).toBe(413);
    });

    it('is 404 for parts of another account, or of a space that the key may not use', async () => {
      const stranger = await account();
      const theirs = await part(Buffer.from('theirs'), 6, stranger);
      const mine = await part(Buffer.from('mine'));
      const space = (name: string) => credentials.client.spaces.create({ body: { name } });
      const limitedTo = async (name: string) => {
        const space_ids = [(await space(name)).id];
        const body = { name, scopes: ['memories:write' as const], space_ids };
        return {
          ...credentials,
          key: (await credentials.client.keys.create({ body })).key,
          space_ids,
        };
      };
      const [red, blue] = [await limitedTo('red'), await limitedTo('blue')];
      const ofRed = await part(Buffer.from('of red'), 6, red);
      const nothing = `${uploads}/019b8d1c-3a40-7c11-9d3e-5f0a4b6c7dff`;
      const responses = [
        await create({ 'upload-concat': `final;${nothing}` }),
        await create({ 'upload-concat': `final;${mine} ${theirs}` }),
        await create({ 'upload-concat': `final;${ofRed}` }, blue),
        await create({ 'upload-concat': `final;${mine}` }, blue),
      ];
      const errors = responses.map((one) => [one.status, errorCodeOf(one)]);
      expect(errors).toEqual(responses.map(() => [404, 'not_found']));
      expect((await send('HEAD', theirs, {}, { by: stranger })).status).toBe(200);
      const metadata = (space_id = '') => `space_id ${encode(space_id)}`;
      const elsewhere = { 'upload-metadata': metadata(blue.space_ids[0]) };
      const concat = { 'upload-concat': `final;${ofRed}` };
      expect((await create({ ...concat, ...elsewhere }, red)).status).toBe(403);
      const within = { 'upload-metadata': metadata(red.space_ids[0]) };
      const ended = await create({ ...concat, ...within }, red);
      const id = ended.headers.get('x-mneme-memory-id') ?? '';
      const memory = await credentials.client.memories.get({ params: { id } });
      expect(memory).toMatchObject({ content: 'of red', space_id: red.space_ids[0] });
    });

    it('expires with its parts', async () => {
      const before = await drained();
      const uploadUrl = await part(Buffer.from('a part'));
      clock.advance(25 * hourMs);
      expect((await create({ 'upload-concat': `final;${uploadUrl}` })).status).toBe(404);
      expect((await drained()).length).toBeLessThanOrEqual(before.length);
    });

    it('is spoken by tus-js-client, two parts at a time', async () => {
      const bytes = recording(400_000);
      const options = {
        parallelUploads: 2,
        chunkSize: 100_000,
        metadata: { filename: 'in-parallel.wav', colour: 'red' },
      };
      const id = await memoryAt(await byClient(bytes, options));
      expect((await contentOf(id)).equals(bytes)).toBe(true);
      const memory = await credentials.client.memories.get({ params: { id: id ?? '' } });
      expect(memory.content).toBe('in-parallel');
    });
  });
});
