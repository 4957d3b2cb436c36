import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Slot, Slots } from './slots.ts';

describe('slots', () => {
  it('are held by failing endpoints to the half, whatever comes and goes', () => {
    const step = fc.tuple(fc.constantFrom('take', 'mark', 'release'), fc.boolean(), fc.nat(30));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 16 }), fc.array(step), (max, steps) => {
        const slots = new Slots(max);
        const held: { slot: Slot; failing: boolean }[] = [];
        for (const [what, failing, which] of steps) {
          const one = held[which % Math.max(1, held.length)];
          if (what === 'take') {
            const slot = slots.acquire(failing);
            if (slot) held.push({ slot, failing });
          } else if (one && what === 'mark' && one.slot.setFailing(failing)) one.failing = failing;
          else if (one) {
            one.slot.release();
            held.splice(held.indexOf(one), 1);
          }
          const failed = held.filter((entry) => entry.failing).length;
          expect(failed).toBeLessThanOrEqual(Math.max(1, Math.floor(max / 2)));
          expect(slots.free).toBe(max - held.length);
        }
      }),
    );
  });

  it('leave the other half to those that answer', () => {
    const slots = new Slots(4);
    expect(
      [slots.acquire(true), slots.acquire(true), slots.acquire(true)].filter(Boolean),
    ).toHaveLength(2);
    expect(slots.freeForFailing).toBe(0);
    expect(
      [slots.acquire(false), slots.acquire(false), slots.acquire(false)].filter(Boolean),
    ).toHaveLength(2);
  });
});
