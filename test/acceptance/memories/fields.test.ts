import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { refusal, store } from './asking.ts';

const occurred = [
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['2024-02-29T10:30:00Z', '2024-02-29T10:30:00.000Z'],
  ['2024-02-29T10:30Z', '2024-02-29T10:30:00.000Z'],
  ['2024-02-29T10:30:00.1239Z', '2024-02-29T10:30:00.123Z'],
  ['2024-03-01T00:30:00+02:00', '2024-02-29T22:30:00.000Z'],
  ['2024-02-29T10:30:00.5-0530', '2024-02-29T16:00:00.500Z'],
  ['20240229T103000Z', '2024-02-29T10:30:00.000Z'],
  ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
  ['0999-01-01T00:00:00Z', '0999-01-01T00:00:00.000Z'],
] as const;

const notTimes = [
  ['no offset', '2024-02-29T10:30:00'],
  ['no such day', '2023-02-29'],
  ['no such hour', '2024-02-29T25:00:00Z'],
  ['no such month', '2024-13-01'],
  ['a month alone', '2024-02'],
  ['words', 'yesterday'],
  ['nothing', ''],
] as const;

/** Each body has one fault. */
const faults: readonly (readonly [what: string, body: object, field: string, fault: object])[] = [
  ['no content', {}, 'content', { code: 'required' }],
  ['content that is no text', { content: 5 }, 'content', { code: 'invalid_type' }],
  ['null as content', { content: null }, 'content', { code: 'invalid_type' }],
  ['empty content', { content: '' }, 'content', { code: 'invalid_range', min: 1 }],
  ['U+0000 in content', { content: 'a\u0000b' }, 'content', { code: 'invalid_characters' }],
  ['half a character', { content: 'a\ud83d' }, 'content', { code: 'invalid_characters' }],
  ['the other half', { content: '\ude00b' }, 'content', { code: 'invalid_characters' }],
  ['U+0000 in a tag', { tags: ['ok', '\u0000'] }, 'tags.1', { code: 'invalid_characters' }],
  ['half a character in a tag', { tags: ['\ud83d'] }, 'tags.0', { code: 'invalid_characters' }],
  [
    'U+0000 in metadata',
    { metadata: { a: [{ b: '\u0000' }] } },
    'metadata.a.0.b',
    { code: 'invalid_characters' },
  ],
  [
    'half a character in a key',
    { metadata: { '\ud83d': 1 } },
    'metadata',
    { code: 'invalid_characters' },
  ],
  [
    'a type nobody knows',
    { type: 'poem' },
    'type',
    { code: 'invalid_enum_value', received: 'poem' },
  ],
  ['video, which only an upload makes', { type: 'video' }, 'type', { code: 'invalid_enum_value' }],
  ['a type that is no text', { type: 1 }, 'type', { code: 'invalid_type' }],
  [
    'a priority below 0',
    { priority: -1 },
    'priority',
    { code: 'invalid_range', min: 0, received: -1 },
  ],
  [
    'a priority above 10',
    { priority: 11 },
    'priority',
    { code: 'invalid_range', max: 10, received: 11 },
  ],
  ['a broken priority', { priority: 1.5 }, 'priority', { code: 'invalid_type' }],
  ['a priority as text', { priority: '5' }, 'priority', { code: 'invalid_type' }],
  ['tags that are no list', { tags: 'a' }, 'tags', { code: 'invalid_type' }],
  ['an empty tag', { tags: [''] }, 'tags.0', { code: 'invalid_range', min: 1 }],
  ['a tag that is no text', { tags: ['a', 7] }, 'tags.1', { code: 'invalid_type' }],
  ['metadata that is a list', { metadata: [] }, 'metadata', { code: 'invalid_type' }],
  ['metadata that is null', { metadata: null }, 'metadata', { code: 'invalid_type' }],
  ['a space that is no id', { space_id: 'research' }, 'space_id', { code: 'invalid_format' }],
  ['a space that is no text', { space_id: 5 }, 'space_id', { code: 'invalid_type' }],
  ['a session that is no id', { session_id: 'mine' }, 'session_id', { code: 'invalid_format' }],
  ['a pin that is no boolean', { is_pinned: 'true' }, 'is_pinned', { code: 'invalid_type' }],
  [
    'a level nobody knows',
    { protection_level: 'medium' },
    'protection_level',
    { code: 'invalid_enum_value' },
  ],
  ['an embedding that is no list', { embedding: '1' }, 'embedding', { code: 'invalid_type' }],
  ['an embedding of texts', { embedding: [1, 'x'] }, 'embedding.1', { code: 'invalid_type' }],
  ['a field nobody knows', { prioritty: 1 }, 'prioritty', { code: 'unknown_field' }],
  ['a field that only answers have', { salience: 1 }, 'salience', { code: 'unknown_field' }],
];

