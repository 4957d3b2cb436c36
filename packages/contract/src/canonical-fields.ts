import type { z } from 'zod';
import { aliasOf, snakeCaseNames } from './aliases.ts';

/** The canonical name of each alias that is returned without it. */
const addedNames = new WeakMap<z.core.$ZodType, string>();

/**
 * A response that has canonical names in addition to the aliases that handlers return: see
 * `addCanonicalFields`. The type is the one of handlers, so it has no canonical names.
 */
export function withCanonicalFields<T extends z.ZodObject>(
  schema: T,
  names: Readonly<Record<string, string>>,
): T {
  const canonicalByAlias = new Map(Object.entries(names).map(([name, alias]) => [alias, name]));
  const shape: Record<string, z.core.$ZodType> = {};
  for (const [name, field] of Object.entries(schema.shape)) {
    const canonical = canonicalByAlias.get(name);
    if (canonical === undefined) shape[name] ??= field;
    else {
      const alias = aliasOf(canonical, field);
      if (!(canonical in schema.shape)) addedNames.set(alias, canonical);
      shape[canonical] ??= schema.shape[canonical] ?? field;
      shape[name] = alias;
      canonicalByAlias.delete(name);
    }
  }
  if (canonicalByAlias.size > 0) throw new Error('an alias is no field of the schema');
  return schema.clone({ ...schema._zod.def, shape } as never) as T;
}

/**
 * A response with fields in camelCase that has their names in snake_case, too, and `others`. Fields
 * in `except` have the published name only.
 */
export const withSnakeCaseFields = <T extends z.ZodObject>(
  schema: T,
  { others = {}, except = [] }: SnakeCaseOptions = {},
): T => {
  const names = snakeCaseNames(schema, [...except, ...Object.values(others)]);
  return withCanonicalFields(schema, { ...names, ...others });
};

interface SnakeCaseOptions {
  /** Aliases by canonical name. */
  readonly others?: Readonly<Record<string, string>>;
  readonly except?: readonly string[];
}

type Completer = (value: unknown) => unknown;

const completers = new WeakMap<z.core.$ZodType, { readonly complete: Completer | null }>();

/** The value with the canonical names that its schema has; the value itself if there are none. */
export function addCanonicalFields(schema: z.core.$ZodType, value: unknown): unknown {
  const complete = completerOf(schema);
  return complete ? complete(value) : value;
}

function completerOf(schema: z.core.$ZodType): Completer | null {
  const known = completers.get(schema);
  if (known) return known.complete;
  const complete = createCompleter(schema);
  completers.set(schema, { complete });
  return complete;
}

function createCompleter(schema: z.core.$ZodType): Completer | null {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
      return completerOf(def.innerType);
    case 'array': {
      const complete = completerOf(def.element);
      return complete && ((value) => (Array.isArray(value) ? value.map(complete) : value));
    }
    case 'union': {
      const each = def.options.flatMap((option) => completerOf(option) ?? []);
      if (each.length === 0) return null;
      return (value) => each.reduce((completed, complete) => complete(completed), value);
    }
    case 'object':
      return createObjectCompleter(def.shape);
    default:
      return null;
  }
}

type Values = Record<string, unknown>;

function createObjectCompleter(shape: Readonly<Record<string, z.core.$ZodType>>): Completer | null {
  const pairs: [canonical: string, alias: string][] = [];
  const fields: [name: string, complete: Completer][] = [];
  for (const [name, field] of Object.entries(shape)) {
    const canonical = addedNames.get(field);
    if (canonical !== undefined) pairs.push([canonical, name]);
    const complete = completerOf(field);
    if (complete) fields.push([name, complete]);
  }
  if (pairs.length + fields.length === 0) return null;
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const completed: Values = { ...value };
    for (const [name, complete] of fields) {
      if (name in completed) completed[name] = complete(completed[name]);
    }
    for (const [canonical, alias] of pairs) {
      if (alias in completed) completed[canonical] = completed[alias];
    }
    return completed;
  };
}
