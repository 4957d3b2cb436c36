import fs from 'node:fs';
import fc from 'fast-check';
import { loadModule, parseSync } from 'libpg-query';
import { beforeAll, describe, expect, it } from 'vitest';
import { splitStatements } from './split-statements.ts';

beforeAll(loadModule);

/** The syntax trees of a script by PostgreSQL's own parser, without places in the text. */
const treesOf = (script: string): unknown[] => {
  if (script === '') return [];
  const { stmts = [] } = parseSync(script) as { stmts?: { stmt: unknown }[] };
  const withoutPlaces = (key: string, value: unknown): unknown =>
    /location$|_len$|_start$|_end$/.test(key) ? undefined : value;
  return stmts.map(({ stmt }) => JSON.parse(JSON.stringify(stmt, withoutPlaces)) as unknown);
};

function expectSame(script: string): void {
  expect(splitStatements(script).map(treesOf)).toEqual(treesOf(script).map((tree) => [tree]));
}

const text = fc.string({ unit: fc.constantFrom(...'\'"$;\\-/*()eE \n\r\taé1') });
const quoteEscaped = (inner: string): string => `'${inner.replaceAll(/[\\']/g, '\\$&')}'`;
const literal = fc.oneof(
  text.map((inner) => `'${inner.replaceAll("'", "''")}'`),
  text.map((inner) => `e${quoteEscaped(inner)}`),
  fc.tuple(text, text).map(([one, other]) => `E${quoteEscaped(one)}\t\n ${quoteEscaped(other)}`),
  fc
    .tuple(fc.constantFrom('', 'a', 'T_1', 'é'), text)
    .map(([tag, inner]) => [`$${tag}$`, inner] as const)
    .filter(([mark, inner]) => `${inner}${mark}`.indexOf(mark) === inner.length)
    .map(([mark, inner]) => `${mark}${inner}${mark}`),
  text
    .filter((inner) => inner !== '')
    .map((inner) => `1 as "${inner.slice(0, 20).replaceAll('"', '""')}"`),
);
const gap = fc.oneof(
  fc.constantFrom(' ', '\n', '\r\n'),
  text.map((inner) => ` --${inner.replaceAll(/[\n\r]/g, '')}\n`),
  text
    .map((inner) => inner.replaceAll(/[*/]/g, ''))
    .map((inner) => ` /*${inner} /* ; ${inner}*/ ' */ `),
);
const statement = fc
  .tuple(gap, fc.array(literal, { minLength: 1, maxLength: 3 }), gap)
  .map(([before, literals, after]) => `select${before}${literals.join(', ')}${after}`);
const script = fc
  .array(fc.tuple(fc.oneof(gap, statement), fc.constantFrom(';', '; ;')), { maxLength: 5 })
  .map((parts) => parts.flat().join(''));

describe('splitting a script into statements', () => {
  it('agrees with the parser of PostgreSQL', () => {
    fc.assert(fc.property(script, expectSame));
  });

  it('agrees with it on all migrations', () => {
    const folder = new URL('../../migrations/', import.meta.url);
    for (const name of fs.readdirSync(folder)) {
      expectSame(fs.readFileSync(new URL(name, folder), 'utf8'));
    }
  });

  it('leaves semicolons in parentheses', () => {
    expectSame('create rule r as on insert to t do (select 1; select 2); select 3');
  });

  it('returns the texts without white space around them', () => {
    expect(splitStatements(' select 1 ;\n-- why\nselect 2;\n-- end\n')).toEqual([
      'select 1',
      '-- why\nselect 2',
    ]);
  });
});
