import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { passagesInContext, splitIntoPassages } from './passages.ts';
import { sizeOf } from './size.ts';

const line = fc.oneof(
  fc.constantFrom(
    '# A heading',
    '- an item of a list',
    '  that continues here',
    '1. the first step: open it',
    '| a | b |',
    '| --- | --- |',
    '2026-03-03T10:00:00Z INFO nothing happened',
    '    at Object.run (file.ts:1:2)',
    '```ts',
    '```',
    '~~~~',
    'const total = sum(values);',
    '}',
    'a,b,c',
    '1,2,3',
    'A sentence. Another one! And a third? Yes.',
    '我喜欢茶。我也喜欢咖啡。',
    '',
    '\r',
    '   ',
    'The steps are:',
    'x'.repeat(500),
    '🦊'.repeat(300),
    ' '.repeat(700),
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);
/** Any Unicode, and texts of the structures that are known. */
const anyText = fc.oneof(
  fc.array(line, { maxLength: 60 }).map((lines) => lines.join('\n')),
  fc.array(line, { maxLength: 40 }).map((lines) => lines.join(' ')),
  fc.string({ unit: 'binary', maxLength: 4_000 }),
  fc.string({ unit: 'binary-ascii', maxLength: 4_000 }),
);

const isBlank = (text: string): boolean => text.trim() === '';
const contents = (text: string): string[] => splitIntoPassages(text).map((one) => one.text);

describe('splitting a text into passages', () => {
  it('covers any text in order, except for white space', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const passages = splitIntoPassages(text);
        let end = 0;
        for (const one of passages) {
          expect(isBlank(text.slice(end, one.start))).toBe(true);
          expect(one.start).toBeGreaterThanOrEqual(end);
          expect(text.slice(one.start, one.end)).toBe(one.text);
          end = one.end;
        }
        expect(isBlank(text.slice(end))).toBe(true);
      }),
    );
  });

  it('makes no empty or long passage, and divides no passage again', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const passages = splitIntoPassages(text);
        for (const one of passages) {
          expect(passages.length > 1 && isBlank(one.text)).toBe(false);
          expect(isBlank(text) || sizeOf(text, one) <= 120).toBe(true);
          const again = { start: 0, end: one.text.length, text: one.text };
          expect(splitIntoPassages(one.text)).toEqual([again]);
        }
      }),
    );
  });

  it('cuts no character in two', () => {
    const long = '🦊'.repeat(20_000);
    const passages = splitIntoPassages(`a${long}`);
    expect(passages.length).toBeGreaterThan(10);
    for (const one of passages) expect(one.text.isWellFormed()).toBe(true);
  });

  it('keeps paragraphs and sections together', () => {
    const paragraph = (name: string): string => `${name} ${'says one more thing '.repeat(12)}.`;
    const text = ['# One', paragraph('First'), paragraph('Second'), '# Two', paragraph('Third')];
    const passages = contents(text.join('\n\n'));
    expect(passages).toHaveLength(3);
    expect(passages[0]).toMatch(/^# One\n\nFirst/);
    expect(passages[1]).toMatch(/^Second/);
    expect(passages[2]).toMatch(/^# Two\n\nThird/);
  });

  it('divides tables between rows, and repeats the header only in context', () => {
    const rows = Array.from({ length: 40 }, (_, i) => `| part ${i} | shelf ${i * 7} | steel |`);
    const text = ['# Store', '', '| part | shelf | made of |', '| --- | --- | --- |', ...rows];
    const whole = text.join('\n');
    const passages = splitIntoPassages(whole);
    for (const one of passages) expect(one.text).toMatch(/^[#|].*\|$/s);
    const inContext = passagesInContext(whole, passages);
    expect(passages[1]?.text).not.toContain('made of');
    expect(inContext[1]).toBe(`# Store\n| part | shelf | made of |\n${passages[1]?.text}`);
    expect(inContext[0]).toBe(passages[0]?.text);
  });

  it('divides values separated by commas between rows', () => {
    const rows = Array.from({ length: 60 }, (_, i) => `part ${i},"shelf 3, left",${i * 7} euros`);
    const whole = ['name,place,price', ...rows].join('\n');
    const passages = splitIntoPassages(whole);
    for (const one of passages.slice(1)) expect(one.text).toMatch(/^part .* euros$/s);
    expect(passagesInContext(whole, passages)[1]).toMatch(/^name,place,price\npart/);
  });

  it('keeps the entries of a log whole, and ends a passage at a pause', () => {
    const entry = (seconds: number): string =>
      `2026-03-03T10:${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(
        seconds % 60,
      ).padStart(2, '0')}Z ERROR it failed again\n    at run (file.ts:1:2)`;
    const times = Array.from({ length: 30 }, (_, i) => i * 2 + (i >= 15 ? 600 : 0));
    const passages = contents(times.map(entry).join('\n'));
    for (const one of passages) expect(one).toMatch(/^2026.*\n.*\(file\.ts:1:2\)$/s);
    expect(passages.some((one) => one.startsWith('2026-03-03T10:10:30Z'))).toBe(true);
  });

  it('ends a passage of a log at pauses only where most are much shorter', () => {
    /** Numbers of entries in the passages of a log, every other pause of which takes 5 minutes. */
    const entriesOf = (count: number): number[] => {
      const first = Date.parse('2026-03-03T10:00:00Z');
      const lines = Array.from({ length: count }, (_, i) => {
        const at = new Date(first + Math.floor(i / 2) * 302_000 + (i % 2) * 2_000);
        return `${at.toISOString()} ERROR it failed again\n    at run (file.ts:1:2)`;
      });
      return contents(lines.join('\n')).map((text) => text.split('\n').length / 2);
    };
    expect(Math.max(...entriesOf(30))).toBe(4);
    // Half of the pauses are long: they are usual.
    expect(Math.max(...entriesOf(31))).toBeGreaterThan(4);
  });

  it('keeps list items whole, with the sentence before them in context', () => {
    const items = Array.from(
      { length: 30 },
      (_, i) => `- item ${i} is longer than\n  one line and goes on here;`,
    );
    const whole = `Pack these for the tour:\n\n${items.join('\n')}`;
    const passages = splitIntoPassages(whole);
    for (const one of passages.slice(1)) expect(one.text).toMatch(/^- item.*here;$/s);
    expect(passagesInContext(whole, passages)[1]).toMatch(/^Pack these for the tour:\n- item/);
  });

  it('begins passages of code with a function', () => {
    const functions = Array.from({ length: 12 }, (_, i) =>
      [`function step${i}(value) {`, '  const next = value + 1;', '', '  return next;', '}'].join(
        '\n',
      ),
    );
    const code = functions.join('\n\n');
    for (const text of [code, `Run this:\n\n\`\`\`js\n${code}\n\`\`\`\n${'word '.repeat(90)}`]) {
      const starts = contents(text).filter((one) => one.includes('function'));
      expect(starts.length).toBeGreaterThan(1);
      for (const one of starts) expect(one).toMatch(/^(?:Run this|```js|function)/);
    }
  });

  it('takes a time that is linear in the length of the text', () => {
    const worst = [
      '. '.repeat(500_000),
      '|'.repeat(500_000),
      '- a\n'.repeat(100_000),
      ' \n'.repeat(300_000),
    ];
    for (const text of [...worst, `"${',"'.repeat(300_000)}`, '```\n'.repeat(100_000)]) {
      const passages = splitIntoPassages(text);
      expect(passagesInContext(text, passages)).toHaveLength(passages.length);
    }
  });
});
