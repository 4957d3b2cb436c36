import type { DayPart, Part, Unit } from './said.ts';

/**
 * What a word may mean. A month is `plain` when the word means nothing else, a `name` of people
 * (April), a `verb` (may), or `short` (Jan); a weekday is `word` when its short form is one (sun).
 */
export type Meaning =
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
  | { readonly is: 'unit'; readonly unit: Unit; readonly plural: boolean }
  | { readonly is: 'season'; readonly month: number; readonly verb: boolean }
  | { readonly is: 'number'; readonly low: number; readonly high: number }
  | { readonly is: 'ordinal'; readonly value: number }
  | { readonly is: 'quarter'; readonly month: number; readonly months: number }
  | { readonly is: 'shift'; readonly by: -1 | 0 | 1; readonly rolls: boolean }
  | { readonly is: 'day'; readonly by: number; readonly night: boolean }
  | { readonly is: 'dayPart'; readonly part: DayPart }
  | { readonly is: 'part'; readonly part: Part; readonly of: boolean }
  | { readonly is: 'decade'; readonly year: number }
  | { readonly is: 'feast'; readonly name: Feast }
  | { readonly is: 'link'; readonly link: 'since' | 'between' | 'from' | 'other' | 'in' };

export type Feast = 'christmas' | 'halloween' | 'new-year' | 'valentine' | 'thanksgiving';

const words = new Map<string, Meaning>();

function mean(names: string, meaning: Meaning): void {
  for (const name of names.split(' ')) words.set(name, meaning);
}

const each = (names: string, meaning: (index: number) => Meaning): void => {
  for (const [index, name] of names.split(' ').entries()) words.set(name, meaning(index));
};

const monthNames =
  'january february march april may june july august september october november december';
each(monthNames, (index) => ({ is: 'month', month: index + 1, sure: 'plain' }));
for (const name of ['april', 'june', 'august']) setSure(name, 'name');
for (const name of ['march', 'may']) setSure(name, 'verb');
each('jan feb mar apr - jun jul aug sep oct nov dec', (index) => ({
  is: 'month',
  month: index + 1,
  sure: 'short',
}));
mean('sept', { is: 'month', month: 9, sure: 'short' });

function setSure(name: string, sure: 'name' | 'verb'): void {
  const known = words.get(name);
  if (known?.is === 'month') words.set(name, { ...known, sure });
}

each('monday tuesday wednesday thursday friday saturday sunday', (weekday) => ({
  is: 'weekday',
  weekday,
  sure: 'plain',
}));
for (const [weekday, names] of ['', 'tue tues', '', 'thu thur thurs', 'fri'].entries()) {
  mean(names, { is: 'weekday', weekday, sure: 'short' });
}
for (const [weekday, name] of ['mon', '', 'wed', '', '', 'sat', 'sun'].entries()) {
  mean(name, { is: 'weekday', weekday, sure: 'word' });
}

const units: readonly (readonly [Unit, string, string])[] = [
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
  mean(one, { is: 'unit', unit, plural: false });
  mean(many, { is: 'unit', unit, plural: true });
}

mean('spring', { is: 'season', month: 3, verb: true });
mean('summer', { is: 'season', month: 6, verb: false });
mean('autumn', { is: 'season', month: 9, verb: false });
mean('fall', { is: 'season', month: 9, verb: true });
mean('winter', { is: 'season', month: 12, verb: false });

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen ' +
  'sixteen seventeen eighteen nineteen twenty';
each(small, (value) => ({ is: 'number', low: value, high: value }));
each('thirty forty fifty sixty seventy eighty ninety', (index) => {
  const value = 10 * (index + 3);
  return { is: 'number', low: value, high: value };
});
mean('a an', { is: 'number', low: 1, high: 1 });
mean('half', { is: 'number', low: 0.5, high: 0.5 });
mean('couple', { is: 'number', low: 2, high: 3 });
mean('few', { is: 'number', low: 2, high: 5 });
mean('several', { is: 'number', low: 3, high: 7 });
mean('dozen', { is: 'number', low: 12, high: 12 });

const ordinals =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth ' +
  'fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth';
each(ordinals, (index) => ({ is: 'ordinal', value: index + 1 }));
mean('thirtieth', { is: 'ordinal', value: 30 });

each('q1 q2 q3 q4', (index) => ({ is: 'quarter', month: 1 + 3 * index, months: 3 }));
each('h1 h2', (index) => ({ is: 'quarter', month: 1 + 6 * index, months: 6 }));

mean('last previous', { is: 'shift', by: -1, rolls: false });
mean('past', { is: 'shift', by: -1, rolls: true });
mean('this current', { is: 'shift', by: 0, rolls: false });
mean('next', { is: 'shift', by: 1, rolls: false });
mean('coming upcoming', { is: 'shift', by: 1, rolls: true });

mean('today', { is: 'day', by: 0, night: false });
mean('tonight', { is: 'day', by: 0, night: true });
mean('yesterday', { is: 'day', by: -1, night: false });
mean('tomorrow', { is: 'day', by: 1, night: false });
for (const part of ['morning', 'afternoon', 'evening', 'night'] as const) {
  mean(part, { is: 'dayPart', part });
}

mean('early', { is: 'part', part: 'early', of: false });
mean('mid', { is: 'part', part: 'mid', of: false });
mean('late', { is: 'part', part: 'late', of: false });
mean('beginning start', { is: 'part', part: 'early', of: true });
mean('middle', { is: 'part', part: 'mid', of: true });
mean('end', { is: 'part', part: 'late', of: true });

each('twenties thirties forties fifties sixties seventies eighties nineties', (index) => ({
  is: 'decade',
  year: 20 + 10 * index,
}));

mean('christmas xmas', { is: 'feast', name: 'christmas' });
mean('halloween', { is: 'feast', name: 'halloween' });
mean('valentine valentines', { is: 'feast', name: 'valentine' });
mean('thanksgiving', { is: 'feast', name: 'thanksgiving' });
mean('new', { is: 'feast', name: 'new-year' });

for (const link of ['since', 'between', 'from', 'other', 'in'] as const) {
  mean(link, { is: 'link', link });
}
words.delete('');
words.delete('-');

export const meaningOf = (word: string): Meaning | null => words.get(word) ?? null;

/** Kinds of words of which each date has one, unless it has a digit. */
const anchors = ['month', 'weekday', 'unit', 'season', 'day', 'dayPart', 'decade', 'feast'];

/** Of the last kind, too common to be a sign of a date: "new" is one only before "year". */
const common = new Set(['new', 'second', 'sec', 'min', 'fall', 'spring']);

const anchorWords = [...words]
  .filter(([word, { is }]) => anchors.includes(is) && !common.has(word))
  .map(([word]) => word);

/** A word that begins one of the others stands for both: "mon" for "monday" and "months". */
const shortest = anchorWords.filter(
  (word) => !anchorWords.some((other) => other !== word && word.startsWith(other)),
);

/** Cheap sign that a text may state a date: without it, it states none. */
export const mayState = new RegExp(
  `\\d|\\b(?:${shortest.join('|')}|ago\\b|spring|fall|new year)`,
  'i',
);
