import { describe, expect, it } from 'vitest';
import { type DateRange, parseDates } from './index.ts';

type Row = readonly [text: string, ...expected: string[]];

const instant = (ms: number): string =>
  new Date(ms)
    .toISOString()
    .replace('T00:00:00.000Z', '')
    .replace(/(?::00)?\.000Z$/, '');

/** `words: from/to grain`; times without trailing zeros; a whole day has no end. */
function shown({ text, from, to, grain }: DateRange): string {
  const day = to - from === 86_400_000 && grain === 'day';
  return `${text}: ${instant(from)}${day ? '' : `/${instant(to)}`} ${grain}`;
}

/** A Wednesday. */
const wednesday = '2023-06-14T10:00:00Z';

const check = (rows: readonly Row[], reference = wednesday): void => {
  it.each(rows.map(([text, ...expected]) => ({ text, expected })))('$text', (row) => {
    expect(parseDates(row.text, new Date(reference)).map(shown)).toEqual(row.expected);
  });
};

describe('a date of the calendar is read as the time it names', () => {
  check([
    ['We met on 2023-05-07.', '2023-05-07: 2023-05-07 day'],
    ['2023/05/07 or 2023.05.07', '2023/05/07: 2023-05-07 day', '2023.05.07: 2023-05-07 day'],
    ['Budget for 2023-05', '2023-05: 2023-05-01/2023-06-01 month'],
    ['May 7, 2023', 'May 7, 2023: 2023-05-07 day'],
    ['may 7th 2023', 'may 7th 2023: 2023-05-07 day'],
    ['May 7,2023', 'May 7,2023: 2023-05-07 day'],
    ['May the 4th, 2019', 'May the 4th, 2019: 2019-05-04 day'],
    ['7 May 2023', '7 May 2023: 2023-05-07 day'],
    ['the 7th of May, 2023', '7th of May, 2023: 2023-05-07 day'],
    ['the seventh of May 2023', 'seventh of May 2023: 2023-05-07 day'],
    ['Monday, May 8, 2023', 'Monday, May 8, 2023: 2023-05-08 day'],
    ['Mon 8 May 2023', 'Mon 8 May 2023: 2023-05-08 day'],
    ['On Wed, Jun 14, 2023 at 10:00 AM Bob wrote', 'Wed, Jun 14, 2023: 2023-06-14 day'],
    ['Sat, 21 Feb 2015 11:50:48 -0500', 'Sat, 21 Feb 2015: 2015-02-21 day'],
    ['Jan. 21st, 2022', 'Jan. 21st, 2022: 2022-01-21 day'],
    ['29 February 2024', '29 February 2024: 2024-02-29 day'],
    ['7/5/2023', '7/5/2023: 2023-07-05 day'],
    ['15/5/2023', '15/5/2023: 2023-05-15 day'],
    ['5/7/23 and 5/7/87', '5/7/23: 2023-05-07 day', '5/7/87: 1987-05-07 day'],
    ['10-12-2014', '10-12-2014: 2014-10-12 day'],
    ['07.05.2023', '07.05.2023: 2023-05-07 day'],
    ['05.13.2023', '05.13.2023: 2023-05-13 day'],
    ['我们在2023年5月7日见面', '2023年5月7日: 2023-05-07 day'],
    ['2023年5月', '2023年5月: 2023-05-01/2023-06-01 month'],
    ['2019年', '2019年: 2019-01-01/2020-01-01 year'],
    ['5月7日', '5月7日: 2023-05-07 day'],
    ['2023년 5월 7일', '2023년 5월 7일: 2023-05-07 day'],
    ['May 2023', 'May 2023: 2023-05-01/2023-06-01 month'],
    ['in december of 2020', 'december of 2020: 2020-12-01/2021-01-01 month'],
    ["May '22", "May '22: 2022-05-01/2022-06-01 month"],
    ['Sept. 2021', 'Sept. 2021: 2021-09-01/2021-10-01 month'],
    ['2023', '2023: 2023-01-01/2024-01-01 year'],
    ['In 1984, he left.', '1984: 1984-01-01/1985-01-01 year'],
    ['back in 2000', '2000: 2000-01-01/2001-01-01 year'],
    ['my 2022 goals', '2022: 2022-01-01/2023-01-01 year'],
    ["back in '98", "'98: 1998-01-01/1999-01-01 year"],
    ['in the 90s', '90s: 1990-01-01/2000-01-01 decade'],
    ["the '60s", '60s: 1960-01-01/1970-01-01 decade'],
    ['the 1980s', '1980s: 1980-01-01/1990-01-01 decade'],
    ["the 1980's", "1980's: 1980-01-01/1990-01-01 decade"],
    ['the nineties', 'nineties: 1990-01-01/2000-01-01 decade'],
    ['summer 2022', 'summer 2022: 2022-06-01/2022-09-01 season'],
    ['the fall of 2012', 'fall of 2012: 2012-09-01/2012-12-01 season'],
    ['winter of 2022', 'winter of 2022: 2022-12-01/2023-03-01 season'],
    ['Q3 2024', 'Q3 2024: 2024-07-01/2024-10-01 season'],
    ['2024 Q1', '2024 Q1: 2024-01-01/2024-04-01 season'],
    ['H2 2021', 'H2 2021: 2021-07-01/2022-01-01 season'],
    ['Thanksgiving 2022', 'Thanksgiving 2022: 2022-11-24 day'],
    ["New Year's Eve 2022", "New Year's Eve 2022: 2022-12-31 day"],
    ['christmas eve 2021', 'christmas eve 2021: 2021-12-24 day'],
    ['at 2023-05-07T12:30:00Z', '2023-05-07T12:30:00Z: 2023-05-07T12:30/2023-05-07T12:30:01 time'],
    [
      '2023-05-07T01:30:15.123+02:00',
      '2023-05-07T01:30:15.123+02:00: 2023-05-06T23:30:15/2023-05-06T23:30:16 time',
    ],
    ['2023-05-07 12:30', '2023-05-07 12:30: 2023-05-07T12:30/2023-05-07T12:31 time'],
    ['The 30th of February 2023', 'February 2023: 2023-02-01/2023-03-01 month'],
  ]);
});

