import { describe, expect, it } from 'vitest';
import { Extractor } from '../extractor.ts';
import { findOutdated, findOutdatedQuickly, tellsOfChange } from './find-outdated.ts';

const moved = 'I have moved to Berlin and no longer live in Munich.';
const munich = { text: 'I live in Munich.', similarity: 0.7 };
const cello = { text: 'Ben plays the cello in a quartet.', similarity: 0.1 };

describe('what a newer text outdates', () => {
  it('is judged by features at once, each older text on its own', () => {
    const [first, second] = findOutdatedQuickly(moved, [munich, cello]);
    expect(first).toMatchObject({ index: 0, reason: 'replaced' });
    expect(first?.confidence).toBeGreaterThan(0.5);
    expect(second?.confidence).toBeLessThan(0.2);
  });

  it('is judged by the network for the few that features do not exclude', async () => {
    const asked: string[] = [];
    const found = await findOutdated(
      moved,
      [cello, ...Array.from({ length: 5 }, (_, i) => ({ ...munich, similarity: 0.6 + i / 100 }))],
      async (pairs) => {
        asked.push(...pairs.map(({ older }) => older));
        return pairs.map(() => 4);
      },
    );
    expect(asked).toEqual(Array(2).fill(munich.text));
    expect(found.map(({ index }) => index)).toEqual([5, 4]);
    expect(found.every(({ confidence }) => confidence > 0.8)).toBe(true);
  });

  it('is never what is no statement', async () => {
    const ask = () => Promise.reject(new Error('asked'));
    expect(findOutdatedQuickly('item 2', [munich])).toEqual([]);
    expect(findOutdatedQuickly(moved, [{ text: 'item 1', similarity: 0.9 }])).toEqual([]);
    expect(await findOutdated('item 2', [{ text: 'item 1', similarity: 0.9 }], ask)).toEqual([]);
  });

  it('asks no network where features exclude all', async () => {
    const ask = () => Promise.reject(new Error('asked'));
    expect(await findOutdated('Ana bakes bread.', [{ ...cello, similarity: 0 }], ask)).toEqual([]);
  });

  it('is found by the shipped network', async () => {
    await using extractor = new Extractor();
    const found = await findOutdated(moved, [munich], (pairs) => extractor.judgePairs(pairs));
    expect(found[0]?.confidence).toBeGreaterThan(0.5);
  });

  it.each([
    ['Correction: the code is 4711.', 'corrected'],
    ['The gym membership was cancelled.', 'ended'],
    ['We switched to trains.', 'replaced'],
    ['The code is 4711.', 'other_value'],
  ])('has a reason: %s', (text, reason) => {
    expect(findOutdatedQuickly(text, [munich])[0]?.reason).toBe(reason);
  });
});

it.each([
  ['I quit smoking.', true],
  ['From now on answer in German.', true],
  ['The kettle is blue.', false],
])('words tell of a change: %s', (text, tells) => {
  expect(tellsOfChange(text)).toBe(tells);
});
