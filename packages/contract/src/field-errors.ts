import type { z } from 'zod';
import type { CustomIssueParams, FieldError, FieldErrorCode } from './errors.ts';
import { limits } from './limits.ts';
import { type Bounds, boundsAt } from './schema-bounds.ts';

type Issue = z.core.$ZodIssue;

/**
 * Converts the Zod issues of `input` to field errors, by dotted path below `prefix`; `body` stands
 * for the input itself. Reports the first issue of each field, and at most `limits.fieldErrorsMax`
 * fields.
 */
export const toFieldErrors = (
  schema: z.ZodType,
  issues: readonly Issue[],
  input: unknown,
  prefix = '',
): Record<string, FieldError> =>
  collectFieldErrors(schema, issues, input, { prefix, root: 'body', max: limits.fieldErrorsMax });

/**
 * Like `toFieldErrors`, for an item of a batch: paths are relative to the item, and the item itself
 * has an empty path. Reports at most `limits.itemFieldErrorsMax` fields.
 */
export const toItemFieldErrors = (
  schema: z.ZodType,
  issues: readonly Issue[],
  input: unknown,
): Record<string, FieldError> =>
  collectFieldErrors(schema, issues, input, {
    prefix: '',
    root: '',
    max: limits.itemFieldErrorsMax,
  });

function collectFieldErrors(
  schema: z.ZodType,
  issues: readonly Issue[],
  input: unknown,
  { prefix, root, max }: { prefix: string; root: string; max: number },
): Record<string, FieldError> {
  const errors: Record<string, FieldError> = {};
  let remaining = max;
  const add = (path: readonly PropertyKey[], error: FieldError): void => {
    const name = [...(prefix ? [prefix] : []), ...path.map(truncatedName)].join('.') || root;
    if (remaining === 0 || Object.hasOwn(errors, name)) return;
    remaining -= 1;
    Object.defineProperty(errors, name, ownProperty(error));
  };
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) {
        add([...issue.path, key], { code: 'unknown_field', message: 'is not a known field' });
      }
    } else {
      const bounds = isRange(issue) ? boundsAt(schema, issue.path) : {};
      add(issue.path, toFieldError(issue, valueAt(input, issue.path), bounds));
    }
  }
  return errors;
}

/** Limits the size of the response: a name can be megabytes long. */
function truncatedName(part: PropertyKey): string {
  const name = String(part);
  if (name.length <= limits.fieldNameCharactersMax) return name;
  return `${name.slice(0, limits.fieldNameCharactersMax).toWellFormed()}…`;
}

/** A property descriptor, because assignment would not create a field named `__proto__`. */
const ownProperty = (value: FieldError): PropertyDescriptor => ({
  value,
  enumerable: true,
  configurable: true,
  writable: true,
});

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

type RangeIssue = Extract<Issue, { code: 'too_big' | 'too_small' }>;
const isRange = (issue: Issue): issue is RangeIssue =>
  issue.code === 'too_big' || issue.code === 'too_small';

function toFieldError(issue: Issue, value: unknown, bounds: Bounds = {}): FieldError {
  if (value === undefined && issue.code !== 'custom') {
    return { code: 'required', message: 'is required' };
  }
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'int' && typeof value === 'number'
        ? { code: 'invalid_type', message: 'must be an integer', ...receivedValue(value) }
        : {
            code: 'invalid_type',
            message: `must be of type ${issue.expected}`,
            ...receivedValue(value),
          };
    case 'too_big':
    case 'too_small':
      return toRangeError(issue, value, bounds);
    case 'invalid_value':
      return typeof value === typeof issue.values[0]
        ? {
            code: 'invalid_enum_value',
            message: `must be one of ${issue.values.join(', ')}`,
            ...receivedValue(value),
          }
        : { code: 'invalid_type', message: `must be of type ${typeof issue.values[0]}` };
    case 'invalid_union':
      return toUnionError(issue, value);
    case 'custom':
      return toCustomError(issue, value);
    case 'invalid_key': {
      const [keyIssue] = issue.issues;
      return toFieldError(keyIssue as Issue, issue.path.at(-1));
    }
    default:
      return { code: 'invalid_format', message: issue.message, ...receivedValue(value) };
  }
}

/** Reports both bounds where both exist; for a text that is too long, only the maximum. */
function toRangeError(issue: RangeIssue, value: unknown, { min, max }: Bounds): FieldError {
  const isList = Array.isArray(value);
  const unit = isList ? ' items' : typeof value === 'string' ? ' characters' : '';
  const isTooBig = issue.code === 'too_big';
  const bound = Number(isTooBig ? issue.maximum : issue.minimum);
  const isTooLong = isTooBig && typeof value === 'string';
  return {
    code: isTooLong ? 'field_too_long' : 'invalid_range',
    message: `must ${unit ? 'have' : 'be'} at ${isTooBig ? 'most' : 'least'} ${bound}${unit}`,
    ...(isList ? { received: value.length } : receivedValue(value)),
    ...(min === undefined || isTooLong ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(isTooBig ? { max: bound } : { min: bound }),
  };
}

/** Reports the first branch whose type matches but whose value does not. */
function toUnionError(
  issue: Extract<Issue, { code: 'invalid_union' }>,
  value: unknown,
): FieldError {
  for (const branch of issue.errors) {
    const custom = branch.find(({ code }) => code === 'custom');
    if (custom) return toFieldError(custom, value);
  }
  return { code: 'invalid_type', message: 'has the wrong type', ...receivedValue(value) };
}

function toCustomError(issue: Extract<Issue, { code: 'custom' }>, value: unknown): FieldError {
  const params = issue.params as CustomIssueParams | undefined;
  const code: FieldErrorCode = params?.code ?? 'invalid_format';
  return {
    code: value === undefined && code === 'invalid_type' ? 'required' : code,
    message: issue.message,
    ...(code === 'invalid_characters' ? {} : receivedValue(value)),
    ...(params?.min === undefined ? {} : { min: params.min }),
    ...(params?.max === undefined ? {} : { max: params.max }),
  };
}

/** Echoes short scalars; long or nested values would only enlarge the response. */
function receivedValue(value: unknown): { received?: unknown } {
  if (typeof value === 'string') {
    return value.length <= 100 && value.isWellFormed() ? { received: value } : {};
  }
  return typeof value === 'number' || typeof value === 'boolean' ? { received: value } : {};
}
