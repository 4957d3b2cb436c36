import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitSentences } from './sentences.ts';

const texts = (text: string): string[] => splitSentences(text).map((sentence) => sentence.text);

test.each([
  ['One. Two! Three? Four', ['One.', 'Two!', 'Three?', 'Four']],
  [
    'Dr. Lindgren signed it off. Nobody told us.',
    ['Dr. Lindgren signed it off.', 'Nobody told us.'],
  ],
  ['Use a queue, e.g. Redis. It is fast.', ['Use a queue, e.g. Redis.', 'It is fast.']],
  ['J. R. R. Tolkien wrote it. I read it.', ['J. R. R. Tolkien wrote it.', 'I read it.']],
  ['Written by J. Smith in May.', ['Written by J. Smith in May.']],
  ['We take plan B. The rest waits.', ['We take plan B.', 'The rest waits.']],
  ['That was he and I. Tomorrow is free.', ['That was he and I.', 'Tomorrow is free.']],
  ['See No. 5 and fig. 2. Done.', ['See No. 5 and fig. 2.', 'Done.']],
  ['She said no. Then she left.', ['She said no.', 'Then she left.']],
  ['It costs 3.50 in v1.2.3. Cheap!', ['It costs 3.50 in v1.2.3.', 'Cheap!']],
  ['今日は休みです。明日は行きます。', ['今日は休みです。', '明日は行きます。']],
  ['Er kommt. Sie geht!', ['Er kommt.', 'Sie geht!']],
])('%j has the sentences it has', (text, sentences) => {
  expect(texts(text)).toEqual(sentences);
});

test('list lines are sentences of their own, without their signs', () => {
  const text = 'Minutes\n- Ana ships the fix\n- [x] Bo. Writes too\n1. First thing\n## End';
  expect(texts(text)).toEqual([
    'Minutes',
    'Ana ships the fix',
    'Bo.',
    'Writes too',
    'First thing',
    'End',
  ]);
});

test('a line broken for its width goes on, a short one or a new one does not', () => {
  expect(texts('The migration will take place on the first\nweekend of May.\nThen rest.')).toEqual([
    'The migration will take place on the first\nweekend of May.',
    'Then rest.',
  ]);
  expect(texts('ok\nsounds good')).toEqual(['ok', 'sounds good']);
});

test('a text without words has none', () => {
  expect(texts('')).toEqual([]);
  expect(texts(' \n\r\n\t ')).toEqual([]);
});

test('sentences stand in order, apart, and hold everything but white space and list signs', () => {
  const between = /^(?:\s|-|\d+\.|[a-z]\.\s)*$/;
  const part = fc.constantFrom('a', 'B', '.', '. ', '\n', '- ', 'Dr. ', ' ', '1. ', '?', '😀', 'é');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
      const text = parts.join('');
      let from = 0;
      for (const { start, end, text: said } of splitSentences(text)) {
        expect(start).toBeGreaterThanOrEqual(from);
        expect(text.slice(start, end)).toBe(said);
        expect(said).toBe(said.trim());
        expect(text.slice(from, start)).toMatch(between);
        from = end;
      }
      expect(`${text.slice(from)} `).toMatch(between);
    }),
  );
});

test.each([
  ['brackets', '('.repeat(1_000_000)],
  ['initials', 'A. '.repeat(30_000)],
  ['lines', 'a\n'.repeat(10_000)],
  ['list signs', '- '.repeat(500_000)],
  ['titles', 'Dr. '.repeat(25_000)],
])(
  'a long text of %s is split',
  (_, text) => {
    expect(splitSentences(text).length).toBeGreaterThanOrEqual(0);
  },
  4_000,
);
