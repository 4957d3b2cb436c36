import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runCount } from '../../../../test/support/run-count.ts';
import { parseDatePhrase } from './date-phrase.ts';
import { hasTimeExpression, isTemporalQuestion, parseDates } from './index.ts';
import { type Token, tokenizeDateText } from './tokens.ts';

const dayMs = 86_400_000;
const instant = fc.date({
  min: new Date('1970-01-01T00:00:00Z'),
  max: new Date('2099-12-31T23:59:59Z'),
  noInvalidDate: true,
});

const words =
  'the a last next this past week weekend weeks day days month year years ago before after of in ' +
  'on from to between and since until early mid late end may May march 7 3rd 2023 2000 90s 1980s ' +
  'monday Sat friday june Jan summer fall q3 first second half other night morning yesterday ' +
  "today christmas two few couple or so - – , . ' / : % 2023-05-07 5/7/2023 12:30 年 月 日";
const soup = fc
  .array(fc.constantFrom(...words.split(' ')), { maxLength: 60 })
  .map((parts) => parts.join(' '));
const digits = fc.string({
  unit: fc.constantFrom(...'0123456789', '.', '/', '-', '–', ':', ',', ' ', '年', '月', '日'),
  maxLength: 2_000,
});
const anyText = fc.oneof(
  soup,
  digits,
  fc.string({ unit: 'binary', maxLength: 2_000 }),
  fc.string({ unit: 'grapheme', maxLength: 500 }),
  fc.tuple(fc.string({ unit: 'grapheme', maxLength: 20 }), soup).map((parts) => parts.join('')),
);

describe('whatever a text is', () => {
  it('its dates are in order, disjoint, and equal the words at their offsets', () => {
    fc.assert(
      fc.property(anyText, instant, (text, reference) => {
        let end = 0;
        for (const range of parseDates(text, reference)) {
          expect(range.start).toBeGreaterThanOrEqual(end);
          expect(range.end).toBeGreaterThan(range.start);
          expect(text.slice(range.start, range.end)).toBe(range.text);
          expect(range.from).toBeLessThan(range.to);
          expect(Number.isInteger(range.from) && Number.isInteger(range.to)).toBe(true);
          end = range.end;
        }
      }),
      { numRuns: runCount(300, 20_000) },
    );
  });

  it('parsing it again returns the same dates', () => {
    fc.assert(
      fc.property(anyText, instant, (text, reference) => {
        const once = [
          parseDates(text, reference),
          hasTimeExpression(text),
          isTemporalQuestion(text),
        ];
        expect([
          parseDates(text, reference),
          hasTimeExpression(text),
          isTemporalQuestion(text),
        ]).toEqual(once);
      }),
    );
  });

  it('a text with a date contains a time', () => {
    fc.assert(
      fc.property(anyText, instant, (text, reference) => {
        fc.pre(parseDates(text, reference).length > 0);
        expect(hasTimeExpression(text)).toBe(true);
      }),
    );
  });

  it('no reference makes it fail, not even an invalid Date', () => {
    fc.assert(
      fc.property(soup, fc.date(), (text, reference) => {
        for (const { from, to } of parseDates(text, reference)) expect(from).toBeLessThan(to);
      }),
    );
  });
});

const months =
  'January February March April May June July August September October November December';
const pad = (value: number): string => String(value).padStart(2, '0');

