import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { aliasOf, withCanonicalNames, withSnakeCaseNames } from './aliases.ts';
import {
  addCanonicalFields,
  withCanonicalFields,
  withSnakeCaseFields,
} from './canonical-fields.ts';
import { individuallyValidated, integer, timestampInput, validatedByHandler } from './fields.ts';
import { findAliases } from './find-aliases.ts';
import { toFieldErrors } from './index.ts';

const rule = withCanonicalNames(
  z.strictObject({
    n: z.int(),
    emailPattern: z.string().min(2),
    expiresIn: integer({ min: 1, max: 5 }).default(3),
    since: timestampInput.optional(),
  }),
  { email_pattern: 'emailPattern', expires_in: 'expiresIn', after: 'since' },
);
const errorsOf = (schema: z.ZodType, input: object) =>
  toFieldErrors(schema, schema.safeParse(input).error?.issues ?? [], input);

describe('a request with canonical names', () => {
  const since = new Date('2026-01-05T00:00:00.000Z');
  it.each([
    ['names', { n: 1, email_pattern: 'ab', expires_in: 5, after: '2026-01-05' }],
    ['aliases', { n: 1, emailPattern: 'ab', expiresIn: 5, since: '2026-01-05' }],
    [
      'both',
      {
        n: 1,
        emailPattern: 'ab',
        email_pattern: 'ab',
        expiresIn: 5,
        after: '2026-01-05',
        since: '2026-01-05T00:00Z',
      },
    ],
  ])('is the same for the handler by its %s', (_what, input) => {
    expect(rule.parse(input)).toEqual({ n: 1, emailPattern: 'ab', expiresIn: 5, since });
    // In this order too, as the filters of a cursor are compared.
    expect(Object.keys(rule.parse(input))).toEqual(['n', 'emailPattern', 'expiresIn', 'since']);
  });

  it('has the default of a field under neither name', () => {
    expect(rule.parse({ n: 1, emailPattern: 'ab' })).toMatchObject({ expiresIn: 3 });
  });

  it('refuses different values together with all other errors, and names the alias', () => {
    const input = { n: 'x', emailPattern: 'ab', email_pattern: 'cd', expires_in: 5 };
    expect(errorsOf(rule, input)).toMatchObject({
      n: { code: 'invalid_type' },
      emailPattern: {
        code: 'invalid_format',
        message: 'must equal email_pattern when both are set',
        received: 'ab',
      },
    });
  });

  it('names the field as it was sent in the error of its value', () => {
    expect(errorsOf(rule, { n: 1, email_pattern: 'a', expires_in: 6 })).toEqual({
      email_pattern: expect.objectContaining({ code: 'invalid_range' }),
      expires_in: expect.objectContaining({ code: 'invalid_range', min: 1, max: 5 }),
    });
  });

  it('requires one of the two names of a required field', () => {
    expect(errorsOf(rule, { n: 'x' })).toMatchObject({
      n: { code: 'invalid_type' },
      emailPattern: { code: 'required' },
    });
    expect(errorsOf(rule, { n: 1, email_pattern: 'ab', other: 1 })).toMatchObject({
      other: { code: 'unknown_field' },
    });
  });

  it('leaves both to a handler that knows both', () => {
    const known = withCanonicalNames(
      z.strictObject({ weight: z.number().optional(), strength: z.number().optional() }),
      { weight: 'strength' },
    );
    expect(known.parse({ weight: 1 })).toEqual({ weight: 1 });
    expect(known.parse({ strength: 1 })).toEqual({ strength: 1 });
    expect(errorsOf(known, { weight: 1, strength: 2 })).toHaveProperty('strength');
  });

  it('is checked further under the names of the handler, whatever else is wrong', () => {
    const checked = withSnakeCaseNames(
      z.strictObject({ n: z.int(), ruleType: z.string() }),
    ).superRefine(({ ruleType }, context) => {
      if (ruleType === 'block') context.addIssue({ code: 'custom', path: ['n'], message: 'no' });
    });
    expect(checked.safeParse({ n: 1, rule_type: 'block' }).error?.issues).toHaveLength(1);
  });

  it('cannot have an alias that is no field', () => {
    expect(() => withCanonicalNames(z.strictObject({}), { a: 'b' })).toThrow('no field');
  });
});

describe('the aliases of a request', () => {
  const batch = z.strictObject({
    rules: z.array(rule).optional(),
    items: z.array(individuallyValidated(rule)).optional(),
    queries: z.array(validatedByHandler(rule)).optional(),
    part: rule.nullable().default(null),
    free: z.record(z.string(), z.unknown()).optional(),
  });
  it.each([
    ['at its top', rule, { emailPattern: 1, n: 1 }, ['emailPattern']],
    ['in a list', batch, { rules: [{ n: 1 }, { since: 'x' }] }, ['since']],
    ['in items that are validated on their own', batch, { items: [{ since: 'x' }] }, ['since']],
    ['in what a handler validates', batch, { queries: [{ since: 'x' }] }, ['since']],
    ['in a part', batch, { part: { expiresIn: 1, since: 'x' } }, ['expiresIn', 'since']],
    ['not among names', rule, { email_pattern: 1, n: 1 }, []],
    ['not in free data', batch, { free: { since: 'x' } }, []],
    ['not in a body of another shape', batch, [{ since: 'x' }], []],
    ['not in a request without a schema', undefined, { since: 'x' }, []],
  ] as const)('are found %s', (_where, schema, sent, names) => {
    expect(findAliases(schema, sent)).toEqual(names);
  });
});

describe('a response with canonical names', () => {
  const link = withSnakeCaseFields(z.object({ url: z.string(), expiresIn: z.int() }));
  const file = withSnakeCaseFields(z.object({ size: z.int(), bodyPlain: z.string() }), {
    others: { file_size: 'size' },
    except: ['bodyPlain'],
  });

  it('has them in addition to what a handler returns', () => {
    const value = { url: 'x', expiresIn: 5 };
    expect(addCanonicalFields(link, value)).toEqual({ ...value, expires_in: 5 });
    expect(value).toEqual({ url: 'x', expiresIn: 5 });
    const sent = { size: 1, bodyPlain: 'x' };
    expect(addCanonicalFields(file, sent)).toEqual({ ...sent, file_size: 1 });
  });

  it('has them wherever the schema has them', () => {
    const schema = z.object({
      links: z.array(link).optional(),
      one: z.union([z.null(), link]),
      event: aliasOf('event_type', z.string()),
    });
    const value = { links: [{ url: 'x', expiresIn: 1 }], one: null, event: 'both are returned' };
    expect(addCanonicalFields(schema, value)).toEqual({
      ...value,
      links: [{ url: 'x', expiresIn: 1, expires_in: 1 }],
    });
    expect(addCanonicalFields(schema, { one: { expiresIn: 2 } })).toEqual({
      one: { expiresIn: 2, expires_in: 2 },
    });
  });

  it('is the same object where the schema has no such names', () => {
    const value = { data: [{ n: 1 }] };
    expect(addCanonicalFields(z.object({ data: z.array(z.object({ n: z.int() })) }), value)).toBe(
      value,
    );
  });

  it('has a name that handlers return, too, as they return it', () => {
    const schema = withCanonicalFields(z.object({ attempt: z.int(), attempt_count: z.int() }), {
      attempt_count: 'attempt',
    });
    const value = { attempt: 1, attempt_count: 1 };
    expect(addCanonicalFields(schema, value)).toBe(value);
  });
});
