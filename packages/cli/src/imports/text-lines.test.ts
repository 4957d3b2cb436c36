import { expect, test } from 'vitest';
import { collect } from './testing.ts';
import { readTextLines } from './text-lines.ts';

async function* pieces(...all: string[]): AsyncGenerator<string> {
  yield* all;
}

test('lines have numbers, and one that is too long has no text', async () => {
  const lines = await collect(
    readTextLines(pieces('a\r', '\nb', 'c\n\n', 'x'.repeat(20), '\nd'), 8),
  );
  expect(lines).toEqual([
    { number: 1, text: 'a', isEnded: true },
    { number: 2, text: 'bc', isEnded: true },
    { number: 3, text: '', isEnded: true },
    { number: 4, text: null, isEnded: true },
    { number: 5, text: 'd', isEnded: false },
  ]);
});
