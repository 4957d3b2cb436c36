import { expect, test } from 'vitest';
import { leastCpuMs } from '../../../../../../test/support/cpu-time.ts';
import { mergeTranscript } from './content.ts';

const max = 1_000;

test('the words come below the title, and new ones in the place of the former', () => {
  const first = mergeTranscript('Stand-up', { previous: null, words: 'Hello all.' }, max);
  expect(first).toBe('Stand-up\n\nHello all.');
  expect(mergeTranscript(first ?? '', { previous: 'Hello all.', words: 'Hi.' }, max)).toBe(
    'Stand-up\n\nHi.',
  );
  expect(mergeTranscript(first ?? '', { previous: 'Hello all.', words: '' }, max)).toBe('Stand-up');
});

test('what somebody has written there meanwhile is left alone', () => {
  const written = 'Stand-up\n\nHello all. Note: call Bo.';
  expect(mergeTranscript(written, { previous: 'Hello all.', words: 'Hi.' }, max)).toBeNull();
});

test('words are cut where the memory would be too long, never within a character', () => {
  const cut = mergeTranscript('T', { previous: null, words: 'ééééé' }, 8);
  expect(cut).toBe('T\n\néé');
  expect(mergeTranscript(cut ?? '', { previous: 'ééééé', words: 'a' }, 8)).toBe('T\n\na');
});

test('no family is parted, and a half word at the end is no word of somebody else', () => {
  const family = '👩‍👩‍👧';
  const words = `ab ${family}${family}`;
  const cut = mergeTranscript('T', { previous: null, words }, 6 + 2 * 18 - 1);
  expect(cut).toBe(`T\n\nab ${family}`);
});

test('words that another plan has cut are known again', () => {
  const words = 'word '.repeat(3_000).trim();
  const cut = mergeTranscript('Talk', { previous: null, words }, 4_096) ?? '';
  expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(4_096);
  expect(mergeTranscript(cut, { previous: words, words }, 32_768)).toBe(`Talk\n\n${words}`);
});

test('where a title leaves no room for words it stays alone, also the next time', () => {
  expect(mergeTranscript('title', { previous: null, words: 'word' }, 7)).toBe('title');
  expect(mergeTranscript('title', { previous: 'word', words: 'new' }, 7)).toBe('title');
  expect(mergeTranscript('title', { previous: 'word', words: 'new' }, 10)).toBeNull();
});

test('a text of nothing but gaps is looked through at once', () => {
  const gaps = '\n'.repeat(1_000_000);
  const look = () => mergeTranscript(gaps, { previous: 'word', words: 'new' }, 2 ** 20);
  expect(look()).toBeNull();
  expect(leastCpuMs(look)).toBeLessThan(1_000);
});
