import { rankByPosition } from '@mneme/text';
import { expect, test } from 'vitest';
import { StaticVectors } from './static-vectors.ts';
import { backgroundWordWeights, textVector } from './text-vector.ts';
import { dotProduct } from './unit-vector.ts';
import { findSubstitutesForUnknownWord } from './unknown-words.ts';

const vectors = await StaticVectors.load();
const weights = backgroundWordWeights(vectors);
const vectorOf = (...words: string[]) => textVector(vectors, words, weights, vectors.mean);

test('every word has its own nonzero row', () => {
  for (let index = 0; index < vectors.size; index++) {
    const row = vectors.row(index);
    if (!row.some((value) => value !== 0)) expect.fail(`row ${index} is zero`);
  }
});

test('rarer words weigh more', () => {
  const ranks = ['people', 'harbour', 'cello'].map((word) => vectors.indexOf(word) ?? 0);
  const [frequent = 0, middle = 0, rare = 0] = ranks.map((rank) => vectors.weight(rank));
  expect(frequent).toBeLessThan(middle);
  expect(middle).toBeLessThan(rare);
});

test('a pack with inconsistent sizes is rejected', () => {
  const manifest = { model: 'm', dimensions: 2, words: 2, mean: [0, 0] };
  const make = (words: string[], bytes: number) =>
    new StaticVectors(manifest, rankByPosition(words), new Int8Array(bytes), new Map());
  expect(() => make(['a'], 4)).toThrow('damaged');
  expect(() => make(['a', 'b'], 3)).toThrow('damaged');
});

test.each([
  ['unfriendlinesses', 'unfriendliness'],
  ['websockets', 'websocket'],
  ['kubernetess', 'kubernetes'],
])('an unknown form resolves to its base: %s', (form, base) => {
  expect(vectors.indexOf(form)).toBeUndefined();
  const [relative] = findSubstitutesForUnknownWord(vectors, form);
  expect(relative?.index).toBe(vectors.indexOf(base));
});

test('a compound resolves to both of its parts', () => {
  const parts = findSubstitutesForUnknownWord(vectors, 'databasepassword').map(
    ({ index }) => index,
  );
  expect(parts).toEqual(['database', 'password'].map((word) => vectors.indexOf(word)));
});

test('an unknown word is most similar to itself, then to its misspelling', () => {
  const word = vectorOf('zyxqwvut');
  expect(dotProduct(word, vectorOf('zyxqwvut'))).toBeCloseTo(1, 5);
  expect(dotProduct(word, vectorOf('zyxqwvutt'))).toBeGreaterThan(0.5);
  expect(dotProduct(word, vectorOf('kkrpmbnj'))).toBeLessThan(0.3);
});

test('an unknown word does not outweigh the known ones', () => {
  const known = vectorOf('database', 'password');
  expect(dotProduct(known, vectorOf('database', 'password', 'zyxqwvut'))).toBeGreaterThan(0.85);
});

test('the order of the words does not matter, their weights do', () => {
  const forth = vectorOf('dog', 'violin');
  const back = vectorOf('violin', 'dog');
  expect(dotProduct(forth, back)).toBeCloseTo(1, 5);
  const onlyDog = { ...weights, known: (word: string) => (word === 'dog' ? 1 : 0) };
  const dog = textVector(vectors, ['dog', 'violin'], onlyDog, vectors.mean);
  expect(dotProduct(dog, vectorOf('dog'))).toBeCloseTo(1, 5);
});
