import type { z } from 'zod';

/** Inclusive bounds of a number, a length or an item count. */
export interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

type Schema = z.core.$ZodType;

/**
 * The inclusive bounds that a schema sets at a path: of the number itself, else of its length. For
 * a union, the bounds of the first branch that has any.
 */
export function boundsAt(schema: Schema, path: readonly PropertyKey[]): Bounds {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return boundsAt(def.innerType, path);
    case 'pipe':
      return boundsAt(def.in, path);
    case 'lazy':
      return boundsAt(def.getter(), path);
    case 'union':
      return firstBounds(def.options, path);
    case 'intersection':
      return firstBounds([def.left, def.right], path);
    default:
      return path.length === 0 ? ownBounds(schema) : boundsWithin(schema, path);
  }
}

function firstBounds(schemas: readonly Schema[], path: readonly PropertyKey[]): Bounds {
  const bounds = schemas.map((schema) => boundsAt(schema, path));
  return bounds.find(({ min, max }) => min !== undefined || max !== undefined) ?? {};
}

function boundsWithin(schema: Schema, [key = '', ...rest]: readonly PropertyKey[]): Bounds {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const within =
    def.type === 'object'
      ? (def.shape[key as string] ?? def.catchall)
      : def.type === 'array'
        ? def.element
        : def.type === 'record'
          ? def.valueType
          : undefined;
  return within ? boundsAt(within, rest) : {};
}

/** The tightest bounds among the checks of the schema itself. */
function ownBounds(schema: Schema): Bounds {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const mins: number[] = [];
  const maxs: number[] = [];
  for (const { _zod } of (def.checks ?? []) as z.core.$ZodChecks[]) {
    const check = _zod.def;
    if (check.check === 'greater_than' && check.inclusive) mins.push(Number(check.value));
    if (check.check === 'less_than' && check.inclusive) maxs.push(Number(check.value));
    if (check.check === 'min_length') mins.push(check.minimum);
    if (check.check === 'max_length') maxs.push(check.maximum);
  }
  return {
    ...(mins.length > 0 ? { min: Math.max(...mins) } : {}),
    ...(maxs.length > 0 ? { max: Math.min(...maxs) } : {}),
  };
}
