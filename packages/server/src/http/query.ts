import type { z } from 'zod';

type Kind = 'number' | 'boolean' | 'array' | 'text';
type Definition = { type: string; innerType?: z.ZodType };

/** What a schema takes once defaults, optionality and checks are peeled off. */
function kindOf(schema: z.ZodType): Kind {
  const definition = schema._zod.def as unknown as Definition;
  switch (definition.type) {
    case 'number':
    case 'int':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      return 'array';
    case 'default':
    case 'optional':
    case 'nullable':
      return definition.innerType ? kindOf(definition.innerType) : 'text';
    default:
      return 'text';
  }
}

const number = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Query texts in the types of the contract: numbers, "true" and "false", comma-separated lists.
 * What does not read as its type stays text, for the schema to refuse by name.
 */
export function readQuery(schema: z.ZodType, raw: Readonly<Record<string, unknown>>): unknown {
  const shape = 'shape' in schema ? (schema.shape as Record<string, z.ZodType>) : {};
  return Object.fromEntries(
    Object.entries(raw).map(([name, value]) => {
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
      return [name, field ? readValue(kindOf(field), value) : value];
    }),
  );
}

function readValue(kind: Kind, value: unknown): unknown {
  if (kind === 'array') {
    return (Array.isArray(value) ? value : [value]).flatMap((text) => String(text).split(','));
  }
  if (typeof value !== 'string') return value;
  if (kind === 'number') return number.test(value) ? Number(value) : value;
  if (kind === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}
