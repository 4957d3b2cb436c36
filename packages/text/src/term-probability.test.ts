import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isStopWord, stem } from './stem.ts';
import { frequentWordsMax, termProbability } from './term-probability.ts';

test('a frequent word is more common than a rare one, and an unknown name is the rarest', () => {
  const chances = ['time', 'city', 'garden', 'harbour', 'mneme'].map((word) =>
    termProbability(stem(word)),
  );
  expect(chances).toEqual(chances.toSorted((a, b) => b - a));
  expect(termProbability('zyzzyva')).toBe(termProbability('qwertyuiopas'));
});

test('a chance is between 0 and 1, and a stem has that of all its words', () => {
  for (const word of ['time', 'run', '日本', '']) {
    expect(termProbability(word)).toBeGreaterThan(0);
    expect(termProbability(word)).toBeLessThan(1);
  }
  expect(termProbability(stem('garden'))).toBeGreaterThan(termProbability(stem('verandas')));
});

test('the stems are those of the most frequent words', () => {
  const read = (name: string) =>
    readFileSync(new URL(`../assets/${name}`, import.meta.url), 'utf8')
      .trimEnd()
      .split('\n');
  const words = read('words.txt').slice(0, frequentWordsMax);
  const stems = words.map((word) => (isStopWord(word) ? '' : stem(word)));
  expect(read('stems.txt')).toEqual(stems);
});
