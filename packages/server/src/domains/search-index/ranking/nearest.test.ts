import fc from 'fast-check';
import { expect, it } from 'vitest';
import { makeIndex, makeRow } from '../testing.ts';
import { SearchBuffers } from './buffers.ts';
import { findNearestDocuments } from './nearest.ts';

const levels = fc.integer({ min: -3, max: 3 });

it('finds the nearest of all documents of a scope, ties newer first', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ level: levels, age: levels, isOther: fc.boolean() }), { maxLength: 80 }),
      fc.integer({ min: 1, max: 5 }),
      (documents, limit) => {
        const rows = documents.map(({ level, age, isOther }, i) =>
          makeRow(`d${i}`, 'tea', {
            space_id: isOther ? 'other' : null,
            created_at: new Date(1_000 * (age + 3)),
            vector: Uint8Array.from([20 * level, 80, 0, 0], (value) => value & 0xff),
          }),
        );
        const found = findNearestDocuments(makeIndex(rows), new SearchBuffers(), {
          source: { vector: Float32Array.of(1, 0, 0, 0) },
          spaces: [null],
          threshold: 0.1,
          scale: 'model',
          limit,
        });
        const expected = documents
          .map((one, i) => ({ ...one, id: `d${i}` }))
          .filter(({ level, isOther }) => level > 0 && !isOther)
          .sort((a, b) => b.level - a.level || b.age - a.age || (a.id < b.id ? 1 : -1))
          .slice(0, limit);
        expect(found?.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
      },
    ),
  );
});
