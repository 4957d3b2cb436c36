import { once } from 'node:events';
import { readdir, readlink } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import type { MediaLink } from '@mneme/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clipUrl } from '../../../packages/server/src/domains/media/index.ts';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { generateAudio, generateVideo, mediaSeconds } from '../../support/generated-media.ts';
import { oneEngine, type Service, startService } from '../../support/service.ts';
import {
  type ApiCredentials,
  createForm,
  errorCodeOf,
  parseJson,
  sendRequest,
  uploadForm,
} from './http-requests.ts';

/** Requests a recording and disconnects before the response. */
async function vanish({ url, key }: ApiCredentials, id: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  await once(socket, 'connect');
  const head = [
    `GET /v1/memories/${id}/stream HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${key}`,
  ];
  await new Promise((resolve) => socket.write(`${head.join('\r\n')}\r\n\r\n`, resolve));
  socket.destroy();
}

describe.each(oneEngine)('a recording on %s', (engine) => {
  let service: Service;
  let credentials: ApiCredentials;
  let clock: FakeClock;
  let sound: Buffer;
  let film: Buffer;
  let soundId: string;
  let filmId: string;
  beforeAll(async () => {
    clock = createFakeClock();
    service = await startService(engine, { overrides: { clock } });
    const { key } = await service.createAccount();
    credentials = { url: service.url, key };
    [sound, film] = [await generateAudio('tone.mp3', 20), await generateVideo('film.mp4', 5)];
    soundId = parseJson(
      await uploadForm(credentials, createForm(sound, {}, { filename: 'Größe.mp3' })),
    ).id;
    const response = await uploadForm(credentials, createForm(film, {}, { filename: 'demo.mp4' }));
    filmId = parseJson(response).id;
    await service.running.context.worker.drain();
  });
  afterAll(() => service.stop());

  const play = (headers: Record<string, string> = {}, method = 'GET') =>
    sendRequest(credentials, `/v1/memories/${soundId}/stream`, { method, headers });

  it('is played whole, with its type, length and ETag', async () => {
    const response = await play();
    expect(response.status).toBe(200);
    expect(response.bytes.equals(sound)).toBe(true);
    expect(response.headers.get('accept-ranges')).toBe('bytes');
    expect(response.headers.get('content-type')).toBe('audio/mpeg');
    expect(response.headers.get('etag')).toMatch(/^"[0-9a-f]{32}"$/);
  });

  it.each([
    ['bytes=0-99', 0, 100],
    ['bytes=1000-', 1_000, undefined],
    ['bytes=-100', -100, undefined],
  ])('is played from %s', async (range, start, end) => {
    const response = await play({ range });
    expect(response.status).toBe(206);
    expect(response.bytes.equals(sound.subarray(start, end))).toBe(true);
    const first = start < 0 ? sound.length + start : start;
    const last = first + response.bytes.length - 1;
    expect(response.headers.get('content-range')).toBe(`bytes ${first}-${last}/${sound.length}`);
    expect(response.headers.get('content-length')).toBe(String(response.bytes.length));
  });

  it('is 416 beyond its end, with its length', async () => {
    const response = await play({ range: `bytes=${sound.length}-` });
    expect([response.status, errorCodeOf(response)]).toEqual([416, 'invalid_request']);
    expect(response.headers.get('content-range')).toBe(`bytes */${sound.length}`);
  });

  it('is whole where several ranges are asked for, or If-Range names other bytes', async () => {
    const { headers } = await play({}, 'HEAD');
    const etag = headers.get('etag') ?? '';
    const several = await play({ range: 'bytes=0-1,5-6' });
    const other = await play({ range: 'bytes=0-1', 'if-range': '"other"' });
    const same = await play({ range: 'bytes=0-1', 'if-range': etag });
    expect([several.status, other.status, same.status]).toEqual([200, 200, 206]);
    expect((await play({ 'if-none-match': etag })).status).toBe(304);
  });

  it('is saved under the name that it came with', async () => {
    const disposition = `inline; filename="Gr__e.mp3"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.mp3`;
    for (const range of [{}, { range: 'bytes=0-1' }]) {
      expect((await play(range)).headers.get('content-disposition')).toBe(disposition);
    }
  });

  it('tells its format, its length and its codec', async () => {
    const response = await sendRequest(credentials, `/v1/memories/${soundId}/stream/metadata`);
    expect(parseJson(response)).toMatchObject({
      filename: 'Größe.mp3',
      mime_type: 'audio/mpeg',
      file_size: sound.length,
      duration: expect.closeTo(20, 0),
      video: null,
      audio: { codec: 'mp3' },
      format: { name: 'mp3' },
    });
    const text = await service
      .client(credentials.key)
      .memories.create({ body: { content: 'no sound' } });
    const none = await sendRequest(credentials, `/v1/memories/${text.id}/stream/metadata`);
    expect([none.status, errorCodeOf(none)]).toEqual([400, 'invalid_request']);
  });

  it('answers HEAD without a body', async () => {
    const response = await play({}, 'HEAD');
    expect([response.status, response.bytes.length]).toEqual([200, 0]);
    expect(response.headers.get('content-length')).toBe(String(sound.length));
  });

  it('ignores a range of HEAD, and tells the whole', async () => {
    for (const range of ['bytes=0-1', `bytes=${sound.length}-`]) {
      const response = await play({ range }, 'HEAD');
      expect([response.status, response.headers.get('content-range')]).toEqual([200, null]);
      expect(response.headers.get('content-length')).toBe(String(sound.length));
    }
  });

  it('that is known already is 304, whatever range is asked for', async () => {
    const etag = (await play({}, 'HEAD')).headers.get('etag') ?? '';
    for (const range of ['bytes=0-1', `bytes=${sound.length}-`]) {
      const response = await play({ range, 'if-none-match': `"other", W/${etag}` });
      expect([response.status, response.headers.get('content-range')]).toEqual([304, null]);
      expect(response.headers.get('etag')).toBe(etag);
    }
  });

  it('that is other than If-Match names is 412; a weak tag names none', async () => {
    const etag = (await play({}, 'HEAD')).headers.get('etag') ?? '';
    const statusFor = async (tag: string): Promise<number> =>
      (await play({ 'if-match': tag, range: 'bytes=0-1' })).status;
    expect([await statusFor('"other"'), await statusFor(`W/${etag}`)]).toEqual([412, 412]);
    expect([await statusFor(`"other", ${etag}`), await statusFor('*')]).toEqual([206, 206]);
    expect((await play({ 'if-range': `W/${etag}`, range: 'bytes=0-1' })).status).toBe(200);
  });

  it('is held open by nobody who has gone, or asked for its head alone', async () => {
    const openBlobs = async (): Promise<number> => {
      const links = await readdir('/proc/self/fd').catch(() => []);
      const places = await Promise.all(
        links.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
      );
      return places.filter((place) => place.startsWith(path.join(service.config.dataDir, 'blobs')))
        .length;
    };
    const before = await openBlobs();
    for (let i = 0; i < 20; i += 1) await play({}, 'HEAD');
    await Promise.all(Array.from({ length: 20 }, () => vanish(credentials, soundId)));
    await eventually(openBlobs, (count) => count <= before);
  });

  it('whose bytes are gone is 404, and the log is not told of a fault', async () => {
    const id = parseJson(
      await uploadForm(credentials, createForm(await generateAudio('gone.mp3', 1, 600))),
    ).id;
    const row = await service.running.context.app.engine.db
      .selectFrom('media_files')
      .select('blob')
      .where('memory_id', '=', id)
      .executeTakeFirstOrThrow();
    await service.running.context.app.blobs.remove(row.blob);
    const response = await sendRequest(credentials, `/v1/memories/${id}/stream`);
    expect([response.status, errorCodeOf(response)]).toEqual([404, 'not_found']);
  });

  it('is read by twenty at once, each its own range', async () => {
    const step = Math.floor(sound.length / 20);
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        play({ range: `bytes=${i * step}-${(i + 1) * step - 1}` }),
      ),
    );
    const together = Buffer.concat(responses.map(({ bytes }) => bytes));
    expect(together.equals(sound.subarray(0, 20 * step))).toBe(true);
  });

  it('of sound is 400 on /video; a text on both; a recording without a file is 404', async () => {
    const client = service.client(credentials.key);
    const text = await client.memories.create({ body: { content: 'words' } });
    const bare = await client.memories.create({ body: { content: 'said', type: 'audio' } });
    const statusOf = async (id: string, way: string) =>
      (await sendRequest(credentials, `/v1/memories/${id}/${way}`)).status;
    expect(await statusOf(soundId, 'video')).toBe(400);
    expect(await statusOf(soundId, 'video/thumbnail')).toBe(400);
    expect(await statusOf(soundId, 'video/metadata')).toBe(400);
    expect(await statusOf(text.id, 'stream')).toBe(400);
    expect(await statusOf(text.id, 'video')).toBe(400);
    expect(await statusOf(bare.id, 'stream')).toBe(404);
  });

  it('of another account is 404', async () => {
    const stranger = { url: service.url, key: (await service.createAccount()).key };
    const response = await sendRequest(stranger, `/v1/memories/${soundId}/stream`);
    expect([response.status, errorCodeOf(response)]).toEqual([404, 'memory_not_found']);
  });

  it('that is a video has metadata and a small WebP picture', async () => {
    const response = parseJson<object>(
      await sendRequest(credentials, `/v1/memories/${filmId}/video/metadata`),
    );
    expect(response).toMatchObject({
      filename: 'demo.mp4',
      mime_type: 'video/mp4',
      file_size: film.length,
      video: { codec: 'h264', resolution: '160x120', fps: 10 },
      audio: { codec: 'aac', channels: 1 },
      format: { stream_count: 2 },
    });
    const picture = await eventually(
      () => sendRequest(credentials, `/v1/memories/${filmId}/video/thumbnail`),
      ({ status }) => status === 200,
    );
    expect(picture.headers.get('content-type')).toBe('image/webp');
    expect(picture.bytes.subarray(8, 12).toString('latin1')).toBe('WEBP');
    expect(
      (await sendRequest(credentials, `/v1/memories/${filmId}/video`)).bytes.equals(film),
    ).toBe(true);
  });

  const clip = (id: string, start: number, end: number): string =>
    clipUrl(service.running.context.app, id, start, end);
  const noKey = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(new URL(path, service.url), { headers });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, bytes };
  };

  it.each([
    ['audio', () => soundId, 5.5, 8.25],
    ['video', () => filmId, 1, 3.5],
  ])('gives a clip of its %s, which plays just those seconds', async (kind, id, start, end) => {
    const response = await noKey(clip(id(), start, end));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(`${kind}/mp4`);
    expect(Math.abs((await mediaSeconds(response.bytes)) - (end - start))).toBeLessThan(0.2);
    // A repeated request returns the same bytes, also in ranges.
    const again = await noKey(clip(id(), start, end), { range: 'bytes=4-7' });
    expect([again.status, again.bytes.toString()]).toEqual([206, 'ftyp']);
    expect(again.headers.get('etag')).toBe(response.headers.get('etag'));
  });

  it('is played whole by a signed link, without a key, in ranges, until it is over', async () => {
    const way = `/v1/memories/${soundId}/stream/link`;
    const { url, expires_at } = parseJson<MediaLink>(
      await sendRequest(credentials, `${way}?expires_in=120`),
    );
    expect(Date.parse(expires_at) - clock.now().getTime()).toBeLessThanOrEqual(120_000);
    const whole = await noKey(url);
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'audio/mpeg']);
    expect(whole.bytes.equals(sound)).toBe(true);
    const part = await noKey(url, { range: 'bytes=100-199' });
    expect([part.status, part.bytes.equals(sound.subarray(100, 200))]).toEqual([206, true]);
    expect((await noKey(url.replace(soundId, filmId))).status).toBe(403);
    expect((await noKey(`${url}&start=0&end=5`)).status).toBe(403);
    expect((await noKey(`${url}&start=0`)).status).toBe(422);
    clock.advance(121_000);
    expect((await noKey(url)).status).toBe(403);
    expect((await sendRequest(credentials, `${way}?expires_in=59`)).status).toBe(422);
    expect((await noKey(way)).status).toBe(401);
  });

  it('is played by no link while its account is suspended, nor where it is deleted', async () => {
    const { id, key } = await service.createAccount();
    const own = { url: service.url, key };
    const { admin } = service.operator();
    const memory = parseJson(await uploadForm(own, createForm(sound)));
    const way = `/v1/memories/${memory.id}/stream/link`;
    const { url } = parseJson<MediaLink>(await sendRequest(own, way));
    expect((await noKey(url)).status).toBe(200);
    await admin.updateAccount({ params: { id }, body: { suspended: true } });
    expect((await noKey(url)).status).toBe(403);
    await admin.updateAccount({ params: { id }, body: { suspended: false } });
    expect((await noKey(url)).status).toBe(200);
    await service.client(key).memories.remove({
      params: { id: memory.id },
      query: { soft: true },
    });
    expect((await noKey(url)).status).toBe(404);
    const response = await sendRequest(own, way);
    expect([response.status, errorCodeOf(response)]).toEqual([409, 'conflict']);
    await service.client(key).memories.restore({ params: { id: memory.id } });
    expect((await noKey(url)).status).toBe(200);
    await admin.deleteAccount({ params: { id }, query: { confirm: true } });
    expect((await noKey(url)).status).toBe(404);
  });

  it('of another account, or none, has no link', async () => {
    const stranger = { url: service.url, key: (await service.createAccount()).key };
    const way = (id: string): string => `/v1/memories/${id}/stream/link`;
    expect((await sendRequest(stranger, way(soundId))).status).toBe(404);
    const text = await service
      .client(credentials.key)
      .memories.create({ body: { content: 'read' } });
    expect((await sendRequest(credentials, way(text.id))).status).toBe(400);
  });

  it('gives a clip to nobody whose link was changed, or is over', async () => {
    const link = clip(soundId, 1, 2);
    expect((await noKey(link.replace('end=2', 'end=3'))).status).toBe(403);
    expect((await noKey(link.replace(soundId, filmId))).status).toBe(403);
    expect((await noKey(link)).status).toBe(200);
    clock.advance(901_000);
    expect((await noKey(link)).status).toBe(403);
    expect((await noKey(clip(soundId, 500, 501))).status).toBe(404);
  });
});
