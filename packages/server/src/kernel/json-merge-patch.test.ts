import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergePatch } from './json-merge-patch.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Bag = { [key: string]: Json };

const key = fc.oneof(fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', ''), fc.string());
const { bag } = fc.letrec<{ bag: Bag; value: Json }>((tie) => ({
  bag: fc.dictionary(key, tie('value'), {
    maxKeys: 4,
    depthIdentifier: 'json',
    noNullPrototype: true,
  }),
  value: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'json' },
    fc.constantFrom(null, true, 0, 'x'),
    fc.string(),
    fc.array(tie('value'), { maxLength: 2, depthIdentifier: 'json' }) as fc.Arbitrary<Json>,
    tie('bag'),
  ),
}));

const isBag = (value: Json | undefined): value is Bag =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The pseudocode of RFC 7396, section 2, on entries, so that all keys are ordinary. */
function asWritten(target: Json | undefined, patch: Json): Json {
  if (!isBag(patch)) return patch;
  const result = new Map(isBag(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) result.delete(name);
    else result.set(name, asWritten(result.get(name), value));
  }
  return Object.fromEntries(result);
}

/** Compares as text: matchers fail on keys such as `constructor`. */
const json = (value: unknown): string => JSON.stringify(value);
const merge = (target: Bag, patch: Bag) => mergePatch(target, patch) as Bag;
const hasNull = (value: Json): boolean =>
  isBag(value) && Object.values(value).some((one) => one === null || hasNull(one));

describe('mergePatch', () => {
  it.each<[Bag, Bag, Bag]>([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('merges the example of the RFC: %j with %j', (target, patch, expected) => {
    expect(merge(target, patch)).toEqual(expected);
  });

  it('equals the pseudocode of the RFC for any two objects', () => {
    fc.assert(
      fc.property(bag, bag, (target, patch) => {
        expect(json(merge(target, patch))).toBe(json(asWritten(target, patch)));
      }),
    );
  });

  it('changes nothing with an empty patch, and is idempotent', () => {
    fc.assert(
      fc.property(bag, bag, (target, patch) => {
        expect(json(merge(target, {}))).toBe(json(target));
        const once = merge(target, patch);
        expect(json(merge(once, patch))).toBe(json(once));
      }),
    );
  });

  it('creates any object without null from an empty one', () => {
    fc.assert(
      fc.property(bag, (goal) => {
        fc.pre(!hasNull(goal));
        expect(json(merge({}, goal))).toBe(json(goal));
      }),
    );
  });

  it('changes neither its arguments nor any prototype', () => {
    fc.assert(
      fc.property(bag, bag, (target, patch) => {
        const before = json([target, patch]);
        const merged = merge(target, patch);
        expect(json([target, patch])).toBe(before);
        expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
      }),
    );
    expect(merge({}, JSON.parse('{"__proto__":{"polluted":true}}'))).not.toHaveProperty('polluted');
    expect({}).not.toHaveProperty('polluted');
  });
});
