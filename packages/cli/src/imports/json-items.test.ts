import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonEvent, readJsonItems } from './json-items.ts';
import { collect } from './testing.ts';

async function* piecesOf(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

const read = (text: string, size = 5): Promise<JsonEvent[]> =>
  collect(readJsonItems(piecesOf(text, size)));

const valuesOf = (events: readonly JsonEvent[]) =>
  events.map((event) => (event.type === 'element' ? event.value : event.type));

describe('the elements of a JSON text', () => {
  test('are those that JSON.parse finds, however the text is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue({ maxDepth: 5 })),
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(0, 1),
        async (list, size, spaces) => {
          const events = await read(JSON.stringify(list, null, spaces), size);
          expect(valuesOf(events)).toEqual(JSON.parse(JSON.stringify(list)));
        },
      ),
    );
  });

  test('of an object are those of its lists, with their keys', async () => {
    const text = '{"count": 2, "results": [{"id": 1}, 2], "page": {"of": [3]}, "relations": ["a"]}';
    expect(await read(text)).toEqual([
      { type: 'element', list: 'results', index: 0, value: { id: 1 } },
      { type: 'element', list: 'results', index: 1, value: 2 },
      { type: 'element', list: 'relations', index: 0, value: 'a' },
    ]);
  });

  test('keep keys that JavaScript treats in a special way', async () => {
    const [event] = await read('[{"__proto__": {"a": 1}, "constructor": 2}]');
    const value = event?.type === 'element' ? (event.value as object) : {};
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test('before a cut or an error are read, and the place is reported', async () => {
    expect(await read('[{"id": 1}, {"id": 2')).toMatchObject([
      { value: { id: 1 } },
      { type: 'broken', isTruncated: true, index: 1 },
    ]);
    expect(await read('[{"id": 1}, {id: 2}]')).toMatchObject([
      { value: { id: 1 } },
      { type: 'broken', isTruncated: false, index: 1 },
    ]);
    expect(await read('')).toMatchObject([{ type: 'broken', isTruncated: true }]);
  });

  test('that are too large or too deep are left out, without holding them', async () => {
    const large = 'x'.repeat(1024);
    async function* text(): AsyncGenerator<string> {
      yield '[{"id": 1}, {"id": 2, "text": "';
      for (let i = 0; i < 40_000; i += 1) yield large;
      yield `", "more": {"a": [1]}}, {"id": 3}, ${'['.repeat(200_000)}${']'.repeat(200_000)}, 4]`;
    }
    const events = await collect(readJsonItems(text()));
    expect(valuesOf(events)).toEqual([{ id: 1 }, 'too_large', { id: 3 }, 'too_large', 4]);
  });
});
