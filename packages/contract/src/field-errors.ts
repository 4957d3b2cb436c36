import type { z } from 'zod';
import type { CustomIssueParams, FieldError, FieldErrorCode } from './errors.ts';
import { limits } from './limits.ts';
import { type Bounds, boundsAt } from './schema-bounds.ts';

type Issue = z.core.$ZodIssue;

/**
 * What `schema` found wrong with an input, by dotted paths below `prefix`; `body` is the input
 * itself. One fault per field, the first that was found, and at most `fieldFaultsMax` fields.
 */
export const fieldErrors = (
  schema: z.ZodType,
  issues: readonly Issue[],
  input: unknown,
  prefix = '',
): Record<string, FieldError> =>
  collectFieldErrors(schema, issues, input, { prefix, root: 'body', max: limits.fieldErrorsMax });

/** As `fieldFaults`, for an item whose place is added later: the item itself has an empty path. */
export const itemFieldErrors = (
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
  const faults: Record<string, FieldError> = {};
  let left = max;
  const note = (path: readonly PropertyKey[], fault: FieldError): void => {
    const name = [...(prefix ? [prefix] : []), ...path.map(truncatedName)].join('.') || root;
    if (left === 0 || Object.hasOwn(faults, name)) return;
    left -= 1;
    Object.defineProperty(faults, name, ownProperty(fault));
  };
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) {
        note([...issue.path, key], { code: 'unknown_field', message: 'is not a known field' });
      }
    } else {
      const bounds = isRange(issue) ? boundsAt(schema, issue.path) : {};
      note(issue.path, toFieldError(issue, valueAt(input, issue.path), bounds));
    }
  }
  return faults;
}

/** Whole names of megabytes would only bloat the answer. */
function truncatedName(part: PropertyKey): string {
  const name = String(part);
  if (name.length <= limits.fieldNameCharactersMax) return name;
  return `${name.slice(0, limits.fieldNameCharactersMax).toWellFormed()}…`;
}

/** defineProperty, since a field may be called `__proto__`. */
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
      const [fault] = issue.issues;
      return toFieldError(fault as Issue, issue.path.at(-1));
    }
    default:
      return { code: 'invalid_format', message: issue.message, ...receivedValue(value) };
  }
}

/** Both bounds where both exist; of a text that is too long, the longest. */
function toRangeError(issue: RangeIssue, value: unknown, { min, max }: Bounds): FieldError {
  const many = Array.isArray(value);
  const unit = many ? ' items' : typeof value === 'string' ? ' characters' : '';
  const big = issue.code === 'too_big';
  const bound = Number(big ? issue.maximum : issue.minimum);
  const tooLong = big && typeof value === 'string';
  return {
    code: tooLong ? 'field_too_long' : 'invalid_range',
    message: `must ${unit ? 'have' : 'be'} at ${big ? 'most' : 'least'} ${bound}${unit}`,
    ...(many ? { received: value.length } : receivedValue(value)),
    ...(min === undefined || tooLong ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(big ? { max: bound } : { min: bound }),
  };
}

/** Of a union, the branch that got furthest: one whose type fits but whose value does not. */
function toUnionError(
  issue: Extract<Issue, { code: 'invalid_union' }>,
  value: unknown,
): FieldError {
  for (const branch of issue.errors) {
    const custom = branch.find((one) => one.code === 'custom');
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

/** Short scalars are echoed; anything long or nested would only bloat the answer. */
function receivedValue(value: unknown): { received?: unknown } {
  if (typeof value === 'string') {
    return value.length <= 100 && value.isWellFormed() ? { received: value } : {};
  }
  return typeof value === 'number' || typeof value === 'boolean' ? { received: value } : {};
}
