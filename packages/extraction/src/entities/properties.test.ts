import { truncateText } from '@mneme/text';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runCount } from '../../../../test/support/run-count.ts';
import { entityTypes, factPredicates } from '../types.ts';
import { extractEntitiesAndFacts } from './extract.ts';
import { tokenizeWords } from './words.ts';

const at = new Date('2026-06-10T10:00:00Z');

const pieces = fc.constantFrom(
  ...`Ana Bo Mr Dr. Acme Inc. Rome Paris in at of works lives uses Redis Python knows met and , . ;
  : ( ) [ ] " ' ’s 's – — / @ < > & 12 May 2026 Friday since until not if ? ! Q3 offsite team the
  my her they who von de al- J. - * > From: Present: https://x.y a/b/c iPhone 15 ß İ 東京 😀
  constructor toString __proto__ hasOwnProperty`
    .split(/\s+/)
    .concat('\n', '\n\n'),
);
const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.array(pieces, { maxLength: 80 }).map((parts) => parts.join(' ')),
  fc.array(pieces, { maxLength: 80 }).map((parts) => parts.join('')),
);

test('any text works: mentions occur in it, facts refer to entities', () => {
  fc.assert(
    fc.property(texts, fc.option(fc.constantFrom('Ana', 'Ana Lund', '')), (text, speaker) => {
      const source = speaker === null ? { text, at } : { text, at, speaker };
      const { entities, facts } = extractEntitiesAndFacts(source);
      for (const { name, type, mentions, confidence } of entities) {
        expect(entityTypes).toContain(type);
        expect(mentions.length > 0 ? mentions : [name]).toContain(name);
        for (const mention of mentions) expect(text).toContain(mention);
        expect(confidence).toBeGreaterThan(0);
        expect(confidence).toBeLessThanOrEqual(1);
      }
      for (const { subject, object, predicate, statement } of facts) {
        expect(factPredicates).toContain(predicate);
        expect(entities[subject]).toBeDefined();
        expect(entities[object]).toBeDefined();
        expect(subject).not.toBe(object);
        expect(text).toContain(statement);
      }
      expect(extractEntitiesAndFacts(source)).toEqual({ entities, facts });
    }),
    { numRuns: runCount(100, 5_000) },
  );
});

test('words have correct offsets, in order', () => {
  fc.assert(
    fc.property(texts, (text) => {
      let last = 0;
      for (const { text: word, start, end } of tokenizeWords(text)) {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(text.slice(start, end)).toBe(word);
        last = end;
      }
    }),
  );
});

test('of a long text only the start is used', () => {
  const names = Array.from({ length: 100_000 }, (_, at) => `Ana${at} Lund${at}`).join(', ');
  // The expensive part starts shortly before the cut.
  const filled = 'so '.repeat(6_300);
  const facts = 'Ana uses Redis. '.repeat(60_000);
  for (const text of ['['.repeat(1_000_000), filled + names, filled + facts]) {
    expect(truncateText(text).length).toBeLessThanOrEqual(20_000);
    expect(extractEntitiesAndFacts({ text, at })).toEqual(
      extractEntitiesAndFacts({ text: truncateText(text), at }),
    );
  }
});
