import type { FieldError } from '@mneme/contract';
import type { z } from 'zod';

type Kind = 'number' | 'boolean' | 'array' | 'object' | 'text';
type Definition = { type: string; innerType?: z.ZodType };

/** The kind of a schema without its defaults, optionality and checks. */
function fieldKind(schema: z.ZodType): Kind {
  const definition = schema._zod.def as unknown as Definition;
  switch (definition.type) {
    case 'number':
    case 'int':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      return 'array';
    // Custom pairs are an object with a check of the contract.
    case 'object':
    case 'custom':
      return 'object';
    case 'default':
    case 'optional':
    case 'nullable':
      return definition.innerType ? fieldKind(definition.innerType) : 'text';
    default:
      return 'text';
  }
}

const number = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Converts query texts to the types of the contract: numbers, "true" and "false", comma-separated
 * lists. A text that does not match its type is not converted, so that the schema rejects it.
 */
export function parseQueryParameters(
  schema: z.ZodType,
  raw: Readonly<Record<string, unknown>>,
): unknown {
  const shape = 'shape' in schema ? (schema.shape as Record<string, z.ZodType>) : {};
  return Object.fromEntries(
    Object.entries(raw).map(([name, value]) => {
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
      return [name, field ? parseValue(fieldKind(field), value) : value];
    }),
  );
}

function parseValue(kind: Kind, value: unknown): unknown {
  if (kind === 'array') {
    return (Array.isArray(value) ? value : [value]).flatMap((text) => String(text).split(','));
  }
  if (typeof value !== 'string') return value;
  if (kind === 'number') return number.test(value) ? Number(value) : value;
  if (kind === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

/** Like `parseQueryParameters` for the fields of a form, with lists and objects as JSON. */
export function parseFormFields(
  schema: z.ZodType,
  texts: Readonly<Record<string, string>>,
): { values: Record<string, unknown>; faults: Record<string, FieldError> } {
  const shape = 'shape' in schema ? (schema.shape as Record<string, z.ZodType>) : {};
  // Maps, because a field may be named `__proto__`.
  const values = new Map<string, unknown>();
  const errors = new Map<string, FieldError>();
  for (const [name, text] of Object.entries(texts)) {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    const kind = field ? fieldKind(field) : 'text';
    if (kind !== 'array' && kind !== 'object') values.set(name, parseValue(kind, text));
    else {
      try {
        values.set(name, JSON.parse(text) as unknown);
      } catch {
        errors.set(name, { code: 'invalid_format', message: 'must be JSON' });
      }
    }
  }
  return { values: Object.fromEntries(values), faults: Object.fromEntries(errors) };
}
