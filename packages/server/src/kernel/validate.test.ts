import { createMemoryBody, fieldErrorCodes, listMemoriesQuery, metadata } from '@mneme/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AppError } from './errors.ts';
import { validate } from './validate.ts';

/** The field errors of an invalid input. */
function faultsOf(schema: z.ZodType, input: unknown, prefix?: string): Record<string, unknown> {
  try {
    validate(schema, input, prefix);
  } catch (error) {
    if (error instanceof AppError) return error.details?.fields as Record<string, unknown>;
    throw error;
  }
  return {};
}

const at = (fields: Record<string, unknown>, name: string) => fields[name] as object | undefined;

describe('validate', () => {
  it('returns the parsed value with defaults', () => {
    expect(validate(listMemoriesQuery, {})).toEqual({
      include_deleted: false,
      sort: 'created_at',
      order: 'desc',
      limit: 20,
    });
  });

  it('throws 422 validation_error', () => {
    expect(() => validate(createMemoryBody, {})).toThrow(
      expect.objectContaining({ code: 'validation_error', status: 422 }),
    );
  });

  it.each<[unknown, string, object]>([
    [{}, 'content', { code: 'required', message: 'is required' }],
    [{ content: null }, 'content', { code: 'invalid_type' }],
    [{ content: '' }, 'content', { code: 'invalid_range', min: 1 }],
    [{ content: '\ud800' }, 'content', { code: 'invalid_characters' }],
    [{ content: 'x', priority: 1.5 }, 'priority', { code: 'invalid_type', received: 1.5 }],
    [{ content: 'x', priority: 11 }, 'priority', { code: 'invalid_range', max: 10, received: 11 }],
    [{ content: 'x', priority: '1' }, 'priority', { code: 'invalid_type', received: '1' }],
    [{ content: 'x', type: 'poem' }, 'type', { code: 'invalid_enum_value', received: 'poem' }],
    [{ content: 'x', type: 5 }, 'type', { code: 'invalid_type' }],
    [{ content: 'x', tags: ['a', ''] }, 'tags.1', { code: 'invalid_range', min: 1 }],
    [{ content: 'x', tags: ['y'.repeat(256)] }, 'tags.0', { code: 'field_too_long', max: 255 }],
    [{ content: 'x', tags: Array(101).fill('y') }, 'tags', { code: 'invalid_range', max: 100 }],
    [{ content: 'x', space_id: 'mine' }, 'space_id', { code: 'invalid_format', received: 'mine' }],
    [{ content: 'x', space_id: 5 }, 'space_id', { code: 'invalid_type', received: 5 }],
    [{ content: 'x', occurred_at: 'soon' }, 'occurred_at', { code: 'invalid_format' }],
    [{ content: 'x', metadata: [] }, 'metadata', { code: 'invalid_type' }],
    [{ content: 'x', color: 1 }, 'color', { code: 'unknown_field' }],
    [{ content: 'x', type: 'text', content_type: 'url' }, 'type', { code: 'invalid_format' }],
  ])('for %j reports the error in %s', (input, name, fault) => {
    const faults = faultsOf(createMemoryBody, input);
    expect(Object.keys(faults)).toEqual([name]);
    expect(at(faults, name)).toMatchObject(fault);
  });

  it('starts the names with the prefix, and uses only the prefix for the root', () => {
    expect(Object.keys(faultsOf(createMemoryBody, { tags: [5] }, 'memories.3')).sort()).toEqual([
      'memories.3.content',
      'memories.3.tags.0',
    ]);
    expect(Object.keys(faultsOf(metadata, 5, 'metadata'))).toEqual(['metadata']);
    expect(Object.keys(faultsOf(z.strictObject({}), 5))).toEqual(['body']);
  });

  it('reports only the first error of a field', () => {
    const schema = z.object({ a: z.string().min(5).regex(/^x/) });
    expect(faultsOf(schema, { a: 'y' })).toEqual({
      a: {
        code: 'invalid_range',
        message: 'must have at least 5 characters',
        received: 'y',
        min: 5,
      },
    });
  });

  it('shows the received value only if it is a short scalar', () => {
    const tags = (value: unknown) =>
      at(faultsOf(createMemoryBody, { content: 'x', tags: value }), 'tags');
    expect(tags('short')).toMatchObject({ received: 'short' });
    expect(tags('y'.repeat(101))).not.toHaveProperty('received');
    expect(tags({ a: 1 })).not.toHaveProperty('received');
    expect(
      at(faultsOf(createMemoryBody, { content: 5, tags: ['\u0000'] }), 'tags.0'),
    ).not.toHaveProperty('received');
  });

  it('reports the requirement that a key violates', () => {
    const short = z.string().refine((key) => key.length < 3, 'must be short');
    const faults = faultsOf(z.strictObject({ all: z.record(short, z.int()) }), {
      all: { ok: 1, long: 2 },
    });
    const fault = { code: 'invalid_format', message: 'must be short', received: 'long' };
    expect(faults).toEqual({ 'all.long': fault });
  });

  it('reports a field __proto__ like any other', () => {
    const faults = faultsOf(createMemoryBody, JSON.parse('{"content":"x","__proto__":1}'));
    expect(Object.keys(faults)).toEqual(['__proto__']);
  });

  it('accepts any JSON, and rejects it only with known codes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (input) => {
        for (const fault of Object.values(faultsOf(createMemoryBody, input))) {
          expect(fieldErrorCodes).toContain((fault as { code: string }).code);
          expect((fault as { message: string }).message).not.toBe('');
        }
      }),
    );
  });
});
