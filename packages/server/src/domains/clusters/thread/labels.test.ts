import { termProbability } from '@mneme/text';
import { describe, expect, it } from 'vitest';
import { extractTopics } from './labels.ts';

describe('topics of clusters', () => {
  it('are the words that their texts share and others do not', () => {
    const texts = [
      'The bees left the hive.',
      'A hive of bees hums; bees, bees!',
      'Honey from the Hive',
      'The left margin of the invoice',
      'Two invoices from Acme',
      'Acme has paid our invoice',
    ];
    const [bees, invoices] = extractTopics(texts, [
      [0, 1, 2],
      [3, 4, 5],
    ]);
    expect(bees?.label).toMatch(/^Hive, bees\b/);
    expect(invoices?.label).toMatch(/^Invoice, Acme\b/);
  });

  it('weigh them by class-based tf·idf', () => {
    const [first] = extractTopics(
      ['kiln glaze', 'kiln', 'glaze porch', 'porch porch'],
      [
        [0, 1],
        [2, 3],
      ],
    );
    const rarity = (term: string): number =>
      Math.log(termProbability(term)) / Math.log(termProbability(''));
    // Three terms per cluster on average; "kiln" is in two texts of two, "glaze" in one.
    const kiln = 1 * Math.log(1 + 3 / 2) * rarity('kiln');
    const glaze = 0.5 * Math.log(1 + 3 / 2) * rarity('glaze');
    expect(first?.keywords).toEqual([
      { term: 'kiln', weight: expect.closeTo(kiln, 4) },
      { term: 'glaze', weight: expect.closeTo(glaze, 4) },
    ]);
  });

  it('have distinct names, ignoring case, even if their words are equal', () => {
    const texts = ['tax form', 'Tax form', 'tax FORM', '42 17', ''];
    const labels = extractTopics(texts, [[0], [1], [2], [3], [4]]).map(({ label }) =>
      label.toLowerCase(),
    );
    expect(new Set(labels).size).toBe(5);
    expect(labels.every((label) => label !== '')).toBe(true);
  });

  it('are no numbers, units, days and titles, which occur with any topic', () => {
    const texts = [
      "Dr Smith's queue took forty minutes on Monday; I've seen twelve, and can't wait.",
      'Sixty minutes in the queue of Mrs Jones on Monday, at 9 a.m. or 9 p.m.',
    ];
    const [topic] = extractTopics(texts, [[0, 1]]);
    expect(topic?.keywords[0]?.term).toBe('queue');
    const terms = topic?.keywords.map(({ term }) => term.toLowerCase()) ?? [];
    for (const word of [
      'dr',
      'mrs',
      'forty',
      'sixty',
      'twelve',
      'minutes',
      'monday',
      'a.m',
      "i've",
      'ca',
    ])
      expect(terms).not.toContain(word);
  });

  it('have names in capitals, and other words as they are within sentences', () => {
    const texts = [
      'Garden work again. Ottoline Brakk fired it.',
      'Garden closed. Ottoline Brakk is ill.',
      'Brakk and Ottoline repaired the shelf. Shelf done.',
    ];
    const [topic] = extractTopics(texts, [[0, 1, 2]]);
    const terms = topic?.keywords.map(({ term }) => term) ?? [];
    expect(terms).toEqual(expect.arrayContaining(['Ottoline', 'Brakk', 'garden', 'shelf']));
    // One name says enough, and a word like an earlier one says nothing new.
    expect(topic?.label).toMatch(/garden/i);
    expect(topic?.label.match(/Ottoline|Brakk/g)).toHaveLength(1);
  });

  it('do not repeat a word in another form', () => {
    const texts = ['payment repayment ledger', 'repayment payment ledger', 'ledger repayment'];
    const [topic] = extractTopics(texts, [[0, 1, 2]]);
    expect(topic?.label.toLowerCase().split(', ').slice(0, 2).toSorted()).not.toEqual([
      'payment',
      'repayment',
    ]);
  });

  it('are extracted from scripts without spaces', () => {
    const texts = ['東京で寿司を食べる', '大阪の寿司は安い', 'Kernel patches', 'a kernel module'];
    const [sushi] = extractTopics(texts, [
      [0, 1],
      [2, 3],
    ]);
    expect(sushi?.keywords[0]?.term).toBe('寿司');
  });

  it('use only the start of a long text', () => {
    const long = `zebra ${'and '.repeat(600)} quokka`;
    const [topic] = extractTopics([long, long], [[0, 1]]);
    expect(topic?.keywords.map(({ term }) => term)).toEqual(['zebra']);
  });
});
