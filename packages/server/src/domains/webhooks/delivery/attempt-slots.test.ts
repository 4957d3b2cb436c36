import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AttemptSlot, AttemptSlots } from './attempt-slots.ts';

describe('slots', () => {
  it('are used by failing endpoints up to half, in any order of operations', () => {
    const step = fc.tuple(
      fc.constantFrom('acquire', 'setFailing', 'release'),
      fc.boolean(),
      fc.nat(30),
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 16 }), fc.array(step), (max, steps) => {
        const slots = new AttemptSlots(max);
        const acquired: { slot: AttemptSlot; failing: boolean }[] = [];
        for (const [operation, failing, which] of steps) {
          const entry = acquired[which % Math.max(1, acquired.length)];
          if (operation === 'acquire') {
            const slot = slots.acquire(failing);
            if (slot) acquired.push({ slot, failing });
          } else if (entry && operation === 'setFailing' && entry.slot.setFailing(failing))
            entry.failing = failing;
          else if (entry) {
            entry.slot.release();
            acquired.splice(acquired.indexOf(entry), 1);
          }
          const failed = acquired.filter((candidate) => candidate.failing).length;
          expect(failed).toBeLessThanOrEqual(Math.max(1, Math.floor(max / 2)));
          expect(slots.free).toBe(max - acquired.length);
        }
      }),
    );
  });

  it('leave the other half to endpoints that succeed', () => {
    const slots = new AttemptSlots(4);
    expect(
      [slots.acquire(true), slots.acquire(true), slots.acquire(true)].filter(Boolean),
    ).toHaveLength(2);
    expect(slots.freeForFailing).toBe(0);
    expect(
      [slots.acquire(false), slots.acquire(false), slots.acquire(false)].filter(Boolean),
    ).toHaveLength(2);
  });
});
