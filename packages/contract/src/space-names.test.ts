import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { individuallyValidated, spaceRef, validatedByHandler } from './fields.ts';
import { allRoutes, buildOpenApi, toFieldErrors } from './index.ts';
import { findSpaceNames, spaceNamePaths, withSpaceName } from './space-names.ts';

const item = withSpaceName(z.strictObject({ space_id: spaceRef.optional(), n: z.int() }));
const parsed = (schema: z.ZodType, input: unknown): unknown => schema.parse(input);

describe('a request that names its space', () => {
  it.each([
    ['an id', { space_id: null, n: 1 }],
    ['a name', { space: 'Research', n: 1 }],
    ['neither', { n: 1 }],
  ])('takes %s', (_what, input) => {
    expect(item.parse(input)).toEqual(input);
  });

  it('refuses both, naming `space`, together with all other errors', () => {
    const input = { space_id: null, space: 'Research', n: 'x' };
    const { error } = item.safeParse(input);
    expect(toFieldErrors(item, error?.issues ?? [], input)).toMatchObject({
      n: { code: 'invalid_type' },
      space: { code: 'invalid_format', message: 'cannot be combined with space_id' },
    });
  });

  it.each([
    ['empty', '', { code: 'invalid_range', min: 1 }],
    ['too long', 'x'.repeat(256), { code: 'field_too_long', max: 255 }],
    ['no text', 5, { code: 'invalid_type' }],
    ['null', null, { code: 'invalid_type' }],
    ['not valid Unicode', '\u0000', { code: 'invalid_characters' }],
  ])('refuses a name that is %s', (_what, space, fault) => {
    const input = { space, n: 1 };
    const { error } = item.safeParse(input);
    expect(toFieldErrors(item, error?.issues ?? [], input)).toMatchObject({ space: fault });
  });

  it('keeps checks that the schema already has, and the order of fields', () => {
    const schema = withSpaceName(
      z
        .strictObject({ a: z.int(), space_id: spaceRef.optional(), b: z.int() })
        .refine(({ a, b }) => a < b),
    );
    expect(Object.keys(schema.shape)).toEqual(['a', 'space_id', 'space', 'b']);
    expect(schema.safeParse({ a: 2, b: 1, space: 'x' }).success).toBe(false);
    expect(Object.keys(schema.parse({ b: 2, space: 'x', a: 1 }))).toEqual(['a', 'space', 'b']);
  });
});

describe('the names of spaces in a validated request', () => {
  it.each([
    ['at its top', item, { space: 'a', n: 1 }],
    [
      'in a part that may be missing',
      z.object({ f: item.optional() }),
      { f: { space: 'a', n: 1 } },
    ],
    [
      'in a part with a default',
      z.object({ f: item.default({ n: 1 }) }),
      { f: { space: 'a', n: 1 } },
    ],
    [
      'in the items of a list',
      z.object({ l: z.array(item) }),
      { l: [{ n: 1 }, { space: 'a', n: 1 }] },
    ],
    [
      'in items that are validated on their own',
      z.object({ l: z.array(individuallyValidated(item)) }),
      { l: [{ n: 'invalid' }, { space: 'a', n: 1 }] },
    ],
  ] as const)('are found %s', (_where, schema, input) => {
    expect(findSpaceNames(schema, parsed(schema, input))).toEqual([{ space: 'a', n: 1 }]);
  });

  it.each([
    ['free data', z.object({ data: z.record(z.string(), z.unknown()) }), { data: { space: 'a' } }],
    ['another field of this name', z.object({ space: z.string() }), { space: 'a' }],
    ['what a handler validates', z.array(validatedByHandler(item)), [{ space: 'a' }]],
    ['a request without a body', undefined, undefined],
  ] as const)('are not looked for in %s', (_where, schema, input) => {
    expect(findSpaceNames(schema, input)).toEqual([]);
  });
});

type Json = Readonly<Record<string, unknown>>;
const document = buildOpenApi(allRoutes, '0') as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly components: { readonly schemas: Json };
};

/** The field names of each object of a schema. */
function fieldSetsOf(part: unknown): string[][] {
  if (typeof part !== 'object' || part === null) return [];
  const { $ref, properties, example: _, ...others } = part as Json;
  if (typeof $ref === 'string') {
    return fieldSetsOf(document.components.schemas[$ref.slice($ref.lastIndexOf('/') + 1)]);
  }
  const fields = (properties ?? {}) as Json;
  return [
    ...(properties === undefined ? [] : [Object.keys(fields)]),
    ...[...Object.values(fields), ...Object.values(others)].flatMap(fieldSetsOf),
  ];
}

/** The field names of each object that a request can contain; its query is one of them. */
function requestFields(path: string, method: string): string[][] {
  const operation = document.paths[path]?.[method] ?? {};
  const parameters = (operation.parameters ?? []) as { in: string; name: string }[];
  const query = parameters.flatMap((one) => (one.in === 'query' ? [one.name] : []));
  return [query, ...fieldSetsOf(operation.requestBody)];
}

const withSpaceId = allRoutes.flatMap((route) => {
  const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
  const objects = requestFields(path, route.method.toLowerCase());
  const taking = objects.filter((fields) => fields.includes('space_id'));
  return taking.length > 0 ? [[route.id, route, taking] as const] : [];
});

describe('each route that takes space_id', () => {
  it.each(withSpaceId)('%s takes `space` in the same place', (id, route, taking) => {
    for (const fields of taking) expect(fields).toContain('space');
    const { query, body, form } = route;
    const schemas = [query, body, form].filter((schema) => schema !== undefined);
    // The handler of a batch of searches validates and resolves its items itself.
    const own = id === 'search.batch' ? 1 : 0;
    expect(schemas.flatMap(spaceNamePaths)).toHaveLength(taking.length - own);
  });

  it('is in this list', () => {
    expect(withSpaceId.length).toBeGreaterThan(25);
  });
});
