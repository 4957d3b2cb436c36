import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { toFieldErrors } from '../field-errors.ts';
import { createCliSessionBody, patchCliSessionBody } from './cli-sessions.ts';

const smile = '\u{1f600}';
const wide = (characters: number): string => smile.repeat(characters);
const tagsOf = (count: number) => Array.from({ length: count }, (_, i) => `tag ${i}`);

/** What create and PATCH refuse alike. */
const faulty: readonly (readonly [string, object, object])[] = [
  ['name is empty', { name: '' }, { name: { code: 'invalid_range', min: 1 } }],
  ['name is null', { name: null }, { name: { code: 'invalid_type' } }],
  ['name has 201 characters', { name: wide(201) }, { name: { code: 'field_too_long', max: 200 } }],
  ['name holds U+0000', { name: 'a\u0000' }, { name: { code: 'invalid_characters' } }],
  [
    'description has 1001 characters',
    { description: wide(1_001) },
    { description: { code: 'field_too_long', max: 1_000 } },
  ],
  ['there are 11 tags', { tags: tagsOf(11) }, { tags: { code: 'invalid_range', max: 10 } }],
  [
    'a tag has 51 characters',
    { tags: ['ok', wide(51)] },
    { 'tags.1': { code: 'field_too_long', max: 50 } },
  ],
  ['a tag is empty', { tags: [''] }, { 'tags.0': { code: 'invalid_range' } }],
  ['tags is a text', { tags: 'a,b' }, { tags: { code: 'invalid_type' } }],
  [
    'retention_policy is none of the four',
    { retention_policy: 'forever' },
    { retention_policy: { code: 'invalid_enum_value' } },
  ],
  [
    'retention_days is 0',
    { retention_policy: 'auto_delete', retention_days: 0 },
    { retention_days: { code: 'invalid_range', min: 1 } },
  ],
  [
    'retention_days is a fraction',
    { retention_policy: 'auto_delete', retention_days: 1.5 },
    { retention_days: { code: 'invalid_type' } },
  ],
  ['is_private is a text', { is_private: 'true' }, { is_private: { code: 'invalid_type' } }],
  ['metadata is a list', { metadata: [] }, { metadata: { code: 'invalid_type' } }],
  [
    'metadata is over 16 KB',
    { metadata: { a: 'x'.repeat(16_384) } },
    { metadata: { code: 'field_too_long', max: 16_384 } },
  ],
  [
    'several fields are faulty or unknown',
    { name: 1, tags: [2], colour: 'red', status: 'paused' },
    {
      name: { code: 'invalid_type' },
      'tags.0': { code: 'invalid_type' },
      colour: { code: 'unknown_field' },
      status: { code: 'unknown_field' },
    },
  ],
];

const creating: readonly (readonly [string, object, object])[] = [
  ['there is no name', { name: undefined }, { name: { code: 'required' } }],
  ['type is none of the four', { type: 'chat' }, { type: { code: 'invalid_enum_value' } }],
  [
    'auto_delete comes without days',
    { retention_policy: 'auto_delete' },
    { retention_days: { code: 'required' } },
  ],
  [
    'auto_delete comes with null days',
    { retention_policy: 'auto_delete', retention_days: null },
    { retention_days: { code: 'required' } },
  ],
  ['summary is set already', { summary: 'x' }, { summary: { code: 'unknown_field' } }],
  ['space_id is malformed', { space_id: 'x' }, { space_id: { code: 'invalid_format' } }],
];

const patching: readonly (readonly [string, object, string, string])[] = [
  ['summary has 10,001 characters', { summary: wide(10_001) }, 'summary', 'field_too_long'],
  ['type is to change', { type: 'task' }, 'type', 'unknown_field'],
  ['space_id is to change', { space_id: null }, 'space_id', 'unknown_field'],
  ['origin_type is to change', { origin_type: 'x' }, 'origin_type', 'unknown_field'],
  ['a counter is to change', { memory_count: 3 }, 'memory_count', 'unknown_field'],
];

const faultsOf = (schema: z.ZodType, body: object) =>
  toFieldErrors(schema, schema.safeParse(body).error?.issues ?? [], body);
const each = (faults: object) =>
  Object.fromEntries(
    Object.entries(faults).map(([name, fault]) => [name, expect.objectContaining(fault)]),
  );

describe('a session to be created', () => {
  it.each([...faulty, ...creating])('is refused when %s', (_when, fields, expected) => {
    expect(faultsOf(createCliSessionBody, { name: 'x', ...fields })).toEqual(each(expected));
  });
});

describe('a change of a session', () => {
  it.each(faulty)('is refused when %s', (_when, fields, expected) => {
    expect(faultsOf(patchCliSessionBody, fields)).toEqual(each(expected));
  });

  it.each(patching)('is refused when %s', (_when, body, field, code) => {
    expect(faultsOf(patchCliSessionBody, body)).toEqual(each({ [field]: { code } }));
  });
});
