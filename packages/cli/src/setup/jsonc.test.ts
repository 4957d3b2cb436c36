import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CliError } from '../errors.ts';
import { getJsonValue, setJsonValue } from './jsonc.ts';

const set = (text: string, path: string, value: unknown) =>
  setJsonValue(text, path.split('.'), value, 'a.json');
const get = (text: string, path: string) => getJsonValue(text, path.split('.'), 'a.json');

describe('a value in a JSON file', () => {
  it.each([
    ['', '{\n  "a": {\n    "b": 1\n  }\n}\n'],
    ['{}', '{\n  "a": {\n    "b": 1\n  }\n}'],
    ['{\n\t"x": [1,2]\n}\n', '{\n\t"x": [1,2],\n\t"a": {\n\t\t"b": 1\n\t}\n}\n'],
    ['{\n  "a": {}\n}\n', '{\n  "a": {\n    "b": 1\n  }\n}\n'],
    ['{"x": 1}', '{"x": 1,\n  "a": {\n    "b": 1\n  }}'],
    [
      '{\n  // ours\n  "a": {\n    "c": 2, // last\n  },\n}\n',
      '{\n  // ours\n  "a": {\n    "c": 2,\n    "b": 1 // last\n  },\n}\n',
    ],
    ['{\n  "a": { "b": 0 } /* kept */\n}\n', '{\n  "a": { "b": 1 } /* kept */\n}\n'],
    ['{\r\n  "x": 1\r\n}\r\n', '{\r\n  "x": 1,\r\n  "a": {\r\n    "b": 1\r\n  }\r\n}\r\n'],
  ])('is added to %j, and the rest stays', (text, expected) => {
    expect(set(text, 'a.b', 1)).toBe(expected);
  });

  it.each([
    ['{\n  "a": {\n    "b": 1\n  }\n}\n', '{}\n'],
    ['{\n  "a": {\n    "c": 2,\n    "b": 1\n  }\n}\n', '{\n  "a": {\n    "c": 2\n  }\n}\n'],
    ['{\n  "a": {\n    "b": 1,\n    "c": 2\n  }\n}\n', '{\n  "a": {\n    "c": 2\n  }\n}\n'],
    ['{ "x": 1, /* y */ "a": { "b": 1 } }', '{ "x": 1 }'],
    ['{ "x": 1 }', '{ "x": 1 }'],
  ])('is removed from %j, with objects that are empty then', (text, expected) => {
    expect(set(text, 'a.b', undefined)).toBe(expected);
  });

  it.each(['{', '[]', '{"a" 1}', '{"a": 1} x', '{"a": 01x}', '{"a": 1 "b": 2}', 'null', '{"a":}'])(
    'is not looked for in %j',
    (text) => {
      expect(() => set(text, 'a.b', 1)).toThrow(CliError);
    },
  );

  it('is not written below a value that is no object', () => {
    expect(() => set('{"a": 1}', 'a.b', 1)).toThrow('a of a.json is no object.');
  });

  it('is read as it was set, in any file, and removed without a trace for the others', () => {
    const key = fc.constantFrom('a', 'b', 'mcpServers', '__proto__', 'x"y');
    const file = fc.record({
      value: fc.dictionary(key, fc.jsonValue(), { noNullPrototype: true }),
      unit: fc.constantFrom(0, 2, '\t'),
    });
    fc.assert(
      fc.property(file, fc.jsonValue(), ({ value, unit }, added) => {
        const text = JSON.stringify({ ...value, mcpServers: { other: 1 } }, null, unit);
        const changed = set(text, 'mcpServers.mneme', added);
        expect(JSON.parse(changed)).toEqual(
          JSON.parse(JSON.stringify({ ...value, mcpServers: { other: 1, mneme: added } })),
        );
        expect(get(changed, 'mcpServers.mneme')).toEqual(JSON.parse(JSON.stringify(added)));
        const removed = set(changed, 'mcpServers.mneme', undefined);
        expect(JSON.parse(removed)).toEqual(JSON.parse(text));
      }),
    );
  });
});
