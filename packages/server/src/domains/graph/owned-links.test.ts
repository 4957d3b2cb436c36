import { describe, expect, it } from 'vitest';
import type { OwnedFact } from './owned-facts.ts';
import { createOwnedLinks } from './owned-links.ts';

const now = new Date('2026-03-01T00:00:00Z');
const fact = (id: string, subject: string, object: string, confidence: number): OwnedFact => ({
  account_id: 'account',
  id,
  space_id: null,
  subject_id: subject,
  subject_name: subject,
  predicate: 'knows',
  object_id: object,
  object_name: object,
  object_value: null,
  statement: `${subject} knows ${object}.`,
  confidence,
  valid_from: null,
  valid_to: null,
  recorded_at: new Date('2026-01-01T00:00:00Z'),
  invalidated_at: null,
  sources: [],
  memory_ids: [],
  session_ids: [],
});

describe('the links of an owner', () => {
  it('lead to the entities with the surest links first, then by id', async () => {
    const facts = [
      fact('1', 'ana', 'ben', 0.3),
      fact('2', 'cleo', 'ana', 0.9),
      fact('3', 'ana', 'dora', 0.3),
      fact('4', 'ana', 'ben', 0.6),
      fact('5', 'ana', 'emil', 1),
    ];
    const links = createOwnedLinks(async () => facts, now);
    const nearest = (countMax: number) => links.nearest(['ana'], ['ana', 'emil'], countMax);
    expect(await nearest(9)).toEqual([
      { id: 'cleo', weight: 0.9 },
      { id: 'ben', weight: 0.6 },
      { id: 'dora', weight: 0.3 },
    ]);
    expect(await nearest(1)).toEqual([{ id: 'cleo', weight: 0.9 }]);
  });
});
