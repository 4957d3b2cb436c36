import { describe, expect, it } from 'vitest';
import { parseCommaList, parseIdArgument, parseInteger } from './options.ts';

describe('options', () => {
  it('takes a list in one piece or in several', () => {
    expect(parseCommaList('c, d', parseCommaList('a,,b'))).toEqual(['a', 'b', 'c', 'd']);
  });

  it.each(['', '1.5', 'two', '1e3', '99999999999999999'])('takes %j for no integer', (text) => {
    expect(() => parseInteger(text)).toThrow('It must be an integer.');
  });

  it('leaves the bounds of an integer to the service', () => {
    expect([parseInteger('-1'), parseInteger('100000')]).toEqual([-1, 100_000]);
  });

  it.each(['', '.', '..'])('takes %j for no id, since its path is another resource', (text) => {
    expect(() => parseIdArgument(text)).toThrow('It must be an id.');
  });
});
