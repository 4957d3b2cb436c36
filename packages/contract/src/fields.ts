import { z } from 'zod';
import type { CustomIssueParams, FieldError, FieldErrorCode } from './errors.ts';
import { toItemFieldErrors } from './field-errors.ts';
import { limits } from './limits.ts';
import { characterCount, isStorableText, utf8Bytes } from './text.ts';
import { parseTimestamp } from './timestamp.ts';

/** Options for `refine`: the message of a custom check, its field error code and its bounds. */
export const customIssueOptions = (
  code: FieldErrorCode,
  message: string,
  bounds: { min?: number; max?: number } = {},
) => ({
  message,
  params: { code, ...bounds } satisfies CustomIssueParams,
});

/** Schema of storable text; the inclusive bounds count Unicode code points. */
export function storableText(bounds: { min?: number; max?: number } = {}) {
  const { min = 0, max } = bounds;
  let schema = z
    .string()
    .refine(
      isStorableText,
      customIssueOptions('invalid_characters', 'must be valid Unicode without U+0000'),
    );
  if (min > 0) {
    schema = schema.refine(
      (value) => characterCount(value) >= min,
      customIssueOptions(
        'invalid_range',
        `must have at least ${min} character${min > 1 ? 's' : ''}`,
        {
          min,
          ...(max === undefined ? {} : { max }),
        },
      ),
    );
  }
  if (max !== undefined) {
    schema = schema.refine(
      (value) => characterCount(value) <= max,
      customIssueOptions('field_too_long', `must have at most ${max} characters`, { max }),
    );
  }
  return schema.meta({ ...(min ? { minLength: min } : {}), ...(max ? { maxLength: max } : {}) });
}

export const mailAddress = storableText({ min: 3, max: 254 })
  .refine(
    (value) => /^[^\s@<>]+@[^\s@<>]+$/.test(value),
    customIssueOptions('invalid_format', 'must be an email address'),
  )
  .meta({ format: 'email' });

const uuidPattern =
  /^(?:[a-z]{2,4}_)?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i;
const prefixes = { memory: ['mem_'], relationship: ['rel_'], webhook: ['wh_', 'whk_'], other: [] };
export type IdKind = keyof typeof prefixes;

/**
 * Returns the bare UUID in lower case, or null for a text that is neither a UUID nor an id with a
 * prefix of this kind.
 */
export function parseId(value: string, kind: IdKind): string | null {
  const bare = uuidPattern.exec(value)?.[1];
  if (bare === undefined) return null;
  const prefix = value.slice(0, value.length - bare.length);
  const known: readonly string[] = prefixes[kind];
  return prefix === '' || known.includes(prefix) ? bare.toLowerCase() : null;
}

/** Schema of an id: accepts the bare and the prefixed form, and returns the bare one. */
export const idInput = (kind: IdKind) =>
  z
    .string()
    .refine(
      (value) => parseId(value, kind) !== null,
      customIssueOptions('invalid_format', 'must be a UUID'),
    )
    .transform((value) => parseId(value, kind) ?? value)
    .meta({ format: 'uuid' });

/** A space in a body: an id, or null or "default" for the account level. Parsed: a UUID or null. */
export const spaceRef = z
  .union([
    z.null(),
    z
      .string()
      .refine(
        (value) => value === 'default' || parseId(value, 'other') !== null,
        customIssueOptions('invalid_format', 'must be a UUID, "default" or null'),
      )
      .transform((value) => (value === 'default' ? null : parseId(value, 'other'))),
  ])
  .meta({ description: 'Space id; null or "default" means the account level.' });

/** A space in a query: like `spaceRef`, with "null" as text. */
export const spaceFilter = z
  .string()
  .refine(
    (value) => value === 'default' || value === 'null' || parseId(value, 'other') !== null,
    customIssueOptions('invalid_format', 'must be a UUID, "default" or "null"'),
  )
  .transform((value) => parseId(value, 'other'))
  .meta({ description: 'Space id; "null" or "default" means the account level.' });

/** A timestamp in a request, as `parseTimestamp` reads it. Parsed: a Date. */
export const timestampInput = z
  .string()
  .refine(
    (value) => parseTimestamp(value) !== null,
    customIssueOptions('invalid_format', 'must be an ISO 8601 date or time with an offset or Z'),
  )
  .transform((value) => parseTimestamp(value) as Date)
  .meta({ format: 'date-time' });

/** Schema of an integer with inclusive bounds. */
export const integer = (bounds: { min: number; max: number }) =>
  z.int().min(bounds.min).max(bounds.max);
export const ratio = z.number().min(0).max(1);

/** No length check: an invalid cursor is 400 invalid_request instead of a field error. */
export const cursor = z.string().meta({ minLength: 1, maxLength: 1_000 });

export const limitField = (bounds: { max: number; fallback: number }) =>
  integer({ min: 1, max: bounds.max }).default(bounds.fallback);
