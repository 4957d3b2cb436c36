import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedFields, type Draft, draftFields, mergeDrafts, toPatch } from './merge.ts';

const draft: fc.Arbitrary<Draft> = fc.record({
  content: fc.constantFrom('one', 'two', 'three'),
  tags: fc.constantFrom<readonly string[]>([], ['a'], ['a', 'b']),
  priority: fc.constantFrom(0, 5, 9),
  space_id: fc.constantFrom(null, 's1', 's2'),
});

describe('mergeDrafts', () => {
  it('keeps what one side alone changed, and reports what both changed differently', () => {
    fc.assert(
      fc.property(draft, draft, draft, (base, ours, theirs) => {
        const { merged, conflicts } = mergeDrafts(base, ours, theirs);
        for (const field of draftFields) {
          const [isOurs, isTheirs] = [ours, theirs].map((side) =>
            changedFields(base, side).includes(field),
          );
          const expected = isOurs ? ours[field] : theirs[field];
          expect(merged[field]).toEqual(expected);
          const differs = JSON.stringify(ours[field]) !== JSON.stringify(theirs[field]);
          expect(conflicts.includes(field)).toBe(Boolean(isOurs && isTheirs && differs));
        }
      }),
    );
  });

  it('makes a patch that turns the base into the draft', () => {
    fc.assert(
      fc.property(draft, draft, (base, changed) => {
        expect({ ...base, ...toPatch(base, changed) }).toEqual(changed);
      }),
    );
  });
});
