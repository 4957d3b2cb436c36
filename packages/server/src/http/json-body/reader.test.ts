import { limits, routes } from '@mneme/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runCount } from '../../../../../test/support/run-count.ts';
import { type CheckedBody, JsonBodyReader } from './reader.ts';

const anyList = { list: 'items', item: z.unknown() };
const anyBody = { body: z.strictObject({ items: z.array(z.unknown()) }), bulkBody: anyList };
const anyObject = { body: z.unknown() };

type BodyRoute = ConstructorParameters<typeof JsonBodyReader>[0];

/** Reads the text in chunks of these sizes, and the rest in one chunk. */
function read(route: BodyRoute, text: string | Uint8Array, sizes: readonly number[] = []) {
  const reader = new JsonBodyReader(route);
  let bytes: Uint8Array = Buffer.from(text as string);
  for (const size of sizes) {
    reader.write(bytes.subarray(0, size));
    bytes = bytes.subarray(size);
  }
  reader.write(bytes);
  return { body: reader.finish(), tokens: reader.tokens };
}

const dataOf = (body: CheckedBody): unknown => (body.status === 'valid' ? body.data : body);

/** The error of a text. */
function refusal(route: BodyRoute, text: string | Uint8Array, sizes: readonly number[] = []) {
  try {
    return read(route, text, sizes).body;
  } catch (error) {
    return error;
  }
}

const sizes = fc.array(fc.nat({ max: 12 }), { maxLength: 40 });
const json = fc.jsonValue({ maxDepth: 6 });
const spaced = fc.tuple(json, fc.constantFrom(0, 1, '\t', '\n')).map(([value, gap]) => ({
  value,
  gap: gap === 0 ? undefined : gap,
}));

