import { describe, expect, it } from 'vitest';
import { hasNoiseGrown, isRunWorthwhile } from './automatic-run-rules.ts';

describe('automatic runs', () => {
  it('start once there are memories for two clusters', () => {
    expect(isRunWorthwhile({ covered: 9, noise: 9 }, 5)).toBe(false);
    expect(isRunWorthwhile({ covered: 10, noise: 0 }, 5)).toBe(true);
  });

  it('recluster when the share of noise has grown by a tenth', () => {
    const before = { covered: 100, noise: 10 };
    expect(hasNoiseGrown(before, { covered: 120, noise: 23 }, 5)).toBe(false);
    expect(hasNoiseGrown(before, { covered: 120, noise: 24 }, 5)).toBe(true);
    expect(hasNoiseGrown(before, { covered: 1_000, noise: 100 }, 5)).toBe(false);
  });

  it('recluster when noise that is the majority has doubled', () => {
    expect(hasNoiseGrown({ covered: 10, noise: 10 }, { covered: 20, noise: 20 }, 5)).toBe(true);
    expect(hasNoiseGrown({ covered: 1_000, noise: 950 }, { covered: 1_949, noise: 1_899 }, 5)).toBe(
      false,
    );
    expect(hasNoiseGrown({ covered: 1_000, noise: 950 }, { covered: 1_950, noise: 1_900 }, 5)).toBe(
      true,
    );
    expect(hasNoiseGrown({ covered: 100, noise: 40 }, { covered: 200, noise: 80 }, 5)).toBe(false);
  });

  it('do not start for a few memories, however large their share', () => {
    expect(hasNoiseGrown({ covered: 10, noise: 0 }, { covered: 19, noise: 9 }, 5)).toBe(false);
    expect(hasNoiseGrown({ covered: 10, noise: 0 }, { covered: 20, noise: 10 }, 5)).toBe(true);
    expect(hasNoiseGrown({ covered: 0, noise: 0 }, { covered: 0, noise: 0 }, 5)).toBe(false);
  });
});