describe('a part of a date is the time it names within it', () => {
  check([
    ['early June', 'early June: 2023-06-01/2023-06-11 month'],
    ['mid-May', 'mid-May: 2023-05-11/2023-05-21 month'],
    ['late June 2022', 'late June 2022: 2022-06-21/2022-07-01 month'],
    ['early may', 'early may: 2023-05-01/2023-05-11 month'],
    ['end of April', 'end of April: 2023-04-21/2023-05-01 month'],
    ['late 2019', 'late 2019: 2019-09-01/2020-01-01 year'],
    ['at the beginning of 2023', 'beginning of 2023: 2023-01-01/2023-05-01 year'],
    ['late last year', 'late last year: 2022-09-01/2023-01-01 year'],
    ['by the end of the month', 'end of the month: 2023-06-21/2023-07-01 month'],
    ['the early 90s', 'early 90s: 1990-01-01/1994-01-01 decade'],
    ['mid-1990s', 'mid-1990s: 1994-01-01/1997-01-01 decade'],
    ['the last week of May', 'last week of May: 2023-05-25/2023-06-01 week'],
    ['the first week of May 2022', 'first week of May 2022: 2022-05-01/2022-05-08 week'],
    ['the first Monday of May 2023', 'first Monday of May 2023: 2023-05-01 day'],
    ['the last Saturday in April', 'last Saturday in April: 2023-04-29 day'],
    ['the last day of 2022', 'last day of 2022: 2022-12-31 day'],
    ['the second half of 2022', 'second half of 2022: 2022-07-01/2023-01-01 season'],
    ['the third quarter of 2022', 'third quarter of 2022: 2022-07-01/2022-10-01 season'],
    ['the week of May 3', 'week of May 3: 2023-05-01/2023-05-08 week'],
    ['the weekend of 3 May 2023', 'weekend of 3 May 2023: 2023-05-06/2023-05-08 day'],
    ['the evening of 7 May', 'evening of 7 May: 2023-05-07T17:00/2023-05-08 time'],
  ]);
});

