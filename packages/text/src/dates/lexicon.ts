import type { DayPart, PeriodPosition, TimeUnit } from './date-expression.ts';

/**
 * Possible meaning of a word. A month is `plain` if the word has no other meaning, a `name` of
 * people (April), a `verb` (may), or `short` (Jan); a weekday is `word` if its short form is a word
 * (sun).
 */
export type DateWordMeaning =
  | {
      readonly is: 'month';
      readonly month: number;
      readonly sure: 'plain' | 'name' | 'verb' | 'short';
    }
  | {
      readonly is: 'weekday';
      readonly weekday: number;
      readonly sure: 'plain' | 'short' | 'word';
    }
  | { readonly is: 'unit'; readonly unit: TimeUnit; readonly plural: boolean }
  | { readonly is: 'season'; readonly month: number; readonly verb: boolean }
  | { readonly is: 'number'; readonly low: number; readonly high: number }
  | { readonly is: 'ordinal'; readonly value: number }
  | { readonly is: 'quarter'; readonly month: number; readonly months: number }
  | { readonly is: 'shift'; readonly by: -1 | 0 | 1; readonly rolls: boolean }
  | { readonly is: 'day'; readonly by: number; readonly night: boolean }
  | { readonly is: 'dayPart'; readonly part: DayPart }
  | { readonly is: 'part'; readonly part: PeriodPosition; readonly of: boolean }
  | { readonly is: 'decade'; readonly year: number }
  | { readonly is: 'feast'; readonly name: Holiday }
  | { readonly is: 'link'; readonly link: 'since' | 'between' | 'from' | 'other' | 'in' };

export type Holiday = 'christmas' | 'halloween' | 'new-year' | 'valentine' | 'thanksgiving';

const words = new Map<string, DateWordMeaning>();

function defineWords(names: string, meaning: DateWordMeaning): void {
  for (const name of names.split(' ')) words.set(name, meaning);
}

const defineIndexedWords = (names: string, meaning: (index: number) => DateWordMeaning): void => {
  for (const [index, name] of names.split(' ').entries()) words.set(name, meaning(index));
};

const monthNames =
  'january february march april may june july august september october november december';
defineIndexedWords(monthNames, (index) => ({ is: 'month', month: index + 1, sure: 'plain' }));
for (const name of ['april', 'june', 'august']) setSure(name, 'name');
for (const name of ['march', 'may']) setSure(name, 'verb');
defineIndexedWords('jan feb mar apr - jun jul aug sep oct nov dec', (index) => ({
  is: 'month',
  month: index + 1,
  sure: 'short',
}));
defineWords('sept', { is: 'month', month: 9, sure: 'short' });

function setSure(name: string, sure: 'name' | 'verb'): void {
  const known = words.get(name);
  if (known?.is === 'month') words.set(name, { ...known, sure });
}

defineIndexedWords('monday tuesday wednesday thursday friday saturday sunday', (weekday) => ({
  is: 'weekday',
  weekday,
  sure: 'plain',
}));
for (const [weekday, names] of ['', 'tue tues', '', 'thu thur thurs', 'fri'].entries()) {
  defineWords(names, { is: 'weekday', weekday, sure: 'short' });
}
for (const [weekday, name] of ['mon', '', 'wed', '', '', 'sat', 'sun'].entries()) {
  defineWords(name, { is: 'weekday', weekday, sure: 'word' });
}

const units: readonly (readonly [TimeUnit, string, string])[] = [
  ['second', 'sec', 'seconds secs'],
  ['minute', 'minute min', 'minutes mins'],
  ['hour', 'hour hr', 'hours hrs'],
  ['day', 'day', 'days'],
  ['weekend', 'weekend', 'weekends'],
  ['week', 'week wk', 'weeks wks'],
  ['fortnight', 'fortnight', 'fortnights'],
  ['month', 'month', 'months'],
  ['quarter', 'quarter', 'quarters'],
  ['year', 'year yr', 'years yrs'],
  ['decade', 'decade', 'decades'],
];
for (const [unit, one, many] of units) {
  defineWords(one, { is: 'unit', unit, plural: false });
  defineWords(many, { is: 'unit', unit, plural: true });
}

