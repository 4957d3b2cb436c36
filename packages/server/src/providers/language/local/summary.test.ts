import { splitSentences } from '@mneme/text';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { summarize } from './summary.ts';

const at = new Date('2026-05-04T12:00:00Z');
const of = (text: string): string => summarize({ text, at });

const incident = `Hi all,

thanks for joining on such short notice. The checkout service was down for forty minutes on
3 March because the certificate of the payment gateway had expired. Nobody was paged. The weather
was lovely and some of us were at lunch. The payment gateway refused every call of the checkout
service until Tomasz renewed the certificate. We decided that certificates of the checkout service
and the payment gateway are renewed automatically from now on. Ana wrote a page about it. See you.`;

test('a short text is its own summary', () => {
  expect(of('  User prefers dark mode.\nIn Figma too. ')).toBe(
    'User prefers dark mode.\nIn Figma too.',
  );
  expect(of('')).toBe('');
});

test('a summary contains the subject and the decisions', () => {
  const summary = of(incident);
  expect(summary).toContain('certificate');
  expect(summary).toContain('We decided');
  expect(summary).not.toMatch(/weather|Hi all|See you/);
});

test('a decision is preferred to its neighbours', () => {
  const words = 'river garden window bottle carpet ladder mirror pillow'.split(' ');
  const sentences = words.map((word) => `Somebody spoke of one ${word} and then of none.`);
  const decision = 'The board decided that every kettle leaves tomorrow.';
  expect(of([...sentences, decision].join(' '))).toContain(decision);
});

test('items of a list are separate sentences', () => {
  const text = `Platform weekly of the infrastructure group in the large room
- Ingrid: Kafka upgrade is done in Oslo and Bergen follows on Thursday
- Oluwaseun takes over the on-call phone from T. Nakamura on 10 March
- Coffee
- The budget for the Hetzner machines was approved by Lucille Tremblay`;
  expect(of(text)).toMatch(/\S\. \S/);
  expect(of(text)).not.toMatch(/\n|- |Coffee/);
});

test('a long text has up to 600 characters, one without any sentence end is cut at a word', () => {
  const long = Array.from(
    { length: 60 },
    (_, i) => `Sensor ${i} in the greenhouse of Almería reports ${i * 7} degrees to the broker.`,
  ).join(' ');
  expect(of(long).length).toBeGreaterThan(100);
  expect(of(long).length).toBeLessThanOrEqual(600);
  const endless = 'and then the greenhouse reports '.repeat(30);
  expect(of(endless).length).toBeLessThanOrEqual(300);
  expect(of(endless)).toMatch(/\w…$/);
});

test('any text: its own sentences in order, at most three, within the limit', () => {
  const sentence = fc.constantFrom(
    ...incident.split(/(?<=\.)\s/),
    'Yes.',
    '- a list line without an end',
    '```js\nconst x = 1;\n```',
    '東京の会議は金曜日です。',
    '😀😀😀',
    'x'.repeat(400),
  );
  const text = fc.oneof(
    fc.array(sentence, { maxLength: 40 }).map((all) => all.join('\n')),
    fc.string({ unit: 'grapheme', maxLength: 700 }),
  );
  fc.assert(
    fc.property(text, (said) => {
      const summary = of(said);
      expect(of(said)).toBe(summary);
      expect(summary.length).toBeLessThanOrEqual(said.length >= 2_000 ? 600 : 300);
      expect(summary.isWellFormed()).toBe(said.isWellFormed() || summary.isWellFormed());
      if (summary === said.trim() || summary.endsWith('…')) return;
      const flat = (one: string): string => one.replaceAll(/\s+/gu, ' ');
      let rest = summary;
      let count = 0;
      for (const { text: own } of splitSentences(said.trim())) {
        if (!rest.startsWith(flat(own))) continue;
        rest = rest.slice(flat(own).length).replace(/^\.? /, '');
        count += 1;
      }
      expect(rest).toBe('');
      expect(count).toBeLessThanOrEqual(3);
    }),
  );
});

test.each([
  ['brackets', '('.repeat(1_000_000)],
  ['names', Array.from({ length: 100_000 }, (_, i) => `Ana${i} Bo.`).join(' ')],
  ['lines', 'Ana met Bo in Oslo\n'.repeat(50_000)],
  ['list signs', '- '.repeat(500_000)],
  ['ends', '."'.repeat(500_000)],
])(
  'a megabyte of %s takes no longer than its beginning',
  (_, said) => {
    expect(of(said).length).toBeLessThanOrEqual(600);
  },
  2_000,
);
