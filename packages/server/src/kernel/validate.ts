import { type FieldError, toFieldErrors, type ValidatedItem } from '@mneme/contract';
import type { z } from 'zod';
import { validationError } from './errors.ts';

/** Parses an input. Throws 422 with all invalid fields; `prefix` starts their dotted paths. */
export function validate<S extends z.ZodType>(schema: S, input: unknown, prefix = ''): z.output<S> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw validationError(toFieldErrors(schema, result.error.issues, input, prefix));
}

/** The value of a validated item. Throws 422 with its errors under `prefix`. */
export function requireValidItem<T>(item: ValidatedItem<T>, prefix = ''): T {
  if ('value' in item) return item.value;
  throw validationError(prefixed(item.errors, prefix));
}

/** Uses `fromEntries`, because a field may be named `__proto__`. */
const prefixed = (errors: Record<string, FieldError>, prefix: string) =>
  Object.fromEntries(
    Object.entries(errors).map(([name, error]) => [joinPath(prefix, name), error]),
  );

const joinPath = (prefix: string, name: string): string =>
  [prefix, name].filter((part) => part !== '').join('.') || 'body';