describe('two dates that belong together are one range', () => {
  check([
    ['between 3 and 7 May 2023', 'between 3 and 7 May 2023: 2023-05-03/2023-05-08 day'],
    ['from 3 to 7 May', 'from 3 to 7 May: 2023-05-03/2023-05-08 day'],
    ['May 3-7, 2022', 'May 3-7, 2022: 2022-05-03/2022-05-08 day'],
    ['May 3rd – 7th', 'May 3rd – 7th: 2023-05-03/2023-05-08 day'],
    ['from May to July 2022', 'from May to July 2022: 2022-05-01/2022-08-01 month'],
    ['May to July 2022', 'May to July 2022: 2022-05-01/2022-08-01 month'],
    ['Jan–Mar 2021', 'Jan–Mar 2021: 2021-01-01/2021-04-01 month'],
    ['from November to February', 'from November to February: 2022-11-01/2023-03-01 month'],
    ['October 2021 to March 2022', 'October 2021 to March 2022: 2021-10-01/2022-04-01 month'],
    ['from May 3 to June 7, 2022', 'from May 3 to June 7, 2022: 2022-05-03/2022-06-08 day'],
    ['from October 2021 to March', 'from October 2021 to March: 2021-10-01/2022-04-01 month'],
    ['between 2019 and 2021', 'between 2019 and 2021: 2019-01-01/2022-01-01 year'],
    ['2019-2021', '2019-2021: 2019-01-01/2022-01-01 year'],
    ['1/5/2020 to 3/5/2020', '1/5/2020 to 3/5/2020: 2020-01-05/2020-03-06 day'],
    ['2020-01-05/2020-02-07', '2020-01-05/2020-02-07: 2020-01-05/2020-02-08 day'],
    ['from the 1950s to the 1970s', 'from the 1950s to the 1970s: 1950-01-01/1980-01-01 decade'],
    ['from Q1 to Q3 2022', 'from Q1 to Q3 2022: 2022-01-01/2022-10-01 season'],
    ['since 2016', 'since 2016: 2016-01-01/2023-06-15 year'],
    ['ever since last Christmas', 'since last Christmas: 2022-12-25/2023-06-15 day'],
    ['from 2021 to 2019', 'from 2021 to 2019: 2019-01-01/2022-01-01 year'],
  ]);
});

describe('two dates that do not belong together are two ranges', () => {
  check([
    ['until 2025', '2025: 2025-01-01/2026-01-01 year'],
    ['yesterday and today', 'yesterday: 2023-06-13 day', 'today: 2023-06-14 day'],

    ['3 May and 7 June 2021', '3 May: 2021-05-03 day', '7 June 2021: 2021-06-07 day'],
    [
      'January and February 2021',
      'January: 2021-01-01/2021-02-01 month',
      'February 2021: 2021-02-01/2021-03-01 month',
    ],
  ]);
});

