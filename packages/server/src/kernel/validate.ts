import { type FieldError, fieldErrors, type ValidatedItem } from '@mneme/contract';
import type { z } from 'zod';
import { validationError } from './errors.ts';

/** Parses or throws 422 with every faulty field; `prefix` leads the dotted paths. */
export function validate<S extends z.ZodType>(schema: S, input: unknown, prefix = ''): z.output<S> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw validationError(fieldErrors(schema, result.error.issues, input, prefix));
}

/** The value of an item that was checked on its own, or 422 with its faults under `prefix`. */
export function requireValid<T>(item: ValidatedItem<T>, prefix = ''): T {
  if ('value' in item) return item.value;
  throw validationError(prefixed(item.errors, prefix));
}

/** `fromEntries`, since a field may be called `__proto__`. */
const prefixed = (faults: Record<string, FieldError>, prefix: string) =>
  Object.fromEntries(
    Object.entries(faults).map(([name, fault]) => [joinPath(prefix, name), fault]),
  );

const joinPath = (prefix: string, name: string): string =>
  [prefix, name].filter((part) => part !== '').join('.') || 'body';
