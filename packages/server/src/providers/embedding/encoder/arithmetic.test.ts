import { describe, expect, it } from 'vitest';
import { toUnitLength } from './arithmetic.ts';

describe('toUnitLength', () => {
  it('scales to the length 1, and leaves zeros', () => {
    expect([...toUnitLength(Float32Array.of(3, 4))]).toEqual([Math.fround(0.6), Math.fround(0.8)]);
    expect([...toUnitLength(Float32Array.of(0, 0))]).toEqual([0, 0]);
  });
});
