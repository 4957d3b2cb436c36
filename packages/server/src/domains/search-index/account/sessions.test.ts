import fc from 'fast-check';
import { expect, it } from 'vitest';
import { makeIndex, makeRow } from '../testing.ts';
import { turnKernelRadius, turnWindowSize } from './sessions.ts';

it('the turns near a turn are those of its session, in whichever order they were added', () => {
  const change = fc.record({
    id: fc.nat(15).map(String),
    session: fc.constantFrom(null, 'a', 'a', 'a', 'b'),
    ordinal: fc.nat(20),
    isRemoved: fc.constantFrom(true, false, false, false),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const index = makeIndex([]);
      for (const { id, session, ordinal, isRemoved } of changes) {
        const place = { session_id: session, session_ordinal: ordinal };
        const row = makeRow(id, 'tea', place);
        index.apply(isRemoved ? { ...row, terms: null } : row);
      }
      const window = new Int32Array(turnWindowSize);
      for (let document = 0; document < index.columns.length; document += 1) {
        const turns = index.sessions.all.find((one) => one.turns.includes(document))?.turns ?? [];
        const at = turns.indexOf(document);
        const expected = Array.from(window, (_, i) =>
          at < 0 ? -1 : (turns[at + i - turnKernelRadius] ?? -1),
        );
        index.sessions.fillWindow(document, window);
        expect([...window]).toEqual(expected);
      }
    }),
  );
});
