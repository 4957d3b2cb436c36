import { describe, expect, it } from 'vitest';
import { toFieldErrors } from '../field-errors.ts';
import { createMemoryBody } from './memories.ts';

const notTimes = [
  ['no offset', '2024-02-29T10:30:00'],
  ['no such day', '2023-02-29'],
  ['no such hour', '2024-02-29T25:00:00Z'],
  ['no such month', '2024-13-01'],
  ['a month alone', '2024-02'],
  ['words', 'yesterday'],
  ['nothing', ''],
] as const;

/** Each body has one fault. */
const faults: readonly (readonly [what: string, body: object, field: string, fault: object])[] = [
  ['no content', {}, 'content', { code: 'required' }],
  ['content that is no text', { content: 5 }, 'content', { code: 'invalid_type' }],
  ['null as content', { content: null }, 'content', { code: 'invalid_type' }],
  ['empty content', { content: '' }, 'content', { code: 'invalid_range', min: 1 }],
  ['U+0000 in content', { content: 'a\u0000b' }, 'content', { code: 'invalid_characters' }],
  ['half a character', { content: 'a\ud83d' }, 'content', { code: 'invalid_characters' }],
  ['the other half', { content: '\ude00b' }, 'content', { code: 'invalid_characters' }],
  ['U+0000 in a tag', { tags: ['ok', '\u0000'] }, 'tags.1', { code: 'invalid_characters' }],
  ['half a character in a tag', { tags: ['\ud83d'] }, 'tags.0', { code: 'invalid_characters' }],
  [
    'U+0000 in metadata',
    { metadata: { a: [{ b: '\u0000' }] } },
    'metadata.a.0.b',
    { code: 'invalid_characters' },
  ],
  [
    'half a character in a key',
    { metadata: { '\ud83d': 1 } },
    'metadata',
    { code: 'invalid_characters' },
  ],
  [
    'a type nobody knows',
    { type: 'poem' },
    'type',
    { code: 'invalid_enum_value', received: 'poem' },
  ],
  ['video, which only an upload makes', { type: 'video' }, 'type', { code: 'invalid_enum_value' }],
  ['a type that is no text', { type: 1 }, 'type', { code: 'invalid_type' }],
  [
    'a priority below 0',
    { priority: -1 },
    'priority',
    { code: 'invalid_range', min: 0, received: -1 },
  ],
  [
    'a priority above 10',
    { priority: 11 },
    'priority',
    { code: 'invalid_range', max: 10, received: 11 },
  ],
  ['a broken priority', { priority: 1.5 }, 'priority', { code: 'invalid_type' }],
  ['a priority as text', { priority: '5' }, 'priority', { code: 'invalid_type' }],
  ['tags that are no list', { tags: 'a' }, 'tags', { code: 'invalid_type' }],
  ['an empty tag', { tags: [''] }, 'tags.0', { code: 'invalid_range', min: 1 }],
  ['a tag that is no text', { tags: ['a', 7] }, 'tags.1', { code: 'invalid_type' }],
  ['metadata that is a list', { metadata: [] }, 'metadata', { code: 'invalid_type' }],
  ['metadata that is null', { metadata: null }, 'metadata', { code: 'invalid_type' }],
  ['a space that is no id', { space_id: 'research' }, 'space_id', { code: 'invalid_format' }],
  ['a space that is no text', { space_id: 5 }, 'space_id', { code: 'invalid_type' }],
  ['a session that is no id', { session_id: 'mine' }, 'session_id', { code: 'invalid_format' }],
  ['a pin that is no boolean', { is_pinned: 'true' }, 'is_pinned', { code: 'invalid_type' }],
  [
    'a level nobody knows',
    { protection_level: 'medium' },
    'protection_level',
    { code: 'invalid_enum_value' },
  ],
  ['an embedding that is no list', { embedding: '1' }, 'embedding', { code: 'invalid_type' }],
  ['an embedding of texts', { embedding: [1, 'x'] }, 'embedding.1', { code: 'invalid_type' }],
  ['a field nobody knows', { prioritty: 1 }, 'prioritty', { code: 'unknown_field' }],
  ['a field that only answers have', { salience: 1 }, 'salience', { code: 'unknown_field' }],
];

const faultsOf = (body: object) =>
  toFieldErrors(createMemoryBody, createMemoryBody.safeParse(body).error?.issues ?? [], body);

describe('a memory to be created', () => {
  it.each(faults)('is refused for %s, naming the field', (_what, body, field, fault) => {
    const whole = field === 'content' ? body : { content: 'x', ...body };
    expect(faultsOf(whole)).toEqual({ [field]: expect.objectContaining(fault) });
  });

  it.each(notTimes)('is refused for a time with %s', (_what, occurred_at) => {
    expect(faultsOf({ content: 'x', occurred_at })).toEqual({
      occurred_at: expect.objectContaining({ code: 'invalid_format' }),
    });
  });
});
