import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { createMemory, expectError } from './memory-requests.ts';

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

describe.each(engines)('The fields of a memory on %s', (engine) => {
  let service: Service;
  let client: Client;
  beforeAll(async () => {
    service = await startService(engine);
    client = (await service.createAccount()).client;
  });
  afterAll(() => service.stop());
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    client.request({ method: 'POST', path: '/memories', body, headers });

  it('are told all together when several are wrong', async () => {
    const body = { priority: 11, tags: ['', 'ok'], type: 'poem', extra: 1, occurred_at: 'now' };
    const error = await expectError(client.memories.create({ body: body as never }));
    const named = Object.keys(error.fields).sort();
    expect(named).toEqual(['content', 'extra', 'occurred_at', 'priority', 'tags.0', 'type']);
  });

  it.each(occurred)('take %s as the time it happened', async (given, shown) => {
    const memory = await createMemory(client, `at ${given}`, { occurred_at: given });
    expect(memory.occurred_at).toBe(shown);
    const read = await client.memories.get({ params: { id: memory.id } });
    expect(read.occurred_at).toBe(shown);
  });

  it('take content of 1,048,576 bytes, of whatever width', async () => {
    for (const text of ['née ', '😀']) {
      const bytes = Buffer.byteLength(text);
      const whole = text.repeat(Math.floor(1_048_576 / bytes));
      const content = whole + 'x'.repeat(1_048_576 - Buffer.byteLength(whole));
      const { id } = await createMemory(client, content);
      expect((await client.memories.get({ params: { id } })).content === content).toBe(true);
    }
  });

  it('refuse content of 1,048,577 bytes as content_too_large', async () => {
    for (const content of ['x'.repeat(1_048_577), `${'😀'.repeat(262_144)}x`]) {
      expect(await expectError(createMemory(client, content))).toMatchObject({
        status: 422,
        code: 'content_too_large',
        details: { max_bytes: 1_048_576, received_bytes: 1_048_577 },
      });
    }
  });

  it('take 100 tags of 255 characters, counted as people do', async () => {
    const tags = Array.from({ length: 100 }, (_, i) => '😀'.repeat(252) + String(100 + i));
    expect((await createMemory(client, 'many tags', { tags })).tags).toEqual(tags);
  });

  it('refuse 101 tags, and a tag of 256 characters', async () => {
    const many = Array.from({ length: 101 }, (_, i) => `t${i}`);
    expect((await expectError(createMemory(client, 'x', { tags: many }))).fields).toEqual({
      tags: expect.objectContaining({ code: 'invalid_range', max: 100, received: 101 }),
    });
    const long = ['x'.repeat(255), 'x'.repeat(256)];
    expect((await expectError(createMemory(client, 'x', { tags: long }))).fields).toEqual({
      'tags.1': expect.objectContaining({ code: 'field_too_long', max: 255 }),
    });
  });

  it('take metadata of 16,384 bytes as JSON, and refuse one byte more', async () => {
    const filled = (bytes: number) => {
      const metadata = { text: 'é'.repeat(100), rest: '' };
      const missing = bytes - Buffer.byteLength(JSON.stringify(metadata));
      return { ...metadata, rest: 'x'.repeat(missing) };
    };
    const memory = await createMemory(client, 'full', { metadata: filled(16_384) });
    expect(memory.metadata).toEqual(filled(16_384));
    const error = await expectError(createMemory(client, 'overfull', { metadata: filled(16_385) }));
    expect(error).toMatchObject({ status: 422 });
    expect(error.fields).toEqual({
      metadata: expect.objectContaining({ code: 'field_too_long', max: 16_384 }),
    });
  });

  it('take a speaker of any length, wherever a character of two halves would be cut', async () => {
    for (const before of [98, 99, 100]) {
      const metadata = { speaker: `${'x'.repeat(before)}😀😀`, role: `${'y'.repeat(19)}😀` };
      expect((await createMemory(client, `said by ${before}`, { metadata })).metadata).toEqual(
        metadata,
      );
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
