import { openAsBlob } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Client, createClient } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeMedia, fakeRecording } from '../../support/fake-media.ts';
import { oneEngine, type Service, startService } from '../../support/service.ts';

/** Uploads of the SDK to a service that stores and plays the files. */
describe.each(oneEngine)('a client on %s', (engine) => {
  let service: Service;
  let key: string;
  let client: Client;
  beforeAll(async () => {
    service = await startService(engine, { overrides: createFakeMedia() });
    ({ key, client } = await service.createAccount());
  });
  afterAll(() => service.stop());

  const recording = (name: string, bytes = 300_000) => {
    const all = Buffer.concat([fakeRecording('audio', name), Buffer.alloc(bytes, 0xfe)]);
    return new Uint8Array(all);
  };
  const played = async (id: string) => (await client.media.stream({ params: { id } })).bytes();

  it('stores a file of the disk, and plays it whole and in ranges', async () => {
    const bytes = recording('disk');
    const file = path.join(os.tmpdir(), `mneme-client-${engine}-${process.pid}.mp3`);
    await writeFile(file, bytes);
    const memory = await client.memories.upload({
      file: await openAsBlob(file),
      filename: 'Zoë walks.mp3',
      tags: ['walk', 'ünï'],
      metadata: { place: 'park' },
      priority: 7,
      is_pinned: true,
    });
    await rm(file);
    expect(memory).toMatchObject({
      content: 'Zoë walks',
      content_type: 'audio',
      tags: ['walk', 'ünï'],
      metadata: { place: 'park' },
      priority: 7,
    });
    expect(await played(memory.id)).toEqual(bytes);
    const params = { id: memory.id };
    const part = await client.media.stream({ params, headers: { range: 'bytes=5-9' } });
    expect([part.status, await part.bytes()]).toEqual([206, bytes.slice(5, 10)]);
    const etag = part.headers.get('etag') ?? '';
    const known = await client.media.stream({ params, headers: { 'if-none-match': etag } });
    expect(known.status).toBe(304);
  });

  it('stores what comes as a stream, and as a form of its caller', async () => {
    const bytes = recording('stream');
    const streamed = await client.memories.upload({
      file: new Blob([bytes]).stream(),
      filename: 'stream.mp3',
    });
    expect(await played(streamed.id)).toEqual(bytes);
    const form = new FormData();
    form.set('file', new Blob([recording('form')]), 'form.mp3');
    expect((await client.memories.create({ body: form })).content).toBe('form');
  });

  it('is told what is wrong with a file, and with its fields', async () => {
    const noise = new Blob([new Uint8Array(1_000).fill(0xfe)]);
    const refused = client.memories.upload({ file: noise, filename: 'a.mp3' });
    await expect(refused).rejects.toMatchObject({ status: 400, code: 'invalid_request' });
    const wrong = { file: noise, filename: 'a.mp3', priority: 11 };
    const named = client.memories.upload(wrong);
    await expect(named).rejects.toMatchObject({ status: 422, fields: { priority: {} } });
    const text = await client.memories.create({ body: { content: 'no recording' } });
    const silent = client.media.stream({ params: { id: text.id } });
    await expect(silent).rejects.toMatchObject({ status: 400, code: 'invalid_request' });
  });

  it('goes on with an upload where its connection broke, to the same bytes', async () => {
    const bytes = recording('parts', 900_000);
    let patches = 0;
    const shaky = createClient({
      url: service.url,
      apiKey: key,
      sleep: async () => undefined,
      // The connection breaks during every other part.
      fetch: (url, init) => {
        if (init?.method !== 'PATCH' || patches++ % 2 > 0) return fetch(url, init);
        return fetch(url, { ...init, body: breaking(init.body as Blob) });
      },
    });
    const offsets: number[] = [];
    const { memory_id } = await shaky.memories.uploadInParts(
      { file: new File([bytes], 'long.mp3'), tags: ['parts'] },
      { partBytes: 400_000, onProgress: ({ offset }) => offsets.push(offset) },
    );
    expect(await played(memory_id)).toEqual(bytes);
    const memory = await client.memories.get({ params: { id: memory_id } });
    expect(memory).toMatchObject({ content: 'long', tags: ['parts'] });
    expect(patches).toBeGreaterThan(3);
    expect(offsets.at(-1)).toBe(bytes.length);
    expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
  });
});

/** Sends the first half of a body, then closes the connection. */
function breaking(body: Blob): ReadableStream<Uint8Array> {
  let isHalf = false;
  return new ReadableStream({
    async pull(controller) {
      if (isHalf) return controller.error(new TypeError('it broke'));
      isHalf = true;
      controller.enqueue(await body.slice(0, body.size / 2).bytes());
    },
  });
}
