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

it('has a list under each of its names, long or short', async () => {
  const short = [{ a: 1 }, undefined, 'ä'];
  const long = Array.from({ length: 40 }, () => 'ä'.repeat(20_000));
  for (const list of [short, long, []]) {
    const body = { facts: list, others: [1], total: 3, data: list, last: list };
    expect(await written(body)).toBe(JSON.stringify(body));
  }
});

it('serializes the records of a short list once, whatever the number of its names', async () => {
  let calls = 0;
  const record = {
    toJSON() {
      calls += 1;
      return {};
    },
  };
  const facts = [record, record];
  expect(await written({ facts, data: facts })).toBe('{"facts":[{},{}],"data":[{},{}]}');
  expect(calls).toBe(2);
});
