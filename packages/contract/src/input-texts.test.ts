import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { allRoutes } from './index.ts';

type Schema = z.core.$ZodType;

/** The schemas inside a schema, each with what it adds to the path. */
function childrenOf(schema: Schema): [path: string, child: Schema][] {
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries<Schema>(schema.shape);
    const { catchall } = schema.def;
    if (catchall !== undefined) fields.push(['*', catchall]);
    return fields.map(([name, field]) => [`.${name}`, field]);
  }
  if (schema instanceof z.ZodArray) return [['[]', schema.def.element]];
  if (schema instanceof z.ZodUnion) return schema.def.options.map((option) => ['', option]);
  if (schema instanceof z.ZodRecord)
    return [
      ['.*', schema.def.keyType],
      ['.*', schema.def.valueType],
    ];
  if (schema instanceof z.ZodIntersection)
    return [
      ['', schema.def.left],
      ['', schema.def.right],
    ];
  if (schema instanceof z.ZodPipe) return [['', schema.def.in]];
  if (schema instanceof z.ZodLazy) return [['', schema.def.getter()]];
  const inner = (schema._zod.def as { innerType?: Schema }).innerType;
  return inner === undefined ? [] : [['', inner]];
}

/** The paths of texts in the schema that take U+0000. */
function textsWithZeros(schema: Schema, path: string, above: readonly Schema[] = []): string[] {
  if (above.includes(schema)) return [];
  if (schema instanceof z.ZodString) return schema.safeParse('a\u0000b').success ? [path] : [];
  return childrenOf(schema).flatMap(([step, child]) =>
    textsWithZeros(child, path + step, [...above, schema]),
  );
}

describe('the texts of a request', () => {
  it('are found wherever they are', () => {
    const schema: z.ZodObject = z.strictObject({
      a: z.array(z.union([z.string(), z.number()])).optional(),
      b: z.record(z.string().regex(/^a+$/), z.string().default('')),
      c: z.string().transform(Number),
      d: z.strictObject({ e: z.string().nullable() }).and(z.object({}).catchall(z.string())),
      f: z.lazy(() => schema.optional()),
      g: z.uuid(),
    });
    expect(textsWithZeros(schema, '')).toEqual(['.a[]', '.b.*', '.c', '.d.e', '.d.*']);
  });

  it.each(['params', 'query', 'body'] as const)(
    'are storable in PostgreSQL or refused, in %s; a cursor is decoded before it is used',
    (part) => {
      const faults = allRoutes.flatMap((route) => {
        const schema = route[part];
        return schema instanceof z.ZodType ? textsWithZeros(schema, `${route.id} ${part}`) : [];
      });
      expect(faults.filter((path) => !path.endsWith(' query.cursor'))).toEqual([]);
    },
  );
});
