import { describe, expect, it } from 'vitest';
import { hasTimeExpression, isTemporalQuestion, parseDates } from './index.ts';

const reference = new Date('2023-06-14T10:00:00Z');

/** Words and numbers that resemble a time but are none. */
const timeless = [
  'I love my dog.',
  'you may go',
  'May we go?',
  'May your days be merry.',
  'he can march on',
  'March for peace',
  'the sun is out',
  'this sun is hot',
  'I sat there, we wed in church',
  'Sat nav, Sun Microsystems, Mon Dieu',
  'April called me, June said hi',
  'Jan said so',
  'an august body',
  'a second try, second to none',
  'in the second place',
  'fall down, spring into action',
  'now and then',
  'last but not least, at last',
  'the last one, next to me, next door',
  'the other side',
  'every other day',
  'a new car',
  'USA Today',
  'the middle of nowhere, the end of story',
  'version 1.2.3',
  'v2.10.3 and node 20.12.1',
  '1/2 cup, 24/7, 50/50',
  '10/20',
  'rated 9/10',
  '555-123-4567',
  'call +1 2023 555 1234',
  '192.168.20.1',
  'ISBN 978-3-16-148410-0',
  '10-12-14',
  'order 20230507',
  'invoice 2023-0512',
  '2000 people',
  '2019 followers',
  'the 2000 houses, in 2000 houses, in 2000 gadgets',
  'by 2000 votes, up to 2000',
  'it costs 2023 dollars',
  '$2019, €2020, #2021, 2019%',
  'room 2019, port 2020, line 2021',
  'Windows 2000, 2020 vision',
  'const x = 2020;',
  'a/b/2023, 1,999, 3.14',
  'COVID-19',
  'file_2023-05-07.log',
  'the score was 3-2',
  'from 3 to 7, between 3 and 7',
  'May 32, 2023-13-01, 31/02/2023',
  'in her twenties, in his late 30s',
  'in the low 60s',
  'we march 10 miles',
  'chapter 7 may help',
  'on the 5th floor',
  'the first time, for the third time',
  'Christmas tree',
];

describe('a text without a time', () => {
  it.each(timeless)('contains none: %s', (text) => {
    expect(parseDates(text, reference)).toEqual([]);
    expect(hasTimeExpression(text)).toBe(false);
  });
});

describe('a time that is no date', () => {
  it.each([
    'for three years',
    '10 minutes',
    'It took 2.5 hours.',
    "We've been married for 5 years",
    'the first time in three years',
    'a 20-year career',
    'once in a year',
    'many years ago',
    'ages ago',
    'since then',
    'I have known her since we met',
    'meeting at 5pm',
    'call at 14:30',
    "at five o'clock",
    'at noon',
    'on Tuesdays',
    'every Monday',
    'from Monday to Friday',
    'Good Friday',
    'in the 19th century',
  ])('is stated and not read: %s', (text) => {
    expect(parseDates(text, reference)).toEqual([]);
    expect(hasTimeExpression(text)).toBe(true);
  });
});

describe('a query', () => {
  it.each([
    'when did I go to Rome?',
    'When was the party',
    "when's my flight",
    'when',
    'where and when did we meet',
    'tell me when I started the job',
    'do you remember when we met?',
    'how long have I lived here',
    'how many days ago did I buy the car',
    'How many years have passed?',
    'How much time did I spend',
    'which year did she move',
    'In what month did Ann get married',
    'what day was the concert',
    'what time is it',
    'what is the date of the wedding',
    'since when do I smoke',
  ])('asks for a time: %s', (query) => expect(isTemporalQuestion(query)).toBe(true));

  it.each([
    '',
    'what is my password',
    'what did I say when we met',
    'what should I do when in Rome',
    'what happened when the server crashed?',
    'When I was in Rome, what did I eat?',
    'how often do I run',
    'how many times did I run',
    'what time zone am I in',
    'what day-to-day work does he do',
    'what did she do in May?',
    'whenever I call',
  ])('asks for something else: %s', (query) => expect(isTemporalQuestion(query)).toBe(false));
});