describe.each(engines)('The fields of a memory on %s', (engine) => {
  let service: Service;
  let client: Client;
  beforeAll(async () => {
    service = await startService(engine);
    client = (await service.account()).client;
  });
  afterAll(() => service.stop());
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    client.request({ method: 'POST', path: '/memories', body, headers });

  it.each(faults)('refuse %s, naming the field', async (_what, body, field, fault) => {
    const whole = field === 'content' ? body : { content: 'x', ...body };
    const answer = await post(whole);
    expect(answer).toMatchObject({ status: 422, body: { error: { code: 'validation_error' } } });
    const { error } = answer.body as { error: { details: { fields: object } } };
    expect(error.details.fields).toEqual({ [field]: expect.objectContaining(fault) });
  });

  it('are told all together when several are wrong', async () => {
    const body = { priority: 11, tags: ['', 'ok'], type: 'poem', extra: 1, occurred_at: 'now' };
    const error = await refusal(client.memories.create({ body: body as never }));
    const named = Object.keys(error.fields).sort();
    expect(named).toEqual(['content', 'extra', 'occurred_at', 'priority', 'tags.0', 'type']);
  });

  it.each(occurred)('take %s as the time it happened', async (given, shown) => {
    const memory = await store(client, `at ${given}`, { occurred_at: given });
    expect(memory.occurred_at).toBe(shown);
    const read = await client.memories.get({ params: { id: memory.id } });
    expect(read.occurred_at).toBe(shown);
  });

  it.each(notTimes)('refuse a time with %s', async (_what, occurred_at) => {
    const { status, fields } = await refusal(store(client, 'x', { occurred_at }));
    expect(status).toBe(422);
    expect(fields).toEqual({ occurred_at: expect.objectContaining({ code: 'invalid_format' }) });
  });

  it('take content of 1,048,576 bytes, of whatever width', async () => {
    for (const text of ['née ', '😀']) {
      const bytes = Buffer.byteLength(text);
      const whole = text.repeat(Math.floor(1_048_576 / bytes));
      const content = whole + 'x'.repeat(1_048_576 - Buffer.byteLength(whole));
      const { id } = await store(client, content);
      expect((await client.memories.get({ params: { id } })).content === content).toBe(true);
    }
  });

  it('refuse content of 1,048,577 bytes as content_too_large', async () => {
    for (const content of ['x'.repeat(1_048_577), `${'😀'.repeat(262_144)}x`]) {
      expect(await refusal(store(client, content))).toMatchObject({
        status: 422,
        code: 'content_too_large',
        details: { max_bytes: 1_048_576, received_bytes: 1_048_577 },
      });
    }
  });

  it('take 100 tags of 255 characters, counted as people do', async () => {
    const tags = Array.from({ length: 100 }, (_, i) => '😀'.repeat(252) + String(100 + i));
    expect((await store(client, 'many tags', { tags })).tags).toEqual(tags);
  });

  it('refuse 101 tags, and a tag of 256 characters', async () => {
    const many = Array.from({ length: 101 }, (_, i) => `t${i}`);
    expect((await refusal(store(client, 'x', { tags: many }))).fields).toEqual({
      tags: expect.objectContaining({ code: 'invalid_range', max: 100, received: 101 }),
    });
    const long = ['x'.repeat(255), 'x'.repeat(256)];
    expect((await refusal(store(client, 'x', { tags: long }))).fields).toEqual({
      'tags.1': expect.objectContaining({ code: 'field_too_long', max: 255 }),
    });
  });

  it('take metadata of 16,384 bytes as JSON, and refuse one byte more', async () => {
    const filled = (bytes: number) => {
      const metadata = { text: 'é'.repeat(100), rest: '' };
      const missing = bytes - Buffer.byteLength(JSON.stringify(metadata));
      return { ...metadata, rest: 'x'.repeat(missing) };
    };
    const memory = await store(client, 'full', { metadata: filled(16_384) });
    expect(memory.metadata).toEqual(filled(16_384));
    const error = await refusal(store(client, 'overfull', { metadata: filled(16_385) }));
    expect(error).toMatchObject({ status: 422 });
    expect(error.fields).toEqual({
      metadata: expect.objectContaining({ code: 'field_too_long', max: 16_384 }),
    });
  });

  it('take a speaker of any length, wherever a character of two halves would be cut', async () => {
    for (const before of [98, 99, 100]) {
      const metadata = { speaker: `${'x'.repeat(before)}😀😀`, role: `${'y'.repeat(19)}😀` };
      expect((await store(client, `said by ${before}`, { metadata })).metadata).toEqual(metadata);
    }
  });

  it('come in a JSON object: everything else is 400 or 415', async () => {
    expect(await post('{"content": ')).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_json' } },
    });
    expect(await post(new Uint8Array([0x22, 0xff, 0x22]))).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_json' } },
    });
    for (const body of ['[]', 'null', '"text"', undefined]) {
      expect(await post(body)).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_request' } },
      });
    }
    expect(await post('content=x', { 'content-type': 'text/plain' })).toMatchObject({
      status: 415,
      body: { error: { code: 'unsupported_media_type' } },
    });
  });

  it('come in at most 8 MiB', async () => {
    const mib = 1_048_576;
    const body = (bytes: number): string => {
      const json = JSON.stringify({ content: `of ${bytes} bytes` });
      return json + ' '.repeat(bytes - json.length);
    };
    expect((await post(body(8 * mib))).status).toBe(201);
    expect(await post(body(8 * mib + 1))).toMatchObject({
      status: 413,
      body: { error: { code: 'payload_too_large' } },
    });
  });
});
