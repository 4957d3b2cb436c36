import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Clock } from './clock.ts';
import { bufferRandomBytes, createIds } from './ids.ts';

/** A clock that returns these times in order and then repeats the last one. */
function scripted(times: readonly number[]): Clock {
  let i = -1;
  return {
    now() {
      i = Math.min(i + 1, times.length - 1);
      return new Date(times[i] ?? 0);
    },
    monotonicMs: () => 0,
    after: () => ({ [Symbol.dispose]() {} }),
  };
}

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const start = Date.UTC(2026, 0, 5);
const timeOf = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

describe('uuid', () => {
  it('is a UUIDv7 with the time of the clock', () => {
    const id = createIds(scripted([start])).uuid();
    expect(id).toMatch(form);
    expect(timeOf(id)).toBe(start);
  });

  it('increases strictly with any clock and any random bytes', () => {
    const step = fc.integer({ min: -5_000, max: 5_000 });
    const chance = fc.uint8Array({ minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 200 }), chance, (steps, bytes) => {
        const ids = createIds(scripted(steps.map((ms) => start + ms)), () => bytes);
        const made = steps.map(() => ids.uuid());
        for (const [i, id] of made.entries()) {
          expect(id).toMatch(form);
          if (i > 0) expect(id > (made[i - 1] ?? '')).toBe(true);
        }
      }),
    );
  });

  it('increases strictly when the counter of a millisecond is exhausted', () => {
    const ids = createIds(scripted([start]));
    let last = '';
    for (let i = 0; i < 10_000; i += 1) {
      const id = ids.uuid();
      expect(id > last).toBe(true);
      last = id;
    }
    expect(timeOf(last) - start).toBe(2);
  });

  it('differs between processes that start in the same millisecond', () => {
    const made = Array.from({ length: 1_000 }, () => createIds(scripted([start])).uuid());
    expect(new Set(made).size).toBe(1_000);
  });
});

describe('fraction', () => {
  it('is in [0, 1) for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 4, maxLength: 4 }), (bytes) => {
        const fraction = createIds(scripted([start]), () => bytes).fraction();
        expect(fraction).toBeGreaterThanOrEqual(0);
        expect(fraction).toBeLessThan(1);
      }),
    );
  });
});

describe('bufferRandomBytes', () => {
  it('returns the requested number of bytes, and no byte twice', () => {
    const bytes = bufferRandomBytes(randomBytes);
    const given = Array.from({ length: 2_000 }, (_, i) => bytes(16 + (i % 3)));
    for (const [i, one] of given.entries()) expect(one).toHaveLength(16 + (i % 3));
    const heads = given.map((one) => Buffer.from(one.subarray(0, 16)).toString('hex'));
    expect(new Set(heads).size).toBe(2_000);
    expect(bytes(10_000)).toHaveLength(10_000);
  });
});