describe('a day', () => {
  it('has the same range in every notation, also in a sentence, for any reference', () => {
    const name = (month: number): string => months.split(' ')[month - 1] ?? '';
    const forms: ((year: number, month: number, day: number) => string)[] = [
      (y, m, d) => `${y}-${pad(m)}-${pad(d)}`,
      (y, m, d) => `${y}/${pad(m)}/${pad(d)}`,
      (y, m, d) => `${y}年${m}月${d}日`,
      (y, m, d) => `${pad(d)}.${pad(m)}.${y}`,
      (y, m, d) => `${m}/${d}/${y}`,
      (y, m, d) => `${name(m)} ${d}, ${y}`,
      (y, m, d) => `${d} ${name(m)} ${y}`,
      (y, m, d) => `${d} ${name(m).slice(0, 3)} ${y}`,
      (y, m, d) => `${name(m).toLowerCase()} ${d} ${y}`,
      (y, m, d) => `${name(m).slice(0, 3)}${m === 5 ? '' : '.'} ${d}, ${y}`,
    ];
    const frames = [
      (date: string) => date,
      (date: string) => `We met on ${date}.`,
      (date: string) => `(${date})`,
      (date: string) => `It was ${date}, I think, when Ann called`,
    ];
    fc.assert(
      fc.property(
        instant,
        instant,
        fc.constantFrom(...forms),
        fc.constantFrom(...frames),
        (phrase, reference, form, frame) => {
          const from = Math.floor(phrase.getTime() / dayMs) * dayMs;
          const date = form(phrase.getUTCFullYear(), phrase.getUTCMonth() + 1, phrase.getUTCDate());
          const ranges = parseDates(frame(date), reference);
          expect(ranges).toMatchObject([{ from, to: from + dayMs, grain: 'day', text: date }]);
        },
      ),
      { numRuns: runCount(300, 20_000) },
    );
  });

  it('n days ago is n days before the day of the reference', () => {
    fc.assert(
      fc.property(instant, fc.integer({ min: 1, max: 999 }), (reference, count) => {
        const today = Math.floor(reference.getTime() / dayMs);
        const [range] = parseDates(`${count} days ago`, reference);
        expect(range?.from).toBe((today - count) * dayMs);
      }),
    );
  });
});

describe('a long text', () => {
  /** Tokens that count the number of accesses. */
  function counted(tokens: readonly Token[]): { tokens: readonly Token[]; looks: () => number } {
    let looks = 0;
    const proxy = new Proxy(tokens, {
      get(target, key, receiver) {
        looks += 1;
        return Reflect.get(target, key, receiver);
      },
    });
    return { tokens: proxy, looks: () => looks };
  }

  it('takes a number of steps that is linear in its length', () => {
    const nested = [
      'day before',
      'since',
      'early',
      'first week of',
      'end of',
      '3 days and',
      'jan,',
    ];
    const phrase = fc
      .array(fc.constantFrom(...words.split(' ')), { minLength: 1, maxLength: 5 })
      .map((parts) => parts.join(' '));
    fc.assert(
      fc.property(phrase, (repeated) => {
        const all = tokenizeDateText(`${repeated} `.repeat(200));
        const { tokens, looks } = counted(all);
        for (let at = 0; at < all.length; at += 1) parseDatePhrase(tokens, at);
        expect(looks() / all.length).toBeLessThan(250);
      }),
      { numRuns: runCount(50, 3_000), examples: nested.map((text) => [text]) },
    );
  });

  it('is parsed up to 20,000 characters, without a date that may continue there', () => {
    const reference = new Date('2023-06-14T10:00:00Z');
    const filled = 'x'.repeat(19_988);
    expect(parseDates(`${'x'.repeat(19_900)} May 2021 x`, reference)).toHaveLength(1);
    expect(parseDates(`${filled} on 12 May 2021`, reference)).toEqual([]);
    expect(parseDates(`${'x'.repeat(19_995)} 2021-05-07`, reference)).toEqual([]);
    expect(hasTimeExpression(`${'x '.repeat(50_000)}yesterday`)).toBe(false);
  });

  it.each([
    '1',
    '12 ',
    ' ',
    'last ',
    '1/',
    '1,',
    '2023-',
    'when ',
    "'9",
    'between 3 and ',
    'the week before ',
  ])('of 100,000 characters of «%s» is answered', (repeated) => {
    const text = repeated.repeat(Math.ceil(100_000 / repeated.length));
    expect(parseDates(text, new Date(0))).toEqual([]);
    expect(isTemporalQuestion(text)).toBe(repeated === 'when ');
  });
});
