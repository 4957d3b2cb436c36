import type { CreatedMemory } from '@mneme/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asMemory } from '../../support/as-memory.ts';
import { generateAudio, generateVideo } from '../../support/generated-media.ts';
import { onlyMemoryResults } from '../../support/memory-results.ts';
import { oneEngine, type Service, startService } from '../../support/service.ts';
import { listBlobs } from './blobs.ts';
import {
  type ApiCredentials,
  createForm,
  errorCodeOf,
  parseJson,
  uploadForm,
} from './http-requests.ts';

describe.each(oneEngine)('an uploaded file on %s', (engine) => {
  let service: Service;
  let sound: Buffer;
  beforeAll(async () => {
    service = await startService(engine, { env: { MNEME_MAX_UPLOAD_BYTES: '3000000' } });
    sound = await generateAudio('tone.mp3');
  });
  afterAll(() => service.stop());

  const account = async (): Promise<
    ApiCredentials & Awaited<ReturnType<Service['createAccount']>>
  > => ({
    ...(await service.createAccount()),
    url: service.url,
  });

  it.each([
    ['mp3', 'audio', 'audio/mpeg'],
    ['wav', 'audio', 'audio/wav'],
    ['flac', 'audio', 'audio/flac'],
    ['ogg', 'audio', 'audio/ogg'],
    ['m4a', 'audio', 'audio/mp4'],
    ['webm', 'video', 'video/webm'],
    ['mp4', 'video', 'video/mp4'],
    ['mov', 'video', 'video/quicktime'],
    ['mkv', 'video', 'video/x-matroska'],
    ['avi', 'video', 'video/x-msvideo'],
  ])('of %s is %s, whatever it is called, and is played as %s', async (ending, kind, type) => {
    const credentials = await account();
    const bytes =
      kind === 'audio' ? await generateAudio(`x.${ending}`) : await generateVideo(`x.${ending}`);
    const response = await uploadForm(
      credentials,
      createForm(bytes, {}, { filename: 'notes.txt' }),
    );
    expect([response.status, parseJson(response).content_type]).toEqual([201, kind]);
    const { id } = parseJson(response);
    const played = await credentials.client.request({
      method: 'HEAD',
      path: `/memories/${id}/stream`,
    });
    expect(played.headers.get('content-type')).toBe(type);
    expect(played.headers.get('content-length')).toBe(String(bytes.length));
  });

  it.each([true, false])('takes its fields along, file first: %s', async (fileFirst) => {
    const credentials = await account();
    const space = await credentials.client.spaces.create({ body: { name: 'talks' } });
    const older = await credentials.client.memories.create({
      body: { content: 'Minutes follow.' },
    });
    const fields = {
      title: 'Stand-up of Monday',
      space_id: space.id,
      tags: '["meeting","monday"]',
      metadata: '{"room":"blue"}',
      priority: '7',
      is_pinned: 'true',
      occurred_at: '2026-01-05T09:00:00Z',
      supersedes: JSON.stringify([older.id]),
    };
    const response = await uploadForm(credentials, createForm(sound, fields, { fileFirst }));
    expect(response.status).toBe(201);
    expect(parseJson(response)).toMatchObject({
      content: 'Stand-up of Monday',
      content_type: 'audio',
      space_id: space.id,
      tags: ['meeting', 'monday'],
      metadata: { room: 'blue' },
      priority: 7,
      is_pinned: true,
      occurred_at: '2026-01-05T09:00:00.000Z',
    });
    const { results } = await credentials.client.search.get({ query: { q: 'stand-up' } });
    expect(onlyMemoryResults(results)[0]?.id).toBe(parseJson(response).id);
    const read = await credentials.client.memories.get({ params: { id: older.id } });
    expect(read.outdated_by).toBe(parseJson(response).id);
  });

  it('is named as it was, also where forms cannot say it as it is', async () => {
    const credentials = await account();
    // FormData encodes the quotation mark as %22.
    const memory = parseJson(
      await uploadForm(credentials, createForm(sound, {}, { filename: 'a"b 100%.mp3' })),
    );
    expect(memory.content).toBe('a"b 100%');
  });

  it('is told of as audio.uploaded', async () => {
    const credentials = await account();
    const memory = parseJson<CreatedMemory>(await uploadForm(credentials, createForm(sound)));
    const { data } = await credentials.client.events.list({
      query: { type: 'audio.uploaded' },
    });
    expect(data.map((event) => event.data)).toEqual([asMemory(memory)]);
  });

  it.each([
    ['Plain words of a note.', 'text'],
    ['# A heading\n\nand a [link](https://example.com)\n', 'markdown'],
  ])('that is a text becomes the content, byte for byte: %j', async (text, type) => {
    const credentials = await account();
    // Thumbnails of uploads by earlier tests.
    await service.running.context.worker.drain();
    const before = await listBlobs(service);
    const form = createForm(Buffer.from(text), { title: 'Notes' }, { filename: 'x.mp3' });
    const memory = parseJson(await uploadForm(credentials, form));
    expect(memory).toMatchObject({
      content: text,
      content_type: type,
      metadata: { title: 'Notes' },
    });
    await service.running.context.worker.drain();
    expect(await listBlobs(service)).toEqual(before);
  });

  it('whose bytes are stored already is 409, unless a duplicate is allowed', async () => {
    const credentials = await account();
    const first = parseJson(await uploadForm(credentials, createForm(sound)));
    const second = await uploadForm(credentials, createForm(sound, { title: 'Another title' }));
    expect([second.status, errorCodeOf(second)]).toEqual([409, 'duplicate_memory']);
    expect(parseJson<{ error: { details: object } }>(second).error.details).toEqual({
      memory_id: first.id,
    });
    expect(
      (await uploadForm(credentials, createForm(sound, { allow_duplicate: 'true' }))).status,
    ).toBe(201);
  });

  it('may be stored once for each owner', async () => {
    const { url, key, client } = await account();
    const tokenOf = async (user_id: string) =>
      (await client.auth.createToken({ body: { user_id } })).token;
    const store = (by: string, fields: Record<string, string> = {}) =>
      uploadForm({ url, key: by }, createForm(sound, fields));
    const [ana, ben] = [await tokenOf('ana'), await tokenOf('ben')];
    const first = parseJson(await store(ana));
    const others = [
      await store(ben),
      await store(key),
      await store(key, { user_id: 'ana', agent_id: 'guide' }),
      await store(key, { user_id: 'ana', run_id: 'r1' }),
    ];
    expect(others.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    for (const again of [await store(ana), await store(key, { user_id: 'ana' })]) {
      expect([again.status, errorCodeOf(again)]).toEqual([409, 'duplicate_memory']);
      const { error } = parseJson<{ error: { details: object } }>(again);
      expect(error.details).toEqual({ memory_id: first.id });
    }
  });

  const refused: [string, () => FormData, number, string][] = [
    ['empty', () => createForm(Buffer.alloc(0)), 400, 'invalid_request'],
    ['of noise', () => createForm(Buffer.alloc(9_000, 0xfe)), 400, 'invalid_request'],
    ['cut off', () => createForm(sound.subarray(0, 30)), 400, 'invalid_request'],
    ['a picture', () => createForm(png), 400, 'invalid_request'],
    [
      'a text that is too long',
      () => createForm(Buffer.alloc(1_200_000, 'a ')),
      422,
      'content_too_large',
    ],
    ['too large', () => createForm(Buffer.alloc(3_000_001)), 413, 'payload_too_large'],
    ['missing', () => createForm(null, { title: 'x' }), 422, 'validation_error'],
    ['beside an unknown field', () => createForm(sound, { colour: 'x' }), 422, 'validation_error'],
    ['beside a faulty field', () => createForm(sound, { tags: 'a,b' }), 422, 'validation_error'],
    [
      'before a faulty field',
      () => createForm(sound, { priority: '11' }, { fileFirst: true }),
      422,
      'validation_error',
    ],
    [
      'to supersede no memory',
      () => createForm(sound, { supersedes: `["${absent}"]` }),
      404,
      'memory_not_found',
    ],
    ['for no space', () => createForm(sound, { space_id: absent }), 404, 'space_not_found'],
  ];
  it.each(refused)(
    'that is %s is refused, and nothing is stored',
    async (_, form, status, code) => {
      const credentials = await account();
      const before = await listBlobs(service);
      const response = await uploadForm(credentials, form());
      expect([response.status, errorCodeOf(response)]).toEqual([status, code]);
      expect((await credentials.client.memories.list()).data).toEqual([]);
      expect(await listBlobs(service)).toEqual(before);
    },
  );
});

const absent = '019b8d1c-3a40-7c11-9d3e-5f0a4b6c7dff';
/** One black pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);
