import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  effectiveWeight,
  presentRelationship,
  type RelationshipRecord,
  reinforceBy,
  toStrength,
  weakenBy,
} from './model.ts';

const dayMs = 86_400_000;
const setAt = new Date('2026-01-05T09:30:00.000Z');
const after = (days: number): Date => new Date(setAt.getTime() + days * dayMs);

const record: RelationshipRecord = {
  account_id: 'a',
  id: 'r',
  source_id: 's',
  target_id: 't',
  type: 'supports',
  inverse_id: null,
  description: null,
  weight: 1,
  weight_set_at: setAt,
  decay_rate: 0.02,
  pinned_memory_count: 0,
  usage_count: 0,
  last_reinforced_at: null,
  rules: {},
  metadata: {},
  created_at: setAt,
  updated_at: setAt,
};

const pinned = { ...record, pinned_memory_count: 1 };

describe('decay', () => {
  it.each([
    [1, 0.02, 1, 0.98],
    [1, 0.02, 0.5, 0.98995],
    [1, 0.02, 30, 0.54548],
    [1, 0.02, 365, 0.00062736],
    [0.8, 0.1, 7, 0.38264],
    [5, 0.5, 2, 1.25],
    [3, 0, 3_650, 3],
  ])('reduces weight %d at rate %d within %d days to %d', (weight, decay_rate, days, left) => {
    const one = { ...record, weight, decay_rate };
    expect(effectiveWeight(one, after(days)) / left).toBeCloseTo(1, 4);
  });

  it('follows the formula at any time over years', () =>
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1e9, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 0, max: 20 * 365 * dayMs }),
        (weight, decay_rate, ms) => {
          const one = { ...record, weight, decay_rate };
          const now = new Date(setAt.getTime() + ms);
          expect(effectiveWeight(one, now)).toBe(weight * (1 - decay_rate) ** (ms / dayMs));
        },
      ),
    ));

  it('at a rate of 1 keeps the weight at once and drops to 0 a moment later', () => {
    const one = { ...record, weight: 0.7, decay_rate: 1 };
    expect(effectiveWeight(one, setAt)).toBe(0.7);
    expect(effectiveWeight(one, after(1))).toBe(0);
    expect(effectiveWeight(one, new Date(setAt.getTime() + 1))).toBe(0);
  });

  it('stops while a memory is pinned, and never increases the weight', () => {
    expect(effectiveWeight(pinned, after(1_000))).toBe(1);
    expect(effectiveWeight(record, after(-10))).toBe(1);
  });
});

describe('reinforce and weaken', () => {
  it('start from the decayed weight, and restart the decay', () => {
    const later = after(365);
    const left = 0.98 ** 365;
    const stronger = reinforceBy(0.1)(record, later);
    expect(stronger).toMatchObject({ usage_count: 1, last_reinforced_at: later });
    expect(stronger.weight).toBe(left + 0.1);
    expect(effectiveWeight(stronger, after(366))).toBeCloseTo((left + 0.1) * 0.98, 12);
    const weaker = weakenBy(0.25)(record, after(10));
    expect(weaker).toMatchObject({ usage_count: 0, last_reinforced_at: null });
    expect(weaker.weight).toBeCloseTo(0.98 ** 10 - 0.25, 12);
    expect(weaker.weight_set_at).toEqual(after(10));
  });

  it('start from the full weight while a memory is pinned', () => {
    expect(reinforceBy(0.1)(pinned, after(365)).weight).toBe(1.1);
    expect(weakenBy(0.1)(pinned, after(365)).weight).toBe(0.9);
  });

  it('keep the weight within its limits', () => {
    expect(weakenBy(2)(record, setAt).weight).toBe(0);
    const heaviest = { ...record, weight: 1e9 };
    expect(reinforceBy(1e9)(heaviest, setAt).weight).toBe(1e9);
  });
});

describe('presentRelationship', () => {
  it('has a strength of at most 1, whatever its weight', () => {
    expect([0, 0.4, 1, 2.5].map(toStrength)).toEqual([0, 0.4, 1, 1]);
  });

  it('has both field names for the type, and the decayed weight', () => {
    const used = { ...record, weight: 3, usage_count: 4, last_reinforced_at: setAt };
    expect(presentRelationship(used, after(10))).toMatchObject({
      relationship_type: 'supports',
      type: 'supports',
      weight: 3 * 0.98 ** 10,
      strength: 1,
      usage_count: 4,
      reinforcement_count: 4,
      last_reinforced_at: '2026-01-05T09:30:00.000Z',
    });
    expect(presentRelationship(used, after(100))).toMatchObject({
      weight: 3 * 0.98 ** 100,
      strength: 3 * 0.98 ** 100,
    });
  });
});
