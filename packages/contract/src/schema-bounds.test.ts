import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toFieldErrors, toItemFieldErrors } from './field-errors.ts';
import { integer, storableText } from './fields.ts';
import { boundsAt } from './schema-bounds.ts';

const level = integer({ min: 1, max: 10 });

describe('the bounds of a field', () => {
  it.each([
    ['a number', level, [], { min: 1, max: 10 }],
    [
      'an optional one with a default',
      level.nullable().default(1).optional(),
      [],
      { min: 1, max: 10 },
    ],
    ['a field', z.strictObject({ level }), ['level'], { min: 1, max: 10 }],
    ['an item', z.array(level), [3], { min: 1, max: 10 }],
    ['a list', z.array(z.string()).min(2).max(5), [], { min: 2, max: 5 }],
    ['a value of a record', z.record(z.string(), level), ['any'], { min: 1, max: 10 }],
    ['another field', z.object({}).catchall(level), ['any'], { min: 1, max: 10 }],
    ['a later branch of a union', z.union([z.string(), level]), [], { min: 1, max: 10 }],
    [
      'a field of an intersection',
      z.object({}).and(z.object({ level })),
      ['level'],
      { min: 1, max: 10 },
    ],
    ['what is transformed', level.transform(String), [], { min: 1, max: 10 }],
    ['what refers to itself', z.lazy(() => z.object({ level })), ['level'], { min: 1, max: 10 }],
    ['one bound alone', z.number().min(0), [], { min: 0 }],
    ['an integer without bounds', z.int(), [], {}],
    ['a field that there is not', z.strictObject({ level }), ['lever', 'x'], {}],
    ['what has no fields', z.string(), ['level'], {}],
  ] as const)('of %s', (_what, schema, path, bounds) => {
    expect(boundsAt(schema, path)).toEqual(bounds);
  });
});

describe('a value out of range', () => {
  const schema = z.strictObject({
    level: level.optional(),
    tags: z
      .array(storableText({ min: 2, max: 50 }))
      .max(3)
      .min(1)
      .optional(),
    weight: z.number().min(0).optional(),
  });
  const faultsOf = (input: object) =>
    toFieldErrors(schema, schema.safeParse(input).error?.issues ?? [], input);

  it.each([
    ['too small', { level: 0 }, 'level', { min: 1, max: 10, received: 0 }],
    ['too large', { level: 11 }, 'level', { min: 1, max: 10, received: 11 }],
    ['too few items', { tags: [] }, 'tags', { min: 1, max: 3, received: 0 }],
    ['too many items', { tags: ['aa', 'bb', 'cc', 'dd'] }, 'tags', { min: 1, max: 3, received: 4 }],
    ['a text that is too short', { tags: ['a'] }, 'tags.0', { min: 2, max: 50, received: 'a' }],
    ['with one bound alone', { weight: -1 }, 'weight', { min: 0, received: -1 }],
  ])('has both bounds where both exist: %s', (_what, input, field, fault) => {
    expect(faultsOf(input)).toEqual({
      [field]: { code: 'invalid_range', message: expect.any(String), ...fault },
    });
  });

  it('has them as an item of a batch, too', () => {
    const { error } = schema.safeParse({ level: 0 });
    expect(toItemFieldErrors(schema, error?.issues ?? [], { level: 0 })).toMatchObject({
      level: { min: 1, max: 10 },
    });
  });

  it('has the longest length alone where a text is too long', () => {
    const [fault] = Object.values(faultsOf({ tags: ['x'.repeat(51)] }));
    expect(fault).toMatchObject({ code: 'field_too_long', max: 50 });
    expect(fault).not.toHaveProperty('min');
  });
});
