import { isContemporaryYear, parseYear } from './numeric-date.ts';
import { type DateContext, type Token, textAt, tokenAt } from './tokens.ts';

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** What is counted or measured: a number before one of these is no year and no day. */
const counted = setOf(
  'people users dollars euros pounds bucks cents usd eur gbp steps miles km kilometers ' +
    'kilometres meters metres feet ft inches acres kcal calories times words characters lines ' +
    'files pages items points votes seats students employees members men women children kids ' +
    'soldiers troops cases deaths copies units pieces messages tokens bytes kb mb gb tb ms ' +
    'seconds minutes hours days weeks months years kg grams lbs sq square percent hp rpm watts ' +
    'volts followers likes views subscribers customers participants rows records entries ' +
    'requests tests commits tons tonnes degrees games players guests houses books songs vision',
);

/** Before these a number is a count, or the name of a thing. */
const counting = setOf(
  'than over under about least most to costs cost paid worth only nearly almost approximately ' +
    'roughly exactly another extra plus minus times number no nr room page port version model ' +
    'line error code ticket flight bus order issue id chapter section step windows office rfc ' +
    'at highway route street hotel suite gate bug article build release channel pin total',
);

/** After these a round number, too, is a year. */
const dating = setOf(
  'in since until till year during before after early mid late circa by spring summer fall ' +
    'autumn winter jan january',
);

/** Written right before a number, these say what it counts; a dash may follow a few words. */
const holding = setOf('. $ € £ ¥ # @ % : = & + * / \\ _');

/** Whether a number before the place `after` counts something. */
export function isCountedQuantity(reading: DateContext, after: number): boolean {
  const next = tokenAt(reading, after);
  if (next.kind === 'mark' && next.isAttached && '%°/'.includes(next.text)) return true;
  if (next.text === '-' && next.isAttached) return counted.has(`${textAt(reading, after + 1)}s`);
  return next.kind === 'word' && counted.has(next.text);
}

/** A small word that ends in "s" and counts nothing. */
const small = setOf('was is us its this his as has does yes thus');

/** Whether a number that stands by itself is a year. */
export function parseBareYear(reading: DateContext, at: number): number | null {
  const token = tokenAt(reading, at);
  const year = parseYear(token);
  if (year === null || !isContemporaryYear(year) || isCountedQuantity(reading, at + 1)) return null;
  if (reading.isCertain) return year;
  const before = tokenAt(reading, at - 1);
  // One of several runs of digits: a telephone number.
  if (before.kind === 'number' || tokenAt(reading, at + 1).kind === 'number') return null;
  if ('=+*<>'.includes(before.text) && before.kind === 'mark') return null;
  if (token.isAttached && !mayTouch(reading, before, at)) return null;
  if (token.text.endsWith('00')) return round(reading, at) ? year : null;
  if (dating.has(before.text)) return year;
  return counting.has(before.text) || year < 1950 || year > 2049 ? null : year;
}

function mayTouch(reading: DateContext, before: Token, at: number): boolean {
  if (before.kind !== 'mark') return false;
  if (holding.has(before.text)) return false;
  if (before.text !== '-') return true;
  return ['mid', 'early', 'late', 'pre', 'post'].includes(textAt(reading, at - 2));
}

/** "In 2000" is a year, "2000 houses" and "in 2000 houses" are not. */
function round(reading: DateContext, at: number): boolean {
  if (!dating.has(textAt(reading, at - 1))) return false;
  const next = tokenAt(reading, at + 1);
  const many = next.kind === 'word' && !next.isCapitalized && next.text.endsWith('s');
  return !many || small.has(next.text);
}
