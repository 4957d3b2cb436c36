import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GrowingInts } from './growing-ints.ts';
import { TermNames } from './term-names.ts';

const term = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: fc.constantFrom('a', 'b', 'ä', '漢', '🦓'), maxLength: 4 }),
  fc.constantFrom('x'.repeat(300), 'ä'.repeat(900)),
);
const terms = fc.array(term, { maxLength: 90 });

describe('the terms of an account', () => {
  it('have a number each in the order in which they came, by which they are found', () => {
    fc.assert(
      fc.property(terms, term, fc.nat(12), (all, other, characters) => {
        const names = new TermNames();
        const plain: string[] = [];
        for (const [i, one] of all.entries()) {
          if (!plain.includes(one)) plain.push(one);
          expect(names.add(one)).toBe(plain.indexOf(one));
          // Strings that are kept after a lookup get the terms that follow.
          if (i % 7 === 0) names.ofLength(characters);
        }
        expect(names.count).toBe(plain.length);
        expect(plain.map((_, number) => names.at(number))).toEqual(plain);
        expect(plain.map((one) => names.find(one))).toEqual([...plain.keys()]);
        expect(names.find(other)).toBe(plain.indexOf(other));
        expect(names.ofLength(characters)).toEqual(
          plain.filter(({ length }) => length === characters),
        );
      }),
    );
  });

  it('are the same when they are restored from their bytes, and grow there', () => {
    fc.assert(
      fc.property(terms, term, fc.nat(9), (all, added, spare) => {
        const plain = [...new Set(all)];
        const names = new TermNames();
        for (const one of plain) names.add(one);
        const numbers = [...plain.keys()].toReversed();
        const bytes = names.copyBytes(numbers);
        const room = new Uint8Array(bytes.length + spare);
        room.set(bytes);
        let end = 0;
        const ends = new GrowingInts();
        for (const number of numbers) {
          end += names.lengthOf(number);
          ends.push(end);
        }
        const restored = new TermNames();
        restored.restore(room, ends);
        const expected = plain.toReversed();
        if (!expected.includes(added)) expected.push(added);
        expect(restored.add(added)).toBe(expected.indexOf(added));
        expect(expected.map((one) => restored.find(one))).toEqual([...expected.keys()]);
        expect(restored.count).toBe(expected.length);
      }),
    );
  });
});
