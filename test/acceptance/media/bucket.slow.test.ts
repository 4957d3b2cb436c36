import { readdir } from 'node:fs/promises';
import type { Health, Upload } from '@mneme/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clipUrl } from '../../../packages/server/src/domains/media/index.ts';
import { eventually } from '../../support/eventually.ts';
import { generateAudio } from '../../support/generated-media.ts';
import { type S3Bucket, startS3Bucket } from '../../support/s3-bucket.ts';
import { oneEngine, type Service, startService } from '../../support/service.ts';
import {
  type ApiCredentials,
  createForm,
  errorCodeOf,
  parseJson,
  sendRequest,
  uploadForm,
} from './http-requests.ts';

const always = 1_000;

describe.each(oneEngine)('recordings in a bucket on %s', (engine) => {
  let bucket: S3Bucket;
  let service: Service;
  let credentials: ApiCredentials;
  let sound: Buffer;
  beforeAll(async () => {
    bucket = await startS3Bucket();
    service = await startService(engine, { env: { ...bucket.env } });
    credentials = { url: service.url, key: (await service.createAccount()).key };
    sound = await generateAudio('tone.wav', 2);
  });
  afterAll(async () => {
    await service.stop();
    await bucket.stop();
  });

  const drain = () => service.running.context.worker.drain();
  const objects = async (): Promise<number> => {
    const names = await readdir(bucket.folder, { recursive: true });
    return names.filter((name) => /[0-9a-f]{32}\._S3rver_object$/.test(name)).length;
  };
  const count = async (): Promise<number> =>
    (await service.client(credentials.key).memories.list()).data.length;
  const remove = async (id: string): Promise<void> => {
    await sendRequest(credentials, `/v1/memories/${id}`, { method: 'DELETE' });
    await drain();
  };

  it('are kept, played in ranges, cut, and gone when they are deleted', async () => {
    const { id } = parseJson(await uploadForm(credentials, createForm(sound)));
    const part = await sendRequest(credentials, `/v1/memories/${id}/stream`, {
      headers: { range: 'bytes=9-99' },
    });
    expect([part.status, part.bytes.equals(sound.subarray(9, 100))]).toEqual([206, true]);
    const link = clipUrl(service.running.context.app, id, 0, 1);
    expect((await sendRequest(credentials, link)).status).toBe(200);
    expect(await objects()).toBe(2);
    await remove(id);
    expect(await objects()).toBe(0);
  });

  it('are stored though the bucket refuses once: what was sent is sent again', async () => {
    bucket.fail(1, 'PUT');
    const response = await uploadForm(credentials, createForm(sound));
    expect(response.status).toBe(201);
    await remove(parseJson(response).id);
  });

  it('are refused with 503 while it is away, and nothing is half done', async () => {
    bucket.fail(always);
    const response = await uploadForm(credentials, createForm(sound));
    bucket.fail(0);
    expect([response.status, errorCodeOf(response)]).toEqual([503, 'service_unavailable']);
    expect([await count(), await objects()]).toEqual([0, 0]);
    expect(await readdir(`${service.config.dataDir}/blobs-under-way`)).toEqual([]);
  });

  it('are 503 to play while it is away, and 404 where it has lost them', async () => {
    const { id } = parseJson(await uploadForm(credentials, createForm(sound)));
    bucket.fail(always, 'GET');
    const away = await sendRequest(credentials, `/v1/memories/${id}/stream`);
    bucket.fail(0);
    expect([away.status, errorCodeOf(away)]).toEqual([503, 'service_unavailable']);
    expect((await sendRequest(credentials, `/v1/memories/${id}/stream`)).bytes.equals(sound)).toBe(
      true,
    );
    await remove(id);
  });

  it('go on from the told offset when it was away between two parts', async () => {
    const headers = { 'tus-resumable': '1.0.0', 'upload-length': String(sound.length) };
    const created = await sendRequest(credentials, '/v1/media/uploads', {
      method: 'POST',
      headers,
    });
    const uploadUrl = created.headers.get('location') ?? '';
    const append = (offset: number) =>
      sendRequest(credentials, uploadUrl, {
        method: 'PATCH',
        headers: {
          'upload-offset': String(offset),
          'content-type': 'application/offset+octet-stream',
        },
        body: new Uint8Array(sound.subarray(offset, offset + 50_000)),
      });
    expect((await append(0)).status).toBe(204);
    bucket.fail(always);
    const away = await append(50_000);
    bucket.fail(0);
    expect([away.status, errorCodeOf(away)]).toEqual([503, 'service_unavailable']);
    const offset = Number(
      (await sendRequest(credentials, uploadUrl, { method: 'HEAD' })).headers.get('upload-offset'),
    );
    expect(offset).toBe(50_000);
    for (let at = offset; at < sound.length; at += 50_000) await append(at);
    const { memory_id: id } = parseJson<Upload>(await sendRequest(credentials, uploadUrl));
    const played = await sendRequest(credentials, `/v1/memories/${id}/stream`);
    expect(played.bytes.equals(sound)).toBe(true);
    await remove(id ?? '');
    expect(await objects()).toBe(0);
  });

  it('that are deleted while it is away go once it is back', async () => {
    const { id } = parseJson(await uploadForm(credentials, createForm(sound)));
    bucket.fail(always);
    await remove(id);
    expect(await objects()).toBe(1);
    bucket.fail(0);
    const other = parseJson(await uploadForm(credentials, createForm(sound)));
    await remove(other.id);
    await eventually(objects, (left) => left === 0);
  });
});

describe('a bucket that refuses', () => {
  it('is told of at the start, and in the health', async () => {
    const bucket = await startS3Bucket();
    const env = { ...bucket.env, MNEME_S3_BUCKET: 'other' };
    const service = await startService('embedded', { env });
    try {
      const response = await eventually(
        () => sendRequest({ url: service.url, key: '' }, '/v1/health'),
        () => service.logLines.some((line) => line.includes('bucket not reachable')),
      );
      expect(parseJson<Health>(response)).toMatchObject({
        status: 'degraded',
        checks: { blobs: { ok: false, detail: 'The blob store does not respond.' } },
      });
    } finally {
      await service.stop();
      await bucket.stop();
    }
  });
});
