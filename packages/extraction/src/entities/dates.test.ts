import { describe, expect, test } from 'vitest';
import { findDates } from './dates.ts';

// A Wednesday.
const at = new Date('2026-06-10T10:00:00Z');
const read = (text: string): string[] =>
  findDates(text, at).map(({ name, value }) => `${name} = ${value}`);

describe('dates of notes and letters', () => {
  test.each([
    ['We met on Monday.', ['Monday = 2026-06-08']],
    ['The talk is on Monday.', ['Monday = 2026-06-15']],
    ['Invoice due by 30 June.', ['30 June = 2026-06-30']],
    ['Next Thursday we fly.', ['Next Thursday = 2026-06-11']],
    ['It ended in late April.', ['late April = 2026-04']],
    ['He retires at the end of the year.', ['the end of the year = 2026-12-31']],
    ['I came two weeks ago.', ['two weeks ago = 2026-05-27']],
    ['He stays Friday until Tuesday.', ['Friday until Tuesday = 2026-06-12/2026-06-16']],
    ['From Q4 on it is ours.', ['Q4 = 2026-10/2026-12']],
    ['We go after the summer.', ['summer = 2026-06/2026-08']],
  ])('%s', (text, dates) => {
    expect(read(text)).toEqual(dates);
  });

  test('holidays move with the year', () => {
    expect(read('We meet on Good Friday and Black Friday 2027.')).toEqual([
      'Good Friday = 2027-03-26',
      'Black Friday 2027 = 2027-11-26',
    ]);
  });

  test('a date that names an event is not a date', () => {
    expect(read('The 3 May outage was short.')).toEqual([]);
  });

  test('there is no 30th of February', () => {
    expect(read('Reject the 30th of February.')).toEqual([]);
  });
});
