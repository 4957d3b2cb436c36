import { expect, test } from 'vitest';
import { Bm25, stemsOf } from './bm25.ts';

test('texts are taken as stems, in lower case and without stop words', () => {
  expect(stemsOf("The runners' shoes weren't in Room B-12.")).toEqual([
    'runner',
    'shoe',
    'room',
    'b',
    '12',
  ]);
  expect(stemsOf('She went there; they have gone')).toEqual(['go', 'go']);
  expect(stemsOf('Über die Brücke')).toEqual(['über', 'die', 'brücke']);
});

test('a score is the one that BM25 gives by hand', () => {
  // Lengths 2, 4 and 3, mean 3; "cat" in two of three texts, "dog" in one.
  const index = new Bm25(['cat cat', 'cat dog bird fish', 'bird fish ant'], { k1: 1.2, b: 0.75 });
  const cat = Math.log(1 + (3 - 2 + 0.5) / (2 + 0.5));
  const dog = Math.log(1 + (3 - 1 + 0.5) / (1 + 0.5));
  const short = 1.2 * (0.25 + (0.75 * 2) / 3);
  const long = 1.2 * (0.25 + (0.75 * 4) / 3);
  const scores = index.scores('cats and dogs, cats');
  expect(scores[0]).toBeCloseTo((cat * 2 * 2.2) / (2 + short), 12);
  expect(scores[1]).toBeCloseTo(((cat + dog) * 2.2) / (1 + long), 12);
  expect(scores[2]).toBe(0);
  expect(cat).toBeCloseTo(0.470004, 6);
});

test('the list has what shares a stem, best first, equal ones in their order', () => {
  const index = new Bm25(['ant', 'bird', 'ant bird', 'bird'], { k1: 0.9, b: 0.4 });
  expect(index.rank('bird', 10)).toEqual([1, 3, 2]);
  expect(index.rank('bird', 1)).toEqual([1]);
  expect(index.rank('the whale', 10)).toEqual([]);
});

test('no text at all is searched without a fault', () => {
  expect(new Bm25([], { k1: 0.9, b: 0.4 }).rank('bird', 10)).toEqual([]);
});
