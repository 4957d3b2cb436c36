import { describe, expect, it } from 'vitest';
import { parseCommaList, parseIdArgument, parseInteger, toSpaceField } from './options.ts';

describe('options', () => {
  it('accepts a list in one option or in several', () => {
    expect(parseCommaList('c, d', parseCommaList('a,,b'))).toEqual(['a', 'b', 'c', 'd']);
  });

  it.each(['', '1.5', 'two', '1e3', '99999999999999999'])('rejects the integer %j', (text) => {
    expect(() => parseInteger(text)).toThrow('Must be an integer.');
  });

  it('leaves the range check of an integer to the service', () => {
    expect([parseInteger('-1'), parseInteger('100000')]).toEqual([-1, 100_000]);
  });

  it.each(['', '.', '..'])('rejects the id %j, whose path is another resource', (text) => {
    expect(() => parseIdArgument(text)).toThrow('Must be an id.');
  });

  it('takes a space by its id, or by its name', () => {
    const id = '019B8D1C-3a41-7a52-8c1d-2e3f4a5b6c7d';
    expect(toSpaceField(id)).toEqual({ space_id: id });
    expect(toSpaceField('default')).toEqual({ space_id: 'default' });
    expect(toSpaceField('research')).toEqual({ space: 'research' });
    expect(toSpaceField('')).toEqual({ space: '' });
    expect(toSpaceField(undefined)).toEqual({});
  });
});
