import { Upload as TusUpload } from 'tus-js-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { createFakeMedia, fakeRecording } from '../../support/fake-media.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import {
  type ApiCredentials,
  createForm,
  errorCodeOf,
  type HttpResult,
  parseJson,
  sendRequest,
  uploadForm,
} from './http-requests.ts';

const sound = fakeRecording('audio', 'x'.repeat(5_000));
const uploads = '/v1/media/uploads';
const hourMs = 3_600_000;
const encode = (text: string): string => Buffer.from(text).toString('base64');
const patchType = { 'content-type': 'application/offset+octet-stream' };
const origin = 'https://app.example.org';

/** https://tus.io/protocols/resumable-upload: the core, creation, termination, expiration. */
describe.each(engines)('the tus protocol on %s', (engine) => {
  let service: Service;
  let clock: FakeClock;
  let credentials: ApiCredentials & Awaited<ReturnType<Service['createAccount']>>;
  beforeAll(async () => {
    clock = createFakeClock();
    const overrides = { ...createFakeMedia(), transcribers: [], clock };
    const env = { MNEME_CORS_ORIGINS: origin, MNEME_MAX_UPLOAD_BYTES: '1000000' };
    service = await startService(engine, { env, overrides });
    credentials = { ...(await service.createAccount()), url: service.url };
  });
  afterAll(() => service.stop());

  const send = (
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: Uint8Array,
  ): Promise<HttpResult> =>
    sendRequest(credentials, path, {
      method,
      headers: { 'tus-resumable': '1.0.0', ...headers },
      ...(body ? { body: new Uint8Array(body) } : {}),
    });
  const create = (headers: Record<string, string> = {}): Promise<HttpResult> =>
    send('POST', uploads, { 'upload-length': String(sound.length), ...headers });
  const createUpload = async (headers: Record<string, string> = {}): Promise<string> =>
    (await create(headers)).headers.get('location') ?? '';
  const patch = (path: string, offset: number, body: Uint8Array): Promise<HttpResult> =>
    send('PATCH', path, { ...patchType, 'upload-offset': String(offset) }, body);
  const picked = ({ headers }: HttpResult, ...names: string[]) =>
    Object.fromEntries(names.map((name) => [name, headers.get(name)]));

  it('tells by OPTIONS what is spoken, to anybody, whatever version is asked with', async () => {
    for (const path of [uploads, await createUpload()]) {
      const response = await fetch(new URL(path, service.url), {
        method: 'OPTIONS',
        headers: { 'tus-resumable': '9.9.9' },
      });
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'tus-version': '1.0.0',
        'tus-extension':
          'creation,creation-with-upload,creation-defer-length,checksum,concatenation,' +
          'expiration,termination',
        'tus-checksum-algorithm': 'sha1,sha256',
        'tus-max-size': '1000000',
      });
      expect(response.headers.get('allow')).toContain(path === uploads ? 'POST' : 'PATCH');
      expect(response.headers.has('tus-resumable')).toBe(false);
    }
  });

  it('says its version in each answer, also of a refusal, and nowhere else', async () => {
    const uploadUrl = await createUpload();
    const responses = [
      await create(),
      await create({ 'upload-length': 'x' }),
      await send('GET', uploadUrl),
      await send('HEAD', uploadUrl),
      await patch(uploadUrl, 7, sound),
      await patch(uploadUrl, 0, sound.subarray(0, 10)),
      await send('PUT', uploadUrl),
      await send('DELETE', uploadUrl),
      await send('HEAD', uploadUrl),
      await sendRequest({ ...credentials, key: 'mnk_none' }, uploadUrl),
    ];
    const statuses = [201, 400, 200, 200, 409, 204, 405, 204, 404, 401];
    expect(responses.map(({ status }) => status)).toEqual(statuses);
    for (const { headers } of responses) expect(headers.get('tus-resumable')).toBe('1.0.0');
    const elsewhere = await sendRequest(credentials, '/v1/memories');
    expect(elsewhere.headers.has('tus-resumable')).toBe(false);
  });

  it('is 412 for another version or none, with the one spoken here, and does nothing', async () => {
    const uploadUrl = await createUpload();
    const other = { 'tus-resumable': '0.2.2' };
    const responses = [
      await create(other),
      await send('GET', uploadUrl, other),
      await send('PATCH', uploadUrl, { ...other, ...patchType, 'upload-offset': '0' }, sound),
      await send('DELETE', uploadUrl, other),
    ];
    for (const one of responses) {
      expect([one.status, errorCodeOf(one)]).toEqual([412, 'precondition_failed']);
      expect(one.headers.get('tus-version')).toBe('1.0.0');
    }
    for (const method of ['POST', 'PATCH', 'DELETE', 'HEAD']) {
      const { status, headers } = await fetch(
        new URL(method === 'POST' ? uploads : uploadUrl, service.url),
        { method, headers: { authorization: `Bearer ${credentials.key}`, 'upload-length': '9' } },
      );
      expect([status, headers.get('tus-version')]).toEqual([412, '1.0.0']);
    }
    expect((await send('HEAD', uploadUrl)).headers.get('upload-offset')).toBe('0');
  });

  it('answers HEAD with offset, length and the metadata as they were sent', async () => {
    const metadataFields = { filename: 'walk.wav', filetype: 'audio/wav', is_pinned: 'true' };
    const pairs = Object.entries(metadataFields).map(([name, value]) => `${name} ${encode(value)}`);
    const metadata = pairs.join(', ');
    const uploadUrl = await createUpload({ 'upload-metadata': metadata });
    const head = await send('HEAD', uploadUrl);
    expect(picked(head, 'upload-offset', 'upload-length', 'upload-metadata')).toEqual({
      'upload-offset': '0',
      'upload-length': String(sound.length),
      'upload-metadata': metadata,
    });
    expect(head.headers.get('cache-control')).toBe('no-store');
    expect((await send('HEAD', await createUpload())).headers.has('upload-metadata')).toBe(false);
  });

  it('answers a PATCH with the new offset, 409, 415 or 404', async () => {
    const uploadUrl = await createUpload();
    const first = await patch(uploadUrl, 0, sound.subarray(0, 100));
    expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '100']);
    const elsewhere = await patch(uploadUrl, 0, sound);
    expect([elsewhere.status, elsewhere.headers.get('upload-offset')]).toEqual([409, '100']);
    const typed = { 'content-type': 'application/octet-stream', 'upload-offset': '100' };
    for (const [type, body] of [
      [typed['content-type'], sound.subarray(100)],
      ['application/json', Buffer.from('{}')],
    ] as const) {
      const response = await send('PATCH', uploadUrl, { ...typed, 'content-type': type }, body);
      expect([response.status, response.bytes.toString()]).toEqual([
        415,
        expect.stringContaining('must be application/offset+octet-stream'),
      ]);
    }
    expect((await patch(uploadUrl.replace(/.{4}$/, '0000'), 0, sound)).status).toBe(404);
    expect((await send('HEAD', uploadUrl)).headers.get('upload-offset')).toBe('100');
    const last = await patch(uploadUrl, 100, sound.subarray(100));
    expect([last.status, last.headers.get('upload-offset')]).toEqual([204, String(sound.length)]);
    // HEAD also returns the offset of a complete upload.
    expect((await send('HEAD', uploadUrl)).headers.get('upload-offset')).toBe(String(sound.length));
  });

  it('tells until when an upload stays, later after each part, and then it is 404', async () => {
    const begin = clock.now().getTime();
    const created = await create();
    const uploadUrl = created.headers.get('location') ?? '';
    const hours = ({ headers }: HttpResult) => {
      const until = Date.parse(headers.get('upload-expires') ?? '');
      return Math.round((until - begin) / hourMs);
    };
    expect(hours(created)).toBe(24);
    clock.advance(hourMs);
    expect(hours(await patch(uploadUrl, 0, sound.subarray(0, 10)))).toBe(25);
    expect(hours(await send('HEAD', uploadUrl))).toBe(25);
    clock.advance(24 * hourMs);
    expect((await send('HEAD', uploadUrl)).status).toBe(404);
    expect((await patch(uploadUrl, 10, sound.subarray(10))).status).toBe(404);
  });

  it.each<[what: string, headers: Record<string, string>, status: number, field: string]>([
    ['no length', { 'upload-length': '' }, 400, 'upload-length'],
    ['a negative length', { 'upload-length': '-1' }, 400, 'upload-length'],
    ['a length in hex', { 'upload-length': '0x10' }, 400, 'upload-length'],
    ['a length of 16 digits', { 'upload-length': '9'.repeat(16) }, 400, 'upload-length'],
    ['metadata that is no base64', { 'upload-metadata': 'title ***' }, 400, 'upload-metadata'],
    ['metadata that is no UTF-8', { 'upload-metadata': 'title /w==' }, 400, 'upload-metadata'],
    ['a name twice', { 'upload-metadata': 'title dA==,title dA==' }, 400, 'upload-metadata'],
    ['three words', { 'upload-metadata': 'title dA== dA==' }, 400, 'upload-metadata'],
    ['NUL in a title', { 'upload-metadata': `title ${encode('a\0b')}` }, 422, 'title'],
    ['tags that are no JSON', { 'upload-metadata': `tags ${encode('a')}` }, 422, 'tags'],
  ])('refuses %s at the creation, naming it', async (_what, headers, status, field) => {
    const response = await create(headers);
    const { error } = parseJson<{ error: { details: { fields: object } } }>(response);
    expect([response.status, Object.keys(error.details.fields)]).toEqual([status, [field]]);
  });

  it('takes a name of folders and control characters as a plain one', async () => {
    const filename = '../../etc/\0\u001bpass\nwd.wav';
    const uploadUrl = await createUpload({ 'upload-metadata': `filename ${encode(filename)}` });
    expect(parseJson<{ filename: string }>(await send('GET', uploadUrl)).filename).toBe(
      'passwd.wav',
    );
  });

  it('is 413 for too large a file, and for bytes beyond the length before they come', async () => {
    const large = await create({ 'upload-length': '1000001' });
    expect([large.status, errorCodeOf(large)]).toEqual([413, 'payload_too_large']);
    const uploadUrl = await createUpload();
    const beyond = await patch(uploadUrl, 0, Buffer.concat([sound, Buffer.from('x')]));
    expect([beyond.status, errorCodeOf(beyond)]).toEqual([413, 'payload_too_large']);
    expect((await send('HEAD', uploadUrl)).headers.get('upload-offset')).toBe('0');
  });

  it('takes a POST for what X-HTTP-Method-Override means, of uploads alone', async () => {
    const uploadUrl = await createUpload();
    const patching = { ...patchType, 'upload-offset': '0', 'x-http-method-override': 'PATCH' };
    expect((await send('POST', uploadUrl, patching, sound.subarray(0, 10))).status).toBe(204);
    const removing = { 'x-http-method-override': 'delete' };
    expect((await send('POST', uploadUrl, removing)).status).toBe(204);
    expect((await send('HEAD', uploadUrl)).status).toBe(404);
    const { id } = await credentials.client.memories.create({ body: { content: 'stays' } });
    expect((await send('POST', `/v1/memories/${id}`, removing)).status).toBe(405);
    expect((await credentials.client.memories.get({ params: { id } })).id).toBe(id);
  });

  it('supersedes the memories that its metadata name, which must be there at once', async () => {
    const { client } = credentials;
    const older = await client.memories.create({ body: { content: 'The minutes follow.' } });
    const gone = await client.memories.create({ body: { content: 'The agenda follows.' } });
    const naming = (id: string) => ({
      'upload-metadata': `filename ${encode('a.mp3')},supersedes ${encode(JSON.stringify([id]))}`,
    });
    const upload = await createUpload(naming(older.id));
    const late = await createUpload(naming(gone.id));
    // Content that is stored already becomes no new memory, and supersedes nothing.
    const done = await patch(upload, 0, fakeRecording('audio', 'z'.repeat(5_000)));
    const params = { id: older.id };
    expect(done.status).toBe(204);
    expect((await client.memories.get({ params })).outdated_by).toBe(
      done.headers.get('x-mneme-memory-id'),
    );
    await client.memories.remove({ params: { id: gone.id } });
    const refused = await create(naming(gone.id));
    expect([refused.status, errorCodeOf(refused)]).toEqual([404, 'memory_not_found']);
    const tooLate = await patch(late, 0, fakeRecording('audio', 'y'.repeat(5_000)));
    expect([tooLate.status, errorCodeOf(tooLate)]).toEqual([404, 'memory_not_found']);
  });

  it('may be spoken by pages of named origins, which read its headers', async () => {
    const preflight = await fetch(new URL(uploads, service.url), {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'PATCH' },
    });
    const listed = (name: string) =>
      preflight.headers.get(`access-control-${name}`)?.toLowerCase().split(', ') ?? [];
    expect(listed('allow-headers')).toEqual(
      expect.arrayContaining([
        ...['authorization', 'content-type', 'tus-resumable', 'upload-length', 'upload-offset'],
        ...['upload-metadata', 'x-http-method-override', 'range', 'if-range'],
      ]),
    );
    expect(listed('expose-headers')).toEqual(
      expect.arrayContaining([
        ...['location', 'tus-resumable', 'tus-version', 'tus-extension', 'tus-max-size'],
        ...['upload-offset', 'upload-length', 'upload-metadata', 'upload-expires'],
        ...['x-mneme-memory-id', 'content-range', 'content-length', 'accept-ranges'],
      ]),
    );
    expect(preflight.headers.get('tus-version')).toBe('1.0.0');
  });

  it.each([false, true])('is spoken by tus-js-client, POST for PATCH: %s', async (isPost) => {
    const whole = fakeRecording('audio', `${isPost}${'y'.repeat(300_000)}`);
    const shared = {
      endpoint: new URL(uploads, service.url).href,
      headers: { authorization: `Bearer ${credentials.key}` },
      overridePatchMethod: isPost,
      chunkSize: 100_000,
    };
    // Aborted after the first part, then resumed and completed by another client.
    const url = await new Promise<string>((resolve, reject) => {
      const upload = new TusUpload(whole, {
        ...shared,
        metadata: { filename: `talk-${isPost}.wav` },
        onError: reject,
        onChunkComplete: () => void upload.abort().then(() => resolve(upload.url ?? '')),
      });
      upload.start();
    });
    const offset = (await send('HEAD', url)).headers.get('upload-offset');
    expect(Number(offset)).toBeGreaterThanOrEqual(100_000);
    await new Promise<void>((resolve, reject) => {
      const options = { ...shared, uploadUrl: url, onError: reject, onSuccess: () => resolve() };
      new TusUpload(whole, options).start();
    });
    const { data } = await credentials.client.memories.list();
    expect(data[0]?.content).toBe(`talk-${isPost}`);
    const ended = await createUpload();
    await TusUpload.terminate(new URL(ended, service.url).href, { headers: shared.headers });
    expect((await send('HEAD', ended)).status).toBe(404);
  });

  it('ends with the memory that has the same content already, and says so', async () => {
    const bytes = fakeRecording('audio', 'stored already');
    const stored = parseJson(await uploadForm(credentials, createForm(bytes)));
    const methods: string[] = [];
    const url = await new Promise<string>((resolve, reject) => {
      const client = new TusUpload(bytes, {
        endpoint: new URL(uploads, service.url).href,
        headers: { authorization: `Bearer ${credentials.key}` },
        retryDelays: [0, 0],
        onAfterResponse: (request) => void methods.push(request.getMethod()),
        onError: reject,
        onSuccess: () => resolve(client.url ?? ''),
      });
      client.start();
    });
    expect(methods).toEqual(['POST', 'PATCH']);
    const ended = {
      'x-mneme-memory-id': stored.id,
      'mneme-duplicate': 'true',
      'upload-offset': String(bytes.length),
    };
    const names = Object.keys(ended);
    expect(picked(await send('HEAD', url), ...names)).toEqual(ended);
    const other = (await create({ 'upload-length': String(bytes.length) })).headers.get('location');
    const response = await patch(other ?? '', 0, bytes);
    expect([response.status, picked(response, ...names)]).toEqual([204, ended]);
  });
});
