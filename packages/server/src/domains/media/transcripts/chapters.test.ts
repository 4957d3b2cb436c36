import { expect, test } from 'vitest';
import { splitChapters, type TimedText } from './chapters.ts';

const garden = ['The tulips and roses need water.', 'Prune the roses, water the tulips in spring.'];
const money = ['The invoice of the bank is late.', 'Pay the bank, then file the invoice and tax.'];

const talk = (...texts: readonly (readonly string[])[]): TimedText[] =>
  texts
    .flatMap((two) => Array.from({ length: 12 }, (_, i) => two[i % 2] as string))
    .map((text, i) => ({ start: i * 10, end: i * 10 + 9, text }));

test('a chapter ends where the words change, within a sentence or two', () => {
  const chapters = splitChapters(talk(garden, money));
  expect(chapters).toHaveLength(2);
  expect(Math.abs((chapters[1]?.start ?? 0) - 120)).toBeLessThanOrEqual(20);
  expect(chapters[0]?.text).toContain('tulips');
  expect(chapters[1]?.text).toContain('invoice');
});

test('chapters hold all that was said, in its order, each a minute and more', () => {
  const said = talk(garden, money, garden, money);
  const chapters = splitChapters(said);
  expect(chapters.map(({ text }) => text).join(' ')).toBe(said.map(({ text }) => text).join(' '));
  for (const { start, end } of chapters) expect(end - start).toBeGreaterThanOrEqual(59);
});

test('a short talk is one chapter, and silence is none', () => {
  expect(splitChapters(talk(garden).slice(0, 4))).toHaveLength(1);
  expect(splitChapters([])).toEqual([]);
});
