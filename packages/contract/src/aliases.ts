import { z } from 'zod';
import { checkDespiteOtherIssues, customIssueOptions } from './fields.ts';

/** Since when aliases and the routes that have a replacement are deprecated. */
export const deprecatedAt = new Date('2026-11-28T00:00:00.000Z');

/** The canonical name of each field that is an alias. */
const canonicalNames = new WeakMap<z.core.$ZodType, string>();

/** The canonical name of a field that is an alias; undefined for all other fields. */
export const canonicalNameOf = (field: z.core.$ZodType): string | undefined =>
  canonicalNames.get(field);

/** Aliases whose value is required, under one of the two names. */
const requiredAliases = new WeakSet<z.core.$ZodType>();

/** The pairs of names of which a request to an object of this shape must have one. */
export const requiredPairsOf = (shape: Readonly<Record<string, z.core.$ZodType>>): string[][] =>
  Object.entries(shape).flatMap(([name, field]) =>
    requiredAliases.has(field) ? [[canonicalNames.get(field) ?? name, name]] : [],
  );

/** Aliases by canonical name. */
type AliasNames = Readonly<Record<string, string>>;

/** A field under a published name that has a canonical name beside it. */
export function aliasOf<T extends z.core.$ZodType>(canonical: string, field: T): T {
  const alias = (field as unknown as z.ZodType).meta({
    ...z.globalRegistry.get(field as unknown as z.ZodType),
    description: `Alias of ${canonical}.`,
    deprecated: true,
  });
  canonicalNames.set(alias, canonical);
  return alias as unknown as T;
}

/**
 * A request that accepts canonical names in addition to the aliases that its schema has. A handler
 * receives the alias only, or both if the schema already has both. Different values are invalid.
 * Add other checks to the result, so that they see one form.
 */
export function withCanonicalNames<T extends z.ZodObject>(schema: T, names: AliasNames): T {
  const canonicalByAlias = new Map(Object.entries(names).map(([name, alias]) => [alias, name]));
  const shape: Record<string, z.core.$ZodType> = {};
  const pairs: AliasPair[] = [];
  for (const [name, field] of Object.entries(schema.shape)) {
    const canonical = canonicalByAlias.get(name);
    if (canonical === undefined) shape[name] ??= field;
    else {
      const { optional, fallback, isRequired } = withoutDefault(field);
      shape[canonical] ??= schema.shape[canonical] ?? withDocumentedDefault(optional, fallback);
      const alias = aliasOf(canonical, optional);
      shape[name] = alias;
      if (isRequired) requiredAliases.add(alias);
      const hasBoth = canonical in schema.shape;
      pairs.push({ canonical, alias: name, hasBoth, isRequired, fallback });
    }
  }
  if (pairs.length < canonicalByAlias.size) throw new Error('an alias is no field of the schema');
  const extended = schema.clone({ ...schema._zod.def, shape } as never);
  return extended
    .superRefine((value, context) => checkPairs(pairs, value, context), checkDespiteOtherIssues)
    .check(toAliases(pairs)) as T;
}

interface AliasPair {
  readonly canonical: string;
  readonly alias: string;
  /** Whether handlers know both names. */
  readonly hasBoth: boolean;
  readonly isRequired: boolean;
  readonly fallback: unknown;
}

type Values = Readonly<Record<string, unknown>>;

function checkPairs(pairs: readonly AliasPair[], value: Values, context: z.RefinementCtx): void {
  for (const { canonical, alias, isRequired } of pairs) {
    const [preferred, other] = [value[canonical], value[alias]];
    if (preferred === undefined && other === undefined) {
      if (!isRequired || alias in value || canonical in value) continue;
      const missing = customIssueOptions('required', 'is required');
      context.addIssue({ code: 'custom', path: [alias], ...missing });
    } else if (preferred !== undefined && other !== undefined && !isEqual(preferred, other)) {
      const different = customIssueOptions(
        'invalid_format',
        `must equal ${canonical} when both are set`,
      );
      context.addIssue({ code: 'custom', path: [alias], ...different });
    }
  }
}

const isEqual = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

/** Replaces canonical names, in the order of the schema: the filters of a cursor are compared. */
function toAliases(pairs: readonly AliasPair[]): z.core.$ZodCheckOverwrite {
  const renamed = pairs.filter(({ hasBoth }) => !hasBoth);
  const byName = new Map(
    renamed.flatMap((pair) => [[pair.canonical, pair] as const, [pair.alias, pair] as const]),
  );
  const tx = (value: unknown): unknown => {
    const given = value as Values;
    const entries = new Map<string, unknown>();
    for (const [name, field] of Object.entries(given)) {
      const pair = byName.get(name);
      if (pair === undefined) entries.set(name, field);
      else entries.set(pair.alias, given[pair.canonical] ?? given[pair.alias]);
    }
    for (const { alias, fallback } of renamed) {
      if (fallback !== undefined && entries.get(alias) === undefined) entries.set(alias, fallback);
    }
    return Object.fromEntries(entries);
  };
  return new z.core.$ZodCheckOverwrite({ check: 'overwrite', tx, ...checkDespiteOtherIssues });
}

/** A field that may be missing; its default is applied when both names are known. */
function withoutDefault(field: z.core.$ZodType) {
  const { def } = (field as z.core.$ZodTypes)._zod;
  if (def.type === 'optional') return { optional: field, fallback: undefined, isRequired: false };
  const isDefault = def.type === 'default';
  const optional = z.optional(isDefault ? def.innerType : field);
  const meta = z.globalRegistry.get(field as z.ZodType);
  return {
    optional: isDefault && meta ? optional.meta(meta) : optional,
    fallback: isDefault ? def.defaultValue : undefined,
    isRequired: !isDefault,
  };
}

function withDocumentedDefault(field: z.core.$ZodType, value: unknown): z.core.$ZodType {
  if (value === undefined) return field;
  const meta = z.globalRegistry.get(field as z.ZodType);
  return (field as z.ZodType).meta({ ...meta, default: value });
}

/** The names in snake_case for the fields of a schema that has them in camelCase. */
export const snakeCaseNames = (
  { shape }: z.ZodObject,
  except: readonly string[] = [],
): AliasNames =>
  Object.fromEntries(
    Object.keys(shape)
      .filter((name) => /[A-Z]/.test(name) && !except.includes(name))
      .map((name) => [name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), name]),
  );

/** A request with fields in camelCase that accepts their names in snake_case. */
export const withSnakeCaseNames = <T extends z.ZodObject>(schema: T): T =>
  withCanonicalNames(schema, snakeCaseNames(schema));
