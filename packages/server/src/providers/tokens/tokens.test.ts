import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { runCount } from '../../../../../test/support/run-count.ts';
import { createChunkedTokenizer, loadTokenizer } from './index.ts';

const tokenizer = await loadTokenizer();
const exactly = (text: string): number =>
  countTokens(text, { allowedSpecial: new Set(), disallowedSpecial: new Set() });

const lengthOf = ({ length }: string): number => length;

describe('the tokenizer', () => {
  it.each([
    ['', 0],
    ['hello world', 2],
    [' '.repeat(8), 1],
    ['お茶', 2],
  ])('counts %j as o200k does', (text, tokens) => {
    expect(tokenizer.count(text)).toBe(tokens);
  });

  it('counts any text without long runs exactly', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (text) => {
        expect(tokenizer.count(text)).toBe(exactly(text));
      }),
    );
  });

  it('treats special tokens of models as text', () => {
    for (const mark of ['<|endoftext|>', '<|endofprompt|>', '<|im_start|>']) {
      expect(tokenizer.count(mark)).toBeGreaterThan(3);
    }
  });

  it('counts a text with long runs never too low, and at most slightly too high', () => {
    const unit = fc.constantFrom(
      'a',
      'Ab',
      'ß',
      '漢',
      '字漢',
      '!',
      '!?',
      '/\n',
      '\r\n',
      ' ',
      '\t ',
      '🦊',
    );
    const run = fc.tuple(unit, fc.integer({ min: 512, max: 1_500 }));
    const text = fc.array(fc.oneof(run, fc.tuple(fc.string({ maxLength: 40 }), fc.constant(1))), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(text, (pieces) => {
        const whole = pieces.map(([piece, times]) => piece.repeat(times)).join('');
        const [counted, tokens] = [tokenizer.count(whole), exactly(whole)];
        expect(counted).toBeGreaterThanOrEqual(tokens);
        expect(counted).toBeLessThanOrEqual(tokens + 5 * Math.ceil(whole.length / 256));
      }),
      { numRuns: runCount(30, 1_000) },
    );
  });

  it.each([
    ['letters', 'a'.repeat(100_000)],
    ['Han characters', '漢'.repeat(100_000)],
    ['signs', '-'.repeat(100_000)],
    ['slashes and line ends', '/\n'.repeat(50_000)],
    ['a sign, then line ends and slashes', `.${'\r\n/'.repeat(33_000)}`],
    ['line ends', '\n'.repeat(100_000)],
    ['spaces', ' '.repeat(100_000)],
    ['digits', '1'.repeat(100_000)],
    ['marks', '\u0301'.repeat(100_000)],
    ['letters with marks', 'e\u0301'.repeat(50_000)],
    ['runs just short of long', `${'a'.repeat(511)}!`.repeat(200)],
  ])('splits 100,000 %s into parts that are fast to count', (_name, text) => {
    const handed: string[] = [];
    const parts = createChunkedTokenizer((part) => handed.push(part));
    parts.count(text);
    expect(handed.join('')).toBe(text);
    const runs = /[\p{L}\p{M}]+|(?:[^\s\p{L}\p{N}]|[\r\n])+|\s+/gu;
    const longest = Math.max(0, ...handed.flatMap((part) => part.match(runs) ?? []).map(lengthOf));
    expect(longest).toBeLessThanOrEqual(512);
    expect(tokenizer.count(text)).toBeGreaterThan(0);
  });
});
