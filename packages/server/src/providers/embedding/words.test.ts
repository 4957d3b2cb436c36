import { expect, test } from 'vitest';
import { textWords } from './words.ts';

const nothing = () => false;

test.each([
  ['The Quick-brown fox, 42 times!', ['quick', 'brown', 'fox', '42', 'times']],
  ["I don't know", ['know']],
  ['Café über naïve', ['cafe', 'uber', 'naive']],
  ['parseHTTPResponse user_id', ['parse', 'http', 'response', 'user', 'id']],
  ['version2beta', ['version', '2', 'beta']],
  ['我喜欢北京', ['我', '喜欢', '北京']],
  ['', []],
  ['…!?', []],
])('%j has the words %j', (text, words) => {
  const plain = words.map((word) => word.normalize('NFKD').replace(/\p{M}/gu, ''));
  expect(textWords(text, nothing)).toEqual(plain);
});

test('a text that consists of stop words includes them', () => {
  expect(textWords('To be or not to be', nothing)).toEqual(['to', 'be', 'or', 'not', 'to', 'be']);
});

test('a known word is not split', () => {
  expect(textWords('JavaScript', (word) => word === 'javascript')).toEqual(['javascript']);
});
