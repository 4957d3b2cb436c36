import { describe, expect, test } from 'vitest';
import { activePlaceholder } from './mutation.ts';
import { findMutationSites } from './sites.ts';

const path = 'packages/server/src/domains/webhooks/example.ts';

/** The changes of a function with this body. */
const changesOf = (body: string): string[] =>
  findMutationSites({ path, text: `async function f(a: any, b: any, log: any) {\n${body}\n}` }).map(
    ({ kind, description }) => `${kind}: ${description}`,
  );

describe('a site is', () => {
  test.each([
    ['return a < b;', ['boundary: a < b → a <= b']],
    ['return a >= b;', ['boundary: a >= b → a > b']],
    ['return a === b;', ['equality: a === b → a !== b']],
    ['return a && b;', ['logical: a && b → a || b']],
    ['if (a) return;', ['condition: a → !(a)', 'condition: a → false']],
    ['return a ? b : log;', ['condition: a → !(a)']],
    ['return a - 1;', ['arithmetic: a - 1 → a + 1', 'number: 1 → 2']],
    ['return -5;', ['number: 5 → 6']],
    ['return { on: true };', ['boolean: true → false']],
    ['a();', ['call: a(); → (none)']],
    ['await a.b(1_000);', ['call: await a.b(1_000); → (none)']],
    ['void a?.b();', ['call: void a?.b(); → (none)', 'optional: a?.b() → a.b()']],
    ['return a ?? b;', ['nullish: a ?? b → a']],
    ['return a?.[b]?.();', ['optional: a?.[b]?.() → a?.[b]()', 'optional: a?.[b]?.() → a[b]?.()']],
    ['return a.filter(b);', ['filter: a.filter(b) → a']],
    ['return a.some(b);', ['quantifier: a.some → a.every']],
    ['return a.toSorted(b);', ['order: a.toSorted(b) → the other way round']],
    ["return a.orderBy('id', 'desc');", ["order: a.orderBy('id', 'desc') → asc"]],
  ])('%s', (body, changes) => {
    expect(changesOf(body)).toEqual(changes);
  });
});

describe('no site is', () => {
  test.each([
    ['a log call', "log.warn({ n: 1 }, 'failed'); this.#log.info(a ?? b);"],
    ['the text of an error', `throw new Error(\`at most \${a ?? 1}\`);`],
    ['a message', 'return { message: a ?? 1 };'],
    ['a type', 'const c = a as 1 | true; return c;'],
    ['a key', 'return { 1: a };'],
    ['a setting of time', 'return { waitMs: 5, backoffSeconds: [1, 2] };'],
    ['a large number', 'return a(86_400);'],
    ['an end of a range of equal values', 'a = Math.max(a, b);'],
    ['a default for the type checker', 'return a[b] ?? 0;'],
    ['a method of every object', 'return a.toString();'],
    ['what stands before the rest of an optional chain', 'return a.b;'],
    ['a hint for the process', 'a.unref();'],
    ['an option without an effect', 'return { once: true };'],
  ])('%s', (_, body) => {
    expect(changesOf(body)).toEqual([]);
  });

  test('the boundary between two values of which the greater one is taken', () => {
    expect(changesOf('return a > b ? a : b;')).toEqual(['condition: a > b → !(a > b)']);
  });

  test('code that runs when the module is loaded', () => {
    expect(findMutationSites({ path, text: 'export const most = first() ?? 1;' })).toEqual([]);
  });
});

test('a site knows its place', () => {
  const text =
    'const a = (n: number) => n;\nfunction f(n: number) {\n  return [n < 1, n < 1];\n}\n';
  const found = findMutationSites({ path, text }).filter(({ kind }) => kind === 'boundary');
  const at = { path, line: 3, area: 'webhooks', functionStart: text.indexOf('function') };
  expect(found).toEqual([
    expect.objectContaining({ ...at, start: text.indexOf('n < 1'), occurrence: 0 }),
    expect.objectContaining({ ...at, start: text.lastIndexOf('n < 1'), occurrence: 1 }),
  ]);
  expect(found[0]?.replacement).toBe(`(${activePlaceholder} ? ((n) <= (1)) : (n < 1))`);
});
