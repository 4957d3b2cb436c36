import { describe, expect, it } from 'vitest';
import { parseQueryIntent } from './intent.ts';

const now = new Date('2026-11-21T12:00:00Z');
const of = (text: string) => parseQueryIntent(text, now);

describe('the intent of a question', () => {
  it.each([
    ['What did Ana say about Zoë Miller?', ['ana', 'zoe', 'miller']],
    ['what does ana like', ['ana', 'like']],
    ['The Who', []],
    ['', []],
  ])('may name somebody: %s', (text, names) => {
    expect(of(text).names).toEqual(expect.arrayContaining(names));
    expect(of(text).names).not.toContain('what');
  });

  it('treats capitalised words as names only if the text has capitals', () => {
    expect(of('Where does Ana keep the keys?').names).toEqual(['ana']);
    expect(of('ana keys').names).toEqual(['ana', 'keys']);
  });

  it.each([
    ['How many books have I read?', true],
    ["What's my favourite tea?", true],
    ['Can you help with the budget?', true],
    ['Could you remind me what I planned?', true],
    ['What did you recommend for my garden?', false],
    ['Which steps did you suggest to us?', false],
    ['Was your advice on my taxes right?', false],
    ['Can you tell me when I moved?', true],
    ['Where does Ana live?', false],
    ['Impressive mines in Italy', false],
  ])('may be about who asks: %s → %s', (text, ofOneself) => {
    expect(of(text).isAboutSelf).toBe(ofOneself);
  });

  it.each([
    ['When did we meet?', true],
    ['How long was the trip?', true],
    ['What did I say when we met?', false],
  ])('may be a time: %s → %s', (text, asksWhen) => {
    expect(of(text).asksWhen).toBe(asksWhen);
  });

  it.each([
    ['Where did I live before?', true],
    ['Where did we use to meet?', true],
    ['What was the plan last spring?', true],
    ['Has Ana changed jobs?', true],
    ['Which tool do I use to deploy?', false],
    ['Where do I live?', false],
  ])('may be about the past: %s → %s', (text, isAboutPast) => {
    expect(of(text).isAboutPast).toBe(isAboutPast);
  });

  it.each([
    ['Where did I live before?', null],
    ['Where did I live last spring?', '2026-06-01T00:00:00.000Z'],
    ['Where did we use to meet in 2024?', '2025-01-01T00:00:00.000Z'],
    ['Where do I live in 2024?', '2025-01-01T00:00:00.000Z'],
    ['Where did I work before next week?', null],
  ])('may name a past period: %s → %s', (text, end) => {
    const { pastPeriodEnd } = of(text);
    expect(pastPeriodEnd === null ? null : new Date(pastPeriodEnd).toISOString()).toBe(end);
  });

  it.each([
    ['ERR_4711', true],
    ['tea', true],
    ['Ana keys', true],
    ['red zither attic', true],
    ['an old red zither', false],
    ['where is Ana', false],
    ['tea?', false],
    ['old red zither attic', false],
    ['住む場所', false],
  ])('may be a lookup: %s → %s', (text, isLookup) => {
    expect(of(text).isLookup).toBe(isLookup);
  });

  it('may contain times, relative to now', () => {
    const day = 86_400_000;
    const today = Date.UTC(2026, 10, 21);
    expect(of('What happened yesterday?').times).toEqual([
      { from: today - day, to: today, isYear: false },
    ]);
    expect(of('trips in 2024').times).toEqual([
      { from: Date.UTC(2024, 0), to: Date.UTC(2025, 0), isYear: true },
    ]);
    expect(of('trips').times).toEqual([]);
  });
});
