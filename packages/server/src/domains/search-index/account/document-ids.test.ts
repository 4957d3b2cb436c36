import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashOfId } from './account-scale.ts';
import { DocumentIds } from './document-ids.ts';

const nilUuid = '00000000-0000-0000-0000-000000000000';
/** UUIDs that differ in few digits, and texts that are no UUIDs. */
const id = fc.oneof(
  fc.uuid(),
  fc.nat(15).map((digit) => `0198c0de-0000-7000-8000-00000000000${digit.toString(16)}`),
  fc.uuid().map((uuid) => uuid.toUpperCase()),
  fc.constantFrom(nilUuid, '', 'a', '0198c0de-0000-7000-8000-00000000000', 'g'.repeat(36)),
);
const changes = fc.array(fc.tuple(fc.constantFrom('add', 'add', 'remove'), id), { maxLength: 120 });

/** Ids after these changes, and the same as a plain list; '' where a document is dead. */
function apply(all: readonly (readonly [string, string])[]) {
  const idHash = new Uint32Array(all.length + 200);
  const [ids, plain] = [new DocumentIds({ idHash }), [] as string[]];
  for (const [change, one] of all) {
    const number = one === '' ? undefined : ids.numberOf(one);
    if (number !== undefined) {
      ids.clear(number);
      plain[number] = '';
    }
    if (change === 'remove' || one === '') continue;
    idHash[plain.length] = hashOfId(one);
    ids.push(one);
    plain.push(one);
  }
  return { ids, plain, idHash };
}

function expectSame(ids: DocumentIds, plain: readonly string[]): void {
  expect(Array.from({ length: ids.length }, (_, number) => ids.at(number))).toEqual(plain);
  for (const [number, one] of plain.entries()) {
    if (one !== '') expect(ids.numberOf(one)).toBe(number);
  }
}

describe('the ids of documents', () => {
  it('are found by number and by text, whatever was added and removed before', () => {
    fc.assert(
      fc.property(changes, id, (all, other) => {
        const { ids, plain } = apply(all);
        expectSame(ids, plain);
        if (!plain.includes(other)) expect(ids.numberOf(other)).toBeUndefined();
      }),
    );
  });

  it('are ordered as texts', () => {
    fc.assert(
      fc.property(fc.uniqueArray(id, { minLength: 2, maxLength: 12 }), (some) => {
        const { ids, plain } = apply(some.map((one) => ['add', one]));
        const numbers = [...plain.keys()].sort((a, b) => ids.compare(a, b));
        expect(numbers.map((number) => plain[number])).toEqual(plain.toSorted());
      }),
    );
  });

  it('are the same in a copy of some of them, and grow there', () => {
    fc.assert(
      fc.property(changes, fc.nat(9), id, (all, spare, added) => {
        const { ids, plain, idHash } = apply(all);
        const live = [...plain.keys()].filter((number) => plain[number] !== '');
        const { words, others } = ids.copy(Int32Array.from(live));
        const room = new Uint32Array(words.length + spare);
        room.set(words);
        const hashes = new Uint32Array(live.length + 1);
        for (const [i, number] of live.entries()) hashes[i] = idHash[number] as number;
        const copy = new DocumentIds({ idHash: hashes });
        copy.restore(live.length, room, others);
        const expected = live.map((number) => plain[number] as string);
        expectSame(copy, expected);
        if (added === '' || expected.includes(added)) return;
        hashes[live.length] = hashOfId(added);
        copy.push(added);
        expectSame(copy, [...expected, added]);
      }),
    );
  });
});
