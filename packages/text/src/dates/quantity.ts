import type { TimeAmount, TimeUnit } from './date-expression.ts';
import { type DateParserState, skipOptional, type Token, textAt, tokenAt } from './tokens.ts';

interface NumberRange {
  readonly low: number;
  readonly high: number;
  readonly end: number;
}

/** "3", "2-3", "two or three", "twenty-one", "a few", "a couple of", "two and a half". */
export function parseNumberRange(context: DateParserState, at: number): NumberRange | null {
  const first = numberAt(context, at);
  if (!first) return null;
  if (['or', 'to'].includes(textAt(context, first.end))) {
    const second = numberAt(context, first.end + 1);
    if (second && second.low > first.low) return { ...second, low: first.low };
  }
  return withHalf(context, first);
}

const withHalf = (context: DateParserState, numbers: NumberRange): NumberRange => {
  const { low, high, end } = numbers;
  const half = ['and', 'a', 'half'].every((word, i) => textAt(context, end + i) === word);
  return half ? { low: low + 0.5, high: high + 0.5, end: end + 3 } : numbers;
};

/** "a month or two", "a year or so". */
function orTwo(context: DateParserState, numbers: NumberRange): NumberRange {
  const { low, high, end } = numbers;
  if (textAt(context, end) !== 'or') return numbers;
  if (textAt(context, end + 1) === 'so') return { low, high, end: end + 2 };
  const { meaning } = tokenAt(context, end + 1);
  const more = meaning?.is === 'number' && meaning.low > low && textAt(context, end + 2) === 'ago';
  return more ? { low, high: meaning.low, end: end + 2 } : numbers;
}

const digits = /^(\d{1,4}(?:\.\d)?)(?:[–-](\d{1,4}))?$/;

function numberAt(context: DateParserState, at: number): NumberRange | null {
  const token = tokenAt(context, at);
  if (token.kind === 'number') {
    const match = token.suffix === '' ? digits.exec(token.text) : null;
    if (!match || (token.isAttached && '.-$€£#/:'.includes(textAt(context, at - 1)))) return null;
    const low = Number(match[1]);
    return { low, high: Math.max(low, Number(match[2] ?? 0)), end: at + 1 };
  }
  return wordAt(context, at, token);
}

function wordAt(
  context: DateParserState,
  at: number,
  { meaning, text }: Token,
): NumberRange | null {
  if (meaning?.is !== 'number') return null;
  const { low, high } = meaning;
  const next = tokenAt(context, at + 1);
  if (text === 'a' || text === 'an') {
    const more = wordsAfterArticle.has(next.text) ? wordAt(context, at + 1, next) : null;
    return more ?? { low, high, end: at + 1 };
  }
  if (text === 'half') return { low, high, end: skipOptional(context, at + 1, 'a', 'an') };
  if (text === 'couple') return { low, high, end: skipOptional(context, at + 1, 'of') };
  if (low < 20 || low > 90 || low % 10 !== 0) return { low, high, end: at + 1 };
  const dashed = skipOptional(context, at + 1, '-');
  const { meaning: ones } = tokenAt(context, dashed);
  const small = ones?.is === 'number' && Number.isInteger(ones.low) && ones.low < 10 ? ones.low : 0;
  return small > 0
    ? { low: low + small, high: high + small, end: dashed + 1 }
    : { low, high, end: at + 1 };
}

const wordsAfterArticle = new Set(['couple', 'few', 'dozen']);

export function parseTimeUnit(
  context: DateParserState,
  at: number,
): { unit: TimeUnit; plural: boolean } | null {
  const { meaning, text } = tokenAt(context, at);
  if (meaning?.is === 'unit') return meaning;
  return text === 'second' ? { unit: 'second', plural: false } : null;
}

interface ParsedAmounts {
  readonly amounts: readonly TimeAmount[];
  readonly end: number;
}

const partsMax = 4;

/** "three years", "a year and a half", "two years and three months". */
export function parseTimeAmounts(context: DateParserState, at: number): ParsedAmounts | null {
  const amounts: TimeAmount[] = [];
  let end = at;
  let next = at;
  while (amounts.length < partsMax) {
    const numbers = parseNumberRange(context, next);
    const unit = numbers && parseTimeUnit(context, numbers.end);
    if (!unit) break;
    const whole = orTwo(context, withHalf(context, { ...numbers, end: numbers.end + 1 }));
    amounts.push({ unit: unit.unit, low: whole.low, high: whole.high });
    end = whole.end;
    next = skipOptional(context, skipOptional(context, end, ','), 'and');
  }
  return amounts.length > 0 ? { amounts, end } : null;
}
