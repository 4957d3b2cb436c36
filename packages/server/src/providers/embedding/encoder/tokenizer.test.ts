import { describe, expect, it } from 'vitest';
import { Tokenizer } from './tokenizer.ts';
import { readEncoderPack } from './weights.ts';

const { vocabulary } = await readEncoderPack();
const tokenizer = new Tokenizer(vocabulary);
const split = (text: string, piecesMax = 128): string[] =>
  tokenizer.encode(text, piecesMax).map((id) => vocabulary[id]?.[0] ?? '');

describe('Tokenizer', () => {
  // Ids as the runtime of the published model gives them.
  it.each([
    ["preparation for Thursday's negotiation", [6966, 22, 1725, 13, 7, 7311]],
    ['how are permissions modelled', [140, 31, 6284, 7, 1679, 1149]],
    [
      'Earned a brown belt in judo last month.',
      [184, 225, 2084, 11, 3744, 27, 601, 15, 3785, 577, 231, 737, 6],
    ],
  ])('splits "%s" as the published model does', (text, ids) => {
    expect(tokenizer.encode(text, 128)).toEqual(ids);
  });

  it('prefers the pieces with the greatest probability together', () => {
    const scores = [
      ...Array.from({ length: 6 }, (_, i) => [`<${i}>`, 0] as const),
      ['\u2581ab', -5],
      ['\u2581a', -1],
      ['b', -2],
      ['c', -3],
      ['bc', -9],
    ] as const;
    expect(new Tokenizer(scores).encode('abc', 128)).toEqual([7, 8, 9]);
  });

  it('ignores repeated white space, and normalises compatible characters', () => {
    expect(split(' two\n\twords  ')).toEqual(split('two words'));
    expect(split('ﬁle ２')).toEqual(split('file 2'));
  });

  it('has one unknown piece for adjacent unknown characters, and for an empty text', () => {
    expect(tokenizer.encode('', 128)).toEqual([0]);
    expect(tokenizer.encode(' \n', 128)).toEqual([0]);
    expect(tokenizer.encode('the 猫猫猫 sat', 128).filter((id) => id === 0)).toHaveLength(1);
  });

  it('cuts a text after the maximum', () => {
    const long = 'a kettle boils '.repeat(200);
    expect(split(long, 10)).toEqual(split(long, 128).slice(0, 10));
    expect(split(long, 128)).toHaveLength(128);
  });
});