describe('a relative date is counted from the reference', () => {
  check([
    ['I went yesterday.', 'yesterday: 2023-06-13 day'],
    ["today's news", 'today: 2023-06-14 day'],
    ['tomorrow', 'tomorrow: 2023-06-15 day'],
    ['the day before yesterday', 'day before yesterday: 2023-06-12 day'],
    ['the day after tomorrow', 'day after tomorrow: 2023-06-16 day'],
    ['tonight', 'tonight: 2023-06-14T18:00/2023-06-15T06:00 time'],
    ['last night', 'last night: 2023-06-13T18:00/2023-06-14T06:00 time'],
    ['this morning', 'this morning: 2023-06-14T05:00/2023-06-14T12:00 time'],
    ['yesterday afternoon', 'yesterday afternoon: 2023-06-13T12:00/2023-06-13T18:00 time'],
    ['the night before last', 'night before last: 2023-06-12T18:00/2023-06-13T06:00 time'],
    ['last week', 'last week: 2023-06-05/2023-06-12 week'],
    ['this week', 'this week: 2023-06-12/2023-06-19 week'],
    ['next week', 'next week: 2023-06-19/2023-06-26 week'],
    ['the week before last', 'week before last: 2023-05-29/2023-06-05 week'],
    ['the weekend after next', 'weekend after next: 2023-07-01/2023-07-03 day'],
    ['last month', 'last month: 2023-05-01/2023-06-01 month'],
    ['next month', 'next month: 2023-07-01/2023-08-01 month'],
    ['last quarter', 'last quarter: 2023-01-01/2023-04-01 season'],
    ['last year', 'last year: 2022-01-01/2023-01-01 year'],
    ['the previous year', 'previous year: 2022-01-01/2023-01-01 year'],
    ['this decade', 'this decade: 2020-01-01/2030-01-01 decade'],
    ['last weekend', 'last weekend: 2023-06-10/2023-06-12 day'],
    ['this past weekend', 'this past weekend: 2023-06-10/2023-06-12 day'],
    ['this weekend', 'this weekend: 2023-06-17/2023-06-19 day'],
    ['over the weekend', 'weekend: 2023-06-10/2023-06-12 day'],
    ['two weekends ago', 'two weekends ago: 2023-06-03/2023-06-05 day'],
    ['two Sundays ago', 'two Sundays ago: 2023-06-04 day'],
    ['two summers ago', 'two summers ago: 2021-06-01/2021-09-01 season'],
    ['the past two weeks', 'past two weeks: 2023-05-31/2023-06-15 week'],
    ['the last few months', 'last few months: 2023-01-14/2023-06-15 month'],
    ['over the past year', 'past year: 2022-06-14/2023-06-15 year'],
    ['in the last 24 hours', 'last 24 hours: 2023-06-13T10:00/2023-06-14T10:00 time'],
    ['the next few days', 'next few days: 2023-06-14/2023-06-20 day'],
    ['3 days ago', '3 days ago: 2023-06-11 day'],
    ['twenty-one days ago', 'twenty-one days ago: 2023-05-24 day'],
    ['2 or 3 days ago', '2 or 3 days ago: 2023-06-11/2023-06-13 day'],
    ['a few days ago', 'a few days ago: 2023-06-09/2023-06-13 day'],
    ['the other day', 'other day: 2023-06-07/2023-06-13 day'],
    ['a week ago', 'a week ago: 2023-06-04/2023-06-11 week'],
    ['a couple of weeks ago', 'a couple of weeks ago: 2023-05-21/2023-06-04 week'],
    ['a month or two ago', 'a month or two ago: 2023-04-01/2023-06-01 month'],
    ['three years ago', 'three years ago: 2020-01-01/2021-01-01 year'],
    ['a few years back.', 'a few years back: 2018-01-01/2022-01-01 year'],
    ['a year and a half ago', 'a year and a half ago: 2021-11-01/2022-02-01 year'],
    ['2 years and 3 months ago', '2 years and 3 months ago: 2021-03-01/2021-04-01 month'],
    ['a decade ago', 'a decade ago: 2011-01-01/2016-01-01 decade'],
    ['a second ago', 'a second ago: 2023-06-14T09:59:58.500Z/2023-06-14T09:59:59.500Z time'],
    ['2 hours ago', '2 hours ago: 2023-06-14T07:30/2023-06-14T08:30 time'],
    ['in two weeks', 'in two weeks: 2023-06-25/2023-07-02 week'],
    ['three weeks from now', 'three weeks from now: 2023-07-02/2023-07-09 week'],
    ['a week from Monday', 'a week from Monday: 2023-06-26 day'],
    ['the week before 9 June 2023', 'week before 9 June 2023: 2023-06-02/2023-06-09 week'],
    ['the month after July 2022', 'month after July 2022: 2022-08-01/2022-09-01 month'],
    ['two weeks before 9 June 2023', 'two weeks before 9 June 2023: 2023-05-26 day'],
    ['two days after May 7, 2023', 'two days after May 7, 2023: 2023-05-09 day'],
    ['the Friday before 15 May 2023', 'Friday before 15 May 2023: 2023-05-12 day'],
    ['the Sunday after 15 May 2023', 'Sunday after 15 May 2023: 2023-05-21 day'],
    ['the weekend before 9 May 2023', 'weekend before 9 May 2023: 2023-05-06/2023-05-08 day'],
    ['July of last year', 'July of last year: 2022-07-01/2022-08-01 month'],
    ['May 7 last year', 'May 7 last year: 2022-05-07 day'],
    ['I read it, last week.', 'last week: 2023-06-05/2023-06-12 week'],
    [
      'I started in 2016, so over 7 years ago',
      '2016: 2016-01-01/2017-01-01 year',
      '7 years ago: 2016-01-01/2017-01-01 year',
    ],
  ]);
});