defineWords('spring', { is: 'season', month: 3, verb: true });
defineWords('summer', { is: 'season', month: 6, verb: false });
defineWords('autumn', { is: 'season', month: 9, verb: false });
defineWords('fall', { is: 'season', month: 9, verb: true });
defineWords('winter', { is: 'season', month: 12, verb: false });

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen ' +
  'sixteen seventeen eighteen nineteen twenty';
defineIndexedWords(small, (value) => ({ is: 'number', low: value, high: value }));
defineIndexedWords('thirty forty fifty sixty seventy eighty ninety', (index) => {
  const value = 10 * (index + 3);
  return { is: 'number', low: value, high: value };
});
defineWords('a an', { is: 'number', low: 1, high: 1 });
defineWords('half', { is: 'number', low: 0.5, high: 0.5 });
defineWords('couple', { is: 'number', low: 2, high: 3 });
defineWords('few', { is: 'number', low: 2, high: 5 });
defineWords('several', { is: 'number', low: 3, high: 7 });
defineWords('dozen', { is: 'number', low: 12, high: 12 });

const ordinals =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth ' +
  'fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth';
defineIndexedWords(ordinals, (index) => ({ is: 'ordinal', value: index + 1 }));
defineWords('thirtieth', { is: 'ordinal', value: 30 });

defineIndexedWords('q1 q2 q3 q4', (index) => ({ is: 'quarter', month: 1 + 3 * index, months: 3 }));
defineIndexedWords('h1 h2', (index) => ({ is: 'quarter', month: 1 + 6 * index, months: 6 }));

defineWords('last previous', { is: 'shift', by: -1, rolls: false });
defineWords('past', { is: 'shift', by: -1, rolls: true });
defineWords('this current', { is: 'shift', by: 0, rolls: false });
defineWords('next', { is: 'shift', by: 1, rolls: false });
defineWords('coming upcoming', { is: 'shift', by: 1, rolls: true });

defineWords('today', { is: 'day', by: 0, night: false });
defineWords('tonight', { is: 'day', by: 0, night: true });
defineWords('yesterday', { is: 'day', by: -1, night: false });
defineWords('tomorrow', { is: 'day', by: 1, night: false });
for (const part of ['morning', 'afternoon', 'evening', 'night'] as const) {
  defineWords(part, { is: 'dayPart', part });
}

defineWords('early', { is: 'part', part: 'early', of: false });
defineWords('mid', { is: 'part', part: 'mid', of: false });
defineWords('late', { is: 'part', part: 'late', of: false });
defineWords('beginning start', { is: 'part', part: 'early', of: true });
defineWords('middle', { is: 'part', part: 'mid', of: true });
defineWords('end', { is: 'part', part: 'late', of: true });

defineIndexedWords(
  'twenties thirties forties fifties sixties seventies eighties nineties',
  (index) => ({
    is: 'decade',
    year: 20 + 10 * index,
  }),
);

defineWords('christmas xmas', { is: 'feast', name: 'christmas' });
defineWords('halloween', { is: 'feast', name: 'halloween' });
defineWords('valentine valentines', { is: 'feast', name: 'valentine' });
defineWords('thanksgiving', { is: 'feast', name: 'thanksgiving' });
defineWords('new', { is: 'feast', name: 'new-year' });

for (const link of ['since', 'between', 'from', 'other', 'in'] as const) {
  defineWords(link, { is: 'link', link });
}
words.delete('');
words.delete('-');

export const getDateWordMeaning = (word: string): DateWordMeaning | null => words.get(word) ?? null;

/** Each date without a digit contains a word of one of these kinds. */
const anchors = ['month', 'weekday', 'unit', 'season', 'day', 'dayPart', 'decade', 'feast'];

/** Words of these kinds that are too common as a cue: "new" counts only before "year". */
const common = new Set(['new', 'second', 'sec', 'min', 'fall', 'spring']);

const anchorWords = [...words]
  .filter(([word, { is }]) => anchors.includes(is) && !common.has(word))
  .map(([word]) => word);

/** A word that is a prefix of others represents them: "mon" for "monday" and "months". */
const shortest = anchorWords.filter(
  (word) => !anchorWords.some((other) => other !== word && word.startsWith(other)),
);

/** Cheap necessary condition: a text without a match contains no date. */
export const dateCuePattern = new RegExp(
  `\\d|\\b(?:${shortest.join('|')}|ago\\b|spring|fall|new year)`,
  'i',
);
