import { expect, test } from 'vitest';
import { commonness } from './commonness.ts';
import { stem } from './stem.ts';

test('a frequent word is more common than a rare one, and an unknown name is the rarest', () => {
  const chances = ['time', 'city', 'garden', 'harbour', 'mneme'].map((word) =>
    commonness(stem(word)),
  );
  expect(chances).toEqual(chances.toSorted((a, b) => b - a));
  expect(commonness('zyzzyva')).toBe(commonness('qwertyuiopas'));
});

test('a chance is between 0 and 1, and a stem has that of all its words', () => {
  for (const word of ['time', 'run', '日本', '']) {
    expect(commonness(word)).toBeGreaterThan(0);
    expect(commonness(word)).toBeLessThan(1);
  }
  expect(commonness(stem('garden'))).toBeGreaterThan(commonness(stem('verandas')));
});
