import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { serializeJson } from './serialize-json.ts';

const written = async (body: unknown): Promise<string> => {
  const made = serializeJson(body);
  return typeof made === 'string' ? made : text(made);
};

it('equals the result of JSON.stringify', async () => {
  const leaf = fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.date({ noInvalidDate: true }));
  const body = fc.oneof(leaf, fc.dictionary(fc.string(), fc.oneof(leaf, fc.array(leaf))));
  await fc.assert(
    fc.asyncProperty(body, async (value) => {
      fc.pre(value !== undefined);
      expect(await written(value)).toBe(JSON.stringify(value));
    }),
  );
});

it('is a stream of the same text for a long body', async () => {
  const body = { data: Array.from({ length: 40 }, (_, i) => ({ i, a: 'ä'.repeat(20_000) })), n: 1 };
  expect(typeof serializeJson(body)).toBe('object');
  expect(await written(body)).toBe(JSON.stringify(body));
});