describe('JsonBodyReader', () => {
  it('returns the result of JSON.parse for any chunks', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), json), sizes, (value, cuts) => {
        const text = JSON.stringify(value);
        expect(dataOf(read(anyObject, text, cuts).body)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('returns the items of JSON.parse for any notation and any chunks', () => {
    fc.assert(
      fc.property(fc.array(spaced, { minLength: 1, maxLength: 20 }), sizes, (items, cuts) => {
        const texts = items.map(({ value, gap }) => JSON.stringify(value, null, gap));
        const text = ` {\n"\\u0069tems" : [ ${texts.join(' ,\t')} ] }`;
        expect(dataOf(read(anyBody, text, cuts).body)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('rejects exactly the texts that JSON.parse rejects', () => {
    const pieces = ['{', '}', '[', ']', '"items"', ':', ',', '1', 'null', '"a\\"', '"', ' ', '\\'];
    const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 14 });
    fc.assert(
      fc.property(texts, sizes, (parts, cuts) => {
        const text = `{"items":[${parts.join('')}`;
        let parsed: unknown = 'invalid_json';
        try {
          parsed = JSON.parse(text);
        } catch {}
        const answer = refusal({ ...anyObject, bulkBody: anyList }, text, cuts);
        expect((answer as { code?: unknown }).code === 'invalid_json').toBe(
          parsed === 'invalid_json',
        );
      }),
      { numRuns: runCount(500, 30_000) },
    );
  });

  it.each([
    ['an empty list', '{"items": [ ]}', 'invalid_range'],
    ['no list', '{"items": {"a": [1]}}', 'invalid_type'],
    ['the last of two lists', '{"items":[1],"items":[]}', 'invalid_range'],
    ['a list deeper inside', '{"a":{"items":[1]}}', 'required'],
  ])('reports an error for %s', (_what, text, code) => {
    const { body } = read(anyBody, text);
    expect(body).toMatchObject({ status: 'faulty', faults: { items: { code } } });
  });

  it('reports errors of items by their index, and unknown fields', () => {
    const route = routes.cliSessions.postMessages;
    const messages = [{ role: 'user', content: 'a' }, { role: 'user' }, 5];
    const { body } = read(route, JSON.stringify({ messages, more: 1 }));
    expect(body).toMatchObject({
      status: 'faulty',
      faults: {
        'messages.1.content': { code: 'required' },
        'messages.2': { code: 'invalid_type' },
        more: { code: 'unknown_field' },
      },
    });
  });

  it('validates each memory of a bulk request', () => {
    const memories = [{ content: 'a' }, { content: 7 }, []];
    const { body } = read(routes.memories.bulkCreate, JSON.stringify({ memories }));
    expect(dataOf(body)).toMatchObject({
      memories: [
        { value: { content: 'a' } },
        { errors: { content: { code: 'invalid_type' } } },
        { errors: { '': { code: 'invalid_type' } } },
      ],
    });
  });

  it('treats a key named __proto__ as data', () => {
    const text = '{"memories":[{"content":"a","metadata":{"__proto__":{"x":1}}}]}';
    const { body } = read(routes.memories.bulkCreate, text);
    expect(JSON.stringify(dataOf(body))).toContain('"__proto__":{"x":1}');
  });

  it('rejects an unknown field named __proto__ next to the items', () => {
    const text = '{"memories":[{"content":"a"}],"__proto__":1}';
    expect(read(routes.memories.bulkCreate, text).body).toEqual({
      status: 'faulty',
      faults: Object.fromEntries([
        ['__proto__', { code: 'unknown_field', message: 'is not a known field' }],
      ]),
    });
  });

  it('accepts a byte order mark at the start of the body, but not of an item', () => {
    expect(read(anyBody, '\ufeff{"items":[1]}').body.status).toBe('valid');
    expect(refusal(anyBody, '{"items":[\ufeff1]}')).toMatchObject({ code: 'invalid_json' });
  });

  it('truncates the name of an unknown field in the error', () => {
    const { fieldNameCharactersMax } = limits;
    const name = 'k'.repeat(fieldNameCharactersMax + 1);
    const { body } = read(routes.memories.create, `{"content":"a","${name}":1}`);
    expect(body).toMatchObject({ faults: { [`${name.slice(1)}…`]: { code: 'unknown_field' } } });
  });

  const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
  const list = (count: number, item = '0') => `{"a":[${Array(count).fill(item).join()}]}`;
  const { jsonDepthMax, jsonEntriesMax, jsonTokensMax } = limits;
  it.each([
    ['levels', nested(jsonDepthMax), nested(jsonDepthMax + 1), String(jsonDepthMax)],
    ['entries of a list', list(jsonEntriesMax), list(jsonEntriesMax + 1), String(jsonEntriesMax)],
    [
      'tokens',
      list(9_999, `[${Array(99).fill(0).join()}]`),
      list(9_999, `[${Array(101).fill(0).join()}]`),
      String(jsonTokensMax),
    ],
  ])('limits the number of %s', (_what, permitted, refused, named) => {
    expect(read(anyObject, permitted).body.status).toBe('valid');
    expect(refusal(anyObject, refused)).toMatchObject({
      code: 'payload_too_large',
      message: expect.stringContaining(named),
    });
  });

  it('rejects an item, and the rest of the body, above the size limit', () => {
    const long = JSON.stringify('a'.repeat(limits.bodyBytesMax));
    for (const text of [`{"items":[${long}]}`, `{"items":[1],"more":${long}}`]) {
      expect(refusal(anyBody, text)).toMatchObject({ code: 'payload_too_large' });
    }
  });

  it('accepts an item of exactly the size limit', () => {
    const [most, tooLong] = [0, 1].map((extra) => 'a'.repeat(limits.bodyBytesMax - 2 + extra));
    const { body } = read(anyBody, JSON.stringify({ items: [most] }));
    expect(body.status).toBe('valid');
    const refused = refusal(anyBody, JSON.stringify({ items: [tooLong] }));
    expect(refused).toMatchObject({ code: 'payload_too_large' });
  });

  it('does not count white space around the items, and preserves it in strings', () => {
    const padding = ' '.repeat(limits.bodyBytesMax);
    const sizes = [5, 100, 4_096];
    expect(read(anyBody, `{"items":[1]}${padding}`, sizes).body.status).toBe('valid');
    const text = `{"a":"${' '.repeat(200)}"}`;
    expect(dataOf(read(anyObject, text, [10, 20, 30]).body)).toEqual(JSON.parse(text));
  });

  it('needs no object per chunk, even for small chunks', () => {
    const reader = new JsonBodyReader(routes.memories.bulkCreate);
    reader.write(Buffer.from('{"memories":[{"content":"'));
    const piece = Buffer.from('a');
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 500_000; i += 1) reader.write(piece);
    // A list of chunks would need 120 MB, which cannot be collected.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(80_000_000);
    reader.write(Buffer.from('"}]}'));
    expect(reader.finish().status).toBe('valid');
  });

  it('rejects bytes that are not UTF-8', () => {
    const bytes = Buffer.from('{"items":["a\xff"]}', 'latin1');
    expect(refusal(anyBody, bytes)).toMatchObject({
      code: 'invalid_json',
      message: expect.stringContaining('UTF-8'),
    });
  });
});
