import { isContemporaryYear, parseYear } from './numeric-date.ts';
import { type DateParserState, type Token, textAt, tokenAt } from './tokens.ts';

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Counted or measured things: a number before one of these is neither a year nor a day. */
const countedNouns = setOf(
  'people users dollars euros pounds bucks cents usd eur gbp steps miles km kilometers ' +
    'kilometres meters metres feet ft inches acres kcal calories times words characters lines ' +
    'files pages items points votes seats students employees members men women children kids ' +
    'soldiers troops cases deaths copies units pieces messages tokens bytes kb mb gb tb ms ' +
    'seconds minutes hours days weeks months years kg grams lbs sq square percent hp rpm watts ' +
    'volts followers likes views subscribers customers participants rows records entries ' +
    'requests tests commits tons tonnes degrees games players guests houses books songs vision',
);

/** After these words a number is a count or part of a name. */
const countCues = setOf(
  'than over under about least most to costs cost paid worth only nearly almost approximately ' +
    'roughly exactly another extra plus minus times number no nr room page port version model ' +
    'line error code ticket flight bus order issue id chapter section step windows office rfc ' +
    'at highway route street hotel suite gate bug article build release channel pin total',
);

/** After these words, a round number can also be a year. */
const yearCues = setOf(
  'in since until till year during before after early mid late circa by spring summer fall ' +
    'autumn winter jan january',
);

/** Marks before a number that exclude a year; a dash is allowed after a few words. */
const attachedMarks = setOf('. $ € £ ¥ # @ % : = & + * / \\ _');

/** Whether the number before index `after` counts something. */
export function isCountedQuantity(context: DateParserState, after: number): boolean {
  const next = tokenAt(context, after);
  if (next.kind === 'mark' && next.isAttached && '%°/'.includes(next.text)) return true;
  if (next.text === '-' && next.isAttached)
    return countedNouns.has(`${textAt(context, after + 1)}s`);
  return next.kind === 'word' && countedNouns.has(next.text);
}

/** Short words that end in "s" and are not plural nouns. */
const small = setOf('was is us its this his as has does yes thus');

/** The year at an index, if a number alone is a year. */
export function parseBareYear(context: DateParserState, at: number): number | null {
  const token = tokenAt(context, at);
  const year = parseYear(token);
  if (year === null || !isContemporaryYear(year) || isCountedQuantity(context, at + 1)) return null;
  if (context.isCertain) return year;
  const before = tokenAt(context, at - 1);
  // One of several groups of digits: a telephone number.
  if (before.kind === 'number' || tokenAt(context, at + 1).kind === 'number') return null;
  if ('=+*<>'.includes(before.text) && before.kind === 'mark') return null;
  if (token.isAttached && !mayTouch(context, before, at)) return null;
  if (token.text.endsWith('00')) return round(context, at) ? year : null;
  if (yearCues.has(before.text)) return year;
  return countCues.has(before.text) || year < 1950 || year > 2049 ? null : year;
}

function mayTouch(context: DateParserState, before: Token, at: number): boolean {
  if (before.kind !== 'mark') return false;
  if (attachedMarks.has(before.text)) return false;
  if (before.text !== '-') return true;
  return ['mid', 'early', 'late', 'pre', 'post'].includes(textAt(context, at - 2));
}

/** "In 2000" is a year; "2000 houses" and "in 2000 houses" are not. */
function round(context: DateParserState, at: number): boolean {
  if (!yearCues.has(textAt(context, at - 1))) return false;
  const next = tokenAt(context, at + 1);
  const many = next.kind === 'word' && !next.isCapitalized && next.text.endsWith('s');
  return !many || small.has(next.text);
}