describe('a date that comes again is the nearest one that has begun', () => {
  check([
    ['on Monday', 'Monday: 2023-06-12 day'],
    ['Wednesday', 'Wednesday: 2023-06-14 day'],
    ['on Thursday night', 'Thursday night: 2023-06-08T18:00/2023-06-09T06:00 time'],
    ['on fri', 'fri: 2023-06-09 day'],
    ['last Friday', 'last Friday: 2023-06-09 day'],
    ['last Wednesday', 'last Wednesday: 2023-06-07 day'],
    ['last Sat', 'last Sat: 2023-06-10 day'],
    ['this Friday', 'this Friday: 2023-06-16 day'],
    ['next Friday', 'next Friday: 2023-06-23 day'],
    ['Friday of last week', 'Friday of last week: 2023-06-09 day'],
    ['last week on Tuesday', 'last week on Tuesday: 2023-06-06 day'],
    ['in March', 'March: 2023-03-01/2023-04-01 month'],
    ['in June', 'June: 2023-06-01/2023-07-01 month'],
    ['in august', 'august: 2022-08-01/2022-09-01 month'],
    ['last May', 'last May: 2023-05-01/2023-06-01 month'],
    ['next May', 'next May: 2024-05-01/2024-06-01 month'],
    ['Dec 25', 'Dec 25: 2022-12-25 day'],
    ['June 14 and 15 June', 'June 14: 2023-06-14 day', '15 June: 2022-06-15 day'],
    ['Tuesday, 3 May', 'Tuesday, 3 May: 2023-05-03 day'],
    ['on the 5th, we', '5th: 2023-06-05 day'],
    ['on the 31st', '31st: 2023-05-31 day'],
    ['Friday the 13th', 'Friday the 13th: 2023-01-13 day'],
    ['February 29', 'February 29: 2020-02-29 day'],
    ['last summer', 'last summer: 2022-06-01/2022-09-01 season'],
    ['this fall', 'this fall: 2023-09-01/2023-12-01 season'],
    ['in the spring', 'spring: 2023-03-01/2023-06-01 season'],
    ['on Christmas', 'Christmas: 2022-12-25 day'],
    ['next Halloween', 'next Halloween: 2023-10-31 day'],
  ]);
});

describe('where a sentence speaks of what will be, such a date is the next one', () => {
  check([
    ["I'll see you on Friday", 'Friday: 2023-06-16 day'],
    ['On Monday we will move', 'Monday: 2023-06-19 day'],
    ["I'm flying to Rome in September", 'September: 2023-09-01/2023-10-01 month'],
    ['We are going to marry on August 5', 'August 5: 2023-08-05 day'],
    ['See you on Sunday', 'Sunday: 2023-06-18 day'],
    ["Let's meet on Monday", 'Monday: 2023-06-19 day'],
    ['Will moved on Monday', 'Monday: 2023-06-12 day'],
    ['We will see. It was on Monday.', 'Monday: 2023-06-12 day'],
    ['She was going to call on Monday', 'Monday: 2023-06-12 day'],
  ]);
});

describe('on a Sunday', () => {
  check(
    [
      ['this week', 'this week: 2023-06-12/2023-06-19 week'],
      ['last weekend', 'last weekend: 2023-06-10/2023-06-12 day'],
      ['this weekend', 'this weekend: 2023-06-17/2023-06-19 day'],
      ['on the weekend', 'weekend: 2023-06-17/2023-06-19 day'],
      ['last Sunday', 'last Sunday: 2023-06-11 day'],
      ['next Monday', 'next Monday: 2023-06-19 day'],
    ],
    '2023-06-18T23:59:59.999Z',
  );
});

describe('on New Year’s Day', () => {
  check(
    [
      ['yesterday', 'yesterday: 2023-12-31 day'],
      ['last month', 'last month: 2023-12-01/2024-01-01 month'],
      ['two months ago', 'two months ago: 2023-11-01/2023-12-01 month'],
      ['last quarter', 'last quarter: 2023-10-01/2024-01-01 season'],
      ['this winter', 'this winter: 2023-12-01/2024-03-01 season'],
      ['last winter', 'last winter: 2022-12-01/2023-03-01 season'],
      ['in January', 'January: 2024-01-01/2024-02-01 month'],
      [
        'the 20s and the 30s',
        '20s: 2020-01-01/2030-01-01 decade',
        '30s: 1930-01-01/1940-01-01 decade',
      ],
    ],
    '2024-01-01T00:00:00Z',
  );
});

describe('in the first century', () => {
  check(
    [
      ['last month', 'last month: 0050-02-01/0050-03-01 month'],
      ['a year ago', 'a year ago: 0049-01-01/0050-01-01 year'],
    ],
    '0050-03-15T00:00:00Z',
  );
});
