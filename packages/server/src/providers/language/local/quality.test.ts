import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { QualityFactors } from '../text-analyzer.ts';
import { scoreQuality } from './quality.ts';

const at = new Date('2026-05-04T12:00:00Z');
const of = (text: string): QualityFactors => scoreQuality({ text, at });

/** Ordered manually, the lowest first. */
const ordered: Readonly<Record<keyof QualityFactors, readonly (readonly string[])[]>> = {
  specificity: [
    ['the team met the group.', 'the team met last week.'],
    ['We ate an apple there.', 'We ate at Apple there.'],
    ['It costs a lot there.', 'It costs 40 there.'],
    [
      'We did some stuff.',
      'We looked at the numbers of the team.',
      'The team looked at the conversion rate of the checkout.',
      'On 3 March 2026 the conversion rate of the checkout in Malmö fell from 4.1 % to 2.7 %.',
    ],
    ['It broke again.', 'The server broke again.', 'The nginx server eu-west-1b broke at 14:02.'],
    ['ok', 'ok, dark mode', 'ok, dark mode in Figma since 2024'],
  ],
  clarity: [
    ['He gave it to them and left.', 'Tom gave the key to Ann and left.'],
    [
      'I think it might be kind of slow or something.',
      'The search might be slow.',
      'The search is slow for long questions.',
    ],
    ['ok', 'It broke again.', 'The build broke again.'],
    [
      'Notwithstanding institutional interoperability considerations, organisational ' +
        'ramifications necessitate comprehensive reconsideration of previously communicated ' +
        'methodologies, irrespective of administrative responsibilities or jurisdictional ' +
        'particularities across participating organisational constituencies.',
      'We must think again about how the offices work together.',
    ],
  ],
  actionability: [
    ['The sky was grey.', 'Should we use Redis?', 'We should use Redis.'],
    [
      'Ana likes contracts.',
      'Ana should send the contract.',
      'Ana must send the contract by Friday.',
      'Decision: Ana must send the contract by Friday. Remind her on Wednesday.',
    ],
    [
      'The user has a screen.',
      'The user likes dark screens.',
      'The user always prefers dark mode.',
    ],
    ['A report of the chair.', 'Send the report to the chair.'],
  ],
};

const text = fc.oneof(
  fc.string({ maxLength: 200 }),
  fc
    .array(
      fc.constantFrom(
        ...(
          'Ana Berlin the on by before Friday must it They maybe server 12 MB . ? ! \n - first ' +
          'week of May until since 2024 prefers Dr. e.g. this was stuff'
        ).split(' '),
      ),
      { maxLength: 40 },
    )
    .map((words) => words.join(' ')),
);

describe.each(Object.entries(ordered))('%s', (factor, rows) => {
  test.each(rows.map((row) => [row]))('grows along %j', (row) => {
    const values = row.map((one) => of(one)[factor as keyof QualityFactors]);
    for (const [i, value] of values.slice(1).entries()) {
      expect(value, `${row[i]} → ${row[i + 1]}`).toBeGreaterThan(values[i] ?? 1);
    }
  });
});

test('every factor is within 0 and 1 and deterministic', () => {
  fc.assert(
    fc.property(text, (said) => {
      const factors = of(said);
      for (const value of Object.values(factors)) {
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
      }
      expect(of(said)).toEqual(factors);
    }),
  );
});

test('an additional date, number or name never lowers specificity', () => {
  const detail = fc.constantFrom(
    ' On 12 March 2026.',
    ' It has 4,096 of them.',
    ' And Siobhán Kowalczyk.',
    '\nVersion v2.3.1',
  );
  fc.assert(
    fc.property(text, detail, (said, more) => {
      expect(of(said + more).specificity).toBeGreaterThanOrEqual(of(said).specificity);
    }),
  );
});

test('an additional hedge never raises clarity', () => {
  const words = fc.array(
    fc.constantFrom('Ana', 'deploys', 'the', 'server', 'now.', 'It', 'works.'),
    {
      minLength: 1,
      maxLength: 30,
    },
  );
  fc.assert(
    fc.property(words, fc.constantFrom('maybe', 'sort of', 'perhaps', 'i guess'), (all, hedge) => {
      const plain = of(all.join(' ')).clarity;
      expect(of([hedge, ...all].join(' ')).clarity).toBeLessThanOrEqual(plain);
      expect(
        of([...all.slice(0, 2), hedge, ...all.slice(2)].join(' ')).clarity,
      ).toBeLessThanOrEqual(plain);
    }),
  );
});

test('an additional task never lowers actionability', () => {
  const task = fc.constantFrom(
    '\nAna must send it by Friday.',
    '\nDecided: we take the red one.',
    '\nPlease call the bank.',
    '\nThe user never eats nuts.',
  );
  fc.assert(
    fc.property(text, task, (said, more) => {
      expect(of(said + more).actionability).toBeGreaterThanOrEqual(of(said).actionability);
    }),
  );
});

test('an empty text scores 0', () => {
  const nothing = { specificity: 0, clarity: 0, actionability: 0 };
  expect(of('')).toEqual(nothing);
  expect(of(' \n--- !!! ')).toEqual(nothing);
});

test.each([
  ['brackets', '('.repeat(1_000_000)],
  ['names', Array.from({ length: 100_000 }, (_, i) => `Ana${i} Bo`).join(' ')],
  ['deadlines', 'by Friday '.repeat(100_000)],
  ['digits', '1.'.repeat(500_000)],
  ['quotes', `?${'"'.repeat(1_000_000)}`],
])(
  'a megabyte of %s takes no longer than its beginning',
  (_, said) => {
    of(said);
  },
  2_000,
);