export const offsetField = integer({ min: 0, max: 1_000_000 }).default(0);

/** Page size of a list without limits of its own. */
export const pageLimit = limitField({ max: limits.pageMax, fallback: limits.pageDefault });
/** Query fields of a list that is paginated by offset. */
export const pageFields = { limit: pageLimit, offset: offsetField };
export const listQuery = z.strictObject(pageFields);

/** Path parameters of a resource whose ids have no prefix. */
export const idParams = z.strictObject({ id: idInput('other') });
export const confirmQuery = z.strictObject({ confirm: z.boolean().default(false) });

/**
 * Options for a check of several fields that also runs if other fields are invalid, so that one
 * response reports all errors.
 */
export const checkDespiteOtherIssues = {
  when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
};

export const tags = z
  .array(storableText({ min: 1, max: limits.tagCharactersMax }))
  .max(limits.tagsPerMemoryMax);

type JsonIssue = { path: (string | number)[]; code: FieldErrorCode; message: string; max?: number };

function findJsonIssue(value: unknown, path: (string | number)[], depth: number): JsonIssue | null {
  if (typeof value === 'string' && !isStorableText(value)) {
    return { path, code: 'invalid_characters', message: 'must be valid Unicode without U+0000' };
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return { path, code: 'invalid_range', message: 'must be a finite number' };
  }
  if (value === null || typeof value !== 'object') return null;
  if (depth === 0) {
    const max = limits.metadataDepthMax;
    return {
      path,
      code: 'invalid_range',
      message: `must be nested at most ${max} levels deep`,
      max,
    };
  }
  for (const [key, child] of Object.entries(value)) {
    if (!isStorableText(key)) {
      return { path, code: 'invalid_characters', message: 'has a key that is not valid Unicode' };
    }
    const found = findJsonIssue(child, [...path, key], depth - 1);
    if (found) return found;
  }
  return null;
}

export type JsonObject = Record<string, unknown>;

/** Custom pairs: a JSON object of bounded size and depth, stored unchanged. */
export const metadata = z
  .custom<JsonObject>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    {
      message: 'must be an object',
      params: { code: 'invalid_type' } satisfies CustomIssueParams,
    },
  )
  .superRefine((value, context) => {
    if (typeof value !== 'object' || value === null) return;
    const found = findJsonIssue(value, [], limits.metadataDepthMax);
    const tooLong = found === null && utf8Bytes(JSON.stringify(value)) > limits.metadataBytesMax;
    const problem: JsonIssue | null = tooLong
      ? {
          path: [],
          code: 'field_too_long',
          message: `must have at most ${limits.metadataBytesMax} bytes as JSON`,
          max: limits.metadataBytesMax,
        }
      : found;
    if (problem === null) return;
    context.addIssue({
      code: 'custom',
      path: problem.path,
      message: problem.message,
      params: {
        code: problem.code,
        ...(problem.max === undefined ? {} : { max: problem.max }),
      } satisfies CustomIssueParams,
    });
  })
  .meta({ override: { type: 'object', additionalProperties: true } });

/** A timestamp in a response: ISO 8601 in UTC with milliseconds. */
export const timestampOutput = z.string().meta({ format: 'date-time' });
export const idOutput = z.string().meta({ format: 'uuid' });
export const jsonObjectOutput = z.record(z.string(), z.unknown());
export const pagination = z.object({
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
  has_more: z.boolean(),
});

/** A separately validated item of a batch; errors are keyed by dotted path within the item. */
export type ValidatedItem<T> =
  | { readonly value: T }
  | { readonly errors: Readonly<Record<string, FieldError>> };

/**
 * Validates each item of a batch separately, so that an invalid item does not reject the others.
 */
export const individuallyValidated = <T extends z.ZodType>(item: T) =>
  z
    .unknown()
    .transform((input): ValidatedItem<z.output<T>> => {
      const { success, data, error } = item.safeParse(input);
      return success ? { value: data } : { errors: toItemFieldErrors(item, error.issues, input) };
    })
    .meta({ documentedAs: item });

/** A body whose items were removed before validation: validates the list itself. */
export const rawItemsBody = (list: string) =>
  z.strictObject({ [list]: z.array(z.unknown()).min(1).max(limits.bulkItemsMax) });

/**
 * Any JSON, documented as `item`; the handler validates it, including checks that a schema cannot
 * express.
 */
export const validatedByHandler = <T extends z.ZodType>(item: T) =>
  z.unknown().meta({ documentedAs: item });

/** The error of one item of a batch. */
export const itemError = z.object({
  code: z.string(),
  message: z.string(),
  details: jsonObjectOutput.optional(),
});

/** A failed item of a batch, with its index in the request. */
export const itemFailure = z.object({
  index: z.int(),
  id: z.string().optional(),
  error: itemError,
});
