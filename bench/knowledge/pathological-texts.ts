import { limits } from '@mneme/contract';

const repeatedToMaxSize = (part: string): string =>
  part.repeat(Math.ceil(limits.contentBytesMax / Buffer.byteLength(part)) - 1);

const letters = (number: number): string =>
  [0, 1, 2, 3]
    .map((place) => String.fromCharCode(97 + (Math.floor(number / 26 ** place) % 26)))
    .join('');

const names = (count: number): string =>
  Array.from({ length: count }, (_, i) => `Xa${letters(i)}`).join(', ');

/** Texts of about a megabyte that a reader of sentences, names and dates could choke on. */
export const pathologicalTexts: readonly (readonly [name: string, text: string])[] = [
  ['brackets', repeatedToMaxSize('([{<')],
  ['100,000 names', names(100_000)],
  ['one sentence', repeatedToMaxSize('and Ana of Acme who works with Ben in Berlin ')],
  ['dates', repeatedToMaxSize('12 May 2021 to next Tuesday, ')],
  [
    'emoji and right-to-left',
    repeatedToMaxSize('\u{1F469}\u200D\u{1F680}\u202Eשלום Ana\u202C\u200F '),
  ],
];
