import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memoriesIn } from '../../support/found.ts';
import { audio, video } from '../../support/recordings.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { type Asked, codeOf, formOf, json, upload } from './asking.ts';
import { blobsOf } from './blobs.ts';

describe.each(engines)('an uploaded file on %s', (engine) => {
  let service: Service;
  let sound: Buffer;
  beforeAll(async () => {
    service = await startService(engine, { env: { MNEME_MAX_UPLOAD_BYTES: '3000000' } });
    sound = await audio('tone.mp3');
  });
  afterAll(() => service.stop());

  const account = async (): Promise<Asked & Awaited<ReturnType<Service['account']>>> => ({
    ...(await service.account()),
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
    const asked = await account();
    const bytes = kind === 'audio' ? await audio(`x.${ending}`) : await video(`x.${ending}`);
    const told = await upload(asked, formOf(bytes, {}, { filename: 'notes.txt' }));
    expect([told.status, json(told).content_type]).toEqual([201, kind]);
    const { id } = json(told);
    const played = await asked.client.request({ method: 'HEAD', path: `/memories/${id}/stream` });
    expect(played.headers.get('content-type')).toBe(type);
    expect(played.headers.get('content-length')).toBe(String(bytes.length));
  });

  it.each([true, false])('takes its fields along, file first: %s', async (fileFirst) => {
    const asked = await account();
    const space = await asked.client.spaces.create({ body: { name: 'talks' } });
    const fields = {
      title: 'Stand-up of Monday',
      space_id: space.id,
      tags: '["meeting","monday"]',
      metadata: '{"room":"blue"}',
      priority: '7',
      is_pinned: 'true',
      occurred_at: '2026-01-05T09:00:00Z',
    };
    const told = await upload(asked, formOf(sound, fields, { fileFirst }));
    expect(told.status).toBe(201);
    expect(json(told)).toMatchObject({
      content: 'Stand-up of Monday',
      content_type: 'audio',
      space_id: space.id,
      tags: ['meeting', 'monday'],
      metadata: { room: 'blue' },
      priority: 7,
      is_pinned: true,
      occurred_at: '2026-01-05T09:00:00.000Z',
    });
    const { results } = await asked.client.search.get({ query: { q: 'stand-up' } });
    expect(memoriesIn(results)[0]?.id).toBe(json(told).id);
  });

  it('is named as it was, also where forms cannot say it as it is', async () => {
    const asked = await account();
    // FormData writes the mark as %22.
    const memory = json(await upload(asked, formOf(sound, {}, { filename: 'a"b 100%.mp3' })));
    expect(memory.content).toBe('a"b 100%');
  });

  it('is told of as audio.uploaded', async () => {
    const asked = await account();
    const memory = json(await upload(asked, formOf(sound)));
    const { data } = await asked.client.operations.events({ query: { type: 'audio.uploaded' } });
    expect(data.map((event) => event.data)).toEqual([memory]);
  });

  it.each([
    ['Plain words of a note.', 'text'],
    ['# A heading\n\nand a [link](https://example.com)\n', 'markdown'],
  ])('that is a text becomes the content, byte for byte: %j', async (text, type) => {
    const asked = await account();
    // Pictures of what the tests before it have stored.
    await service.running.context.worker.drain();
    const before = await blobsOf(service);
    const form = formOf(Buffer.from(text), { title: 'Notes' }, { filename: 'x.mp3' });
    const memory = json(await upload(asked, form));
    expect(memory).toMatchObject({
      content: text,
      content_type: type,
      metadata: { title: 'Notes' },
    });
    await service.running.context.worker.drain();
    expect(await blobsOf(service)).toEqual(before);
  });

  it('whose bytes are stored already is 409, unless a duplicate is allowed', async () => {
    const asked = await account();
    const first = json(await upload(asked, formOf(sound)));
    const second = await upload(asked, formOf(sound, { title: 'Another title' }));
    expect([second.status, codeOf(second)]).toEqual([409, 'duplicate_memory']);
    expect(json<{ error: { details: object } }>(second).error.details).toEqual({
      memory_id: first.id,
    });
    expect((await upload(asked, formOf(sound, { allow_duplicate: 'true' }))).status).toBe(201);
  });

  const refused: [string, () => FormData, number, string][] = [
    ['empty', () => formOf(Buffer.alloc(0)), 400, 'invalid_request'],
    ['of noise', () => formOf(Buffer.alloc(9_000, 0xfe)), 400, 'invalid_request'],
    ['cut off', () => formOf(sound.subarray(0, 30)), 400, 'invalid_request'],
    ['a picture', () => formOf(png), 400, 'invalid_request'],
    [
      'a text that is too long',
      () => formOf(Buffer.alloc(1_200_000, 'a ')),
      422,
      'content_too_large',
    ],
    ['too large', () => formOf(Buffer.alloc(3_000_001)), 413, 'payload_too_large'],
    ['missing', () => formOf(null, { title: 'x' }), 422, 'validation_error'],
    ['beside an unknown field', () => formOf(sound, { colour: 'x' }), 422, 'validation_error'],
    ['beside a faulty field', () => formOf(sound, { tags: 'a,b' }), 422, 'validation_error'],
    [
      'before a faulty field',
      () => formOf(sound, { priority: '11' }, { fileFirst: true }),
      422,
      'validation_error',
    ],
    ['for no space', () => formOf(sound, { space_id: absent }), 404, 'space_not_found'],
  ];
  it.each(refused)(
    'that is %s is refused, and nothing is stored',
    async (_, form, status, code) => {
      const asked = await account();
      const before = await blobsOf(service);
      const told = await upload(asked, form());
      expect([told.status, codeOf(told)]).toEqual([status, code]);
      expect((await asked.client.memories.list()).data).toEqual([]);
      expect(await blobsOf(service)).toEqual(before);
    },
  );
});

const absent = '019b8d1c-3a40-7c11-9d3e-5f0a4b6c7dff';
/** One black pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);
