import { readFileSync } from 'node:fs';
import { allRoutes, buildOpenApi } from '@mneme/contract';
import { describe, expect, it } from 'vitest';
import { namesText } from './emit-names.ts';

const committed = readFileSync(new URL('../docs/names.md', import.meta.url), 'utf8');

type Json = Readonly<Record<string, unknown>>;

/** Every field of a document with what is said of it. */
function fieldsOf(part: unknown): [name: string, field: Json][] {
  if (typeof part !== 'object' || part === null) return [];
  const { properties, parameters, ...others } = part as Json;
  const named = Object.entries(Object(properties) as Json) as [string, Json][];
  const sent = (Array.isArray(parameters) ? parameters : [])
    .filter((one: Json) => one.in === 'query')
    .map((one: Json): [string, Json] => [String(one.name), one]);
  const below = [...named.map(([, field]) => field), ...Object.values(others)];
  return [...named, ...sent, ...below.flatMap(fieldsOf)];
}
const { paths, components } = buildOpenApi(allRoutes, '0');
const fields = fieldsOf([paths, components]);

describe('docs/names.md', () => {
  it('is made of the contract: npm run names', () => {
    expect(committed).toBe(namesText());
  });

  it('has the canonical name of every alias that the OpenAPI document has', () => {
    const aliases = fields.filter(([, { deprecated }]) => deprecated === true);
    expect(aliases.length).toBeGreaterThan(100);
    for (const [alias, field] of aliases) {
      const { description } = (field.schema ?? field) as { description?: string };
      const canonical = /^Alias of (\S+)\.$/.exec(description ?? '')?.[1];
      expect([alias, canonical]).toEqual([alias, expect.any(String)]);
      expect(committed).toContain(`\`${canonical}\``);
      const isCaseOnly = canonical?.replaceAll('_', '') === alias.toLowerCase();
      if (!isCaseOnly) expect(committed).toContain(`\`${alias}\``);
    }
  });

  it('covers every name in camelCase', () => {
    const camelCase = fields.filter(([name]) => /^[a-z]+[A-Z]/.test(name));
    const others = camelCase.filter(([, { deprecated }]) => deprecated !== true);
    expect(new Set(others.map(([name]) => name))).toEqual(new Set(['bodyPlain', 'parsedIntent']));
  });

  it('marks the routes that another replaces', () => {
    const replaced = allRoutes.filter(({ replacedBy }) => replacedBy !== undefined);
    expect(replaced.map(({ id }) => id)).toEqual(['knowledge.mergeEntities']);
    expect(paths).toMatchObject({ '/entities/merge': { post: { deprecated: true } } });
  });
});
