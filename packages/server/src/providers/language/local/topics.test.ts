import { extractTerms, stem } from '@mneme/text';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DocumentFrequencies, Topic, TopicCategory } from '../text-analyzer.ts';
import { extractTopics } from './topics.ts';

const at = new Date('2026-05-04T12:00:00Z');
const unknown: DocumentFrequencies = { documents: 0, documentFrequency: () => 0 };
const of = (text: string, frequencies = unknown): Topic[] =>
  extractTopics({ text, at }, frequencies);
const main = (text: string): string[] =>
  of(text)
    .filter(({ relevance }) => relevance >= 0.5)
    .map(({ name }) => name);

test.each([
  [
    'Nkechi Obi, who runs the Lagos lab of BioVantage, will be in town for the Rare Disease Forum.',
    ['Nkechi Obi', 'Lagos lab', 'Rare Disease Forum'],
  ],
  ['docs: say that HTTP 429 comes with Retry-After', ['HTTP 429', 'docs', 'Retry-After']],
  ['Password reset requested. If it was not you, ignore this message.', ['password reset']],
  ['The contract with Brauer & Söhne GmbH is signed.', ['Brauer & Söhne GmbH']],
  ['East of Eden was read by the book club.', ['East of Eden', 'book club']],
])('the main topics of %j stand above the default cut', (text, names) => {
  expect(main(text)).toEqual(expect.arrayContaining(names));
});

test('of a longer text only the main few are above the default threshold', () => {
  const text =
    'The Kubernetes cluster of the checkout team ran out of memory on Monday. Grafana showed the ' +
    'leak in the payment worker; the payment worker keeps every invoice in a cache. Tomasz added ' +
    'a limit to the cache and restarted the Kubernetes cluster. Customers in Norway saw errors ' +
    'for ten minutes. The postmortem is planned for Thursday, with the support desk and legal.';
  const kept = main(text);
  expect(kept).toEqual(expect.arrayContaining(['Kubernetes cluster', 'payment worker']));
  expect(kept.length).toBeGreaterThanOrEqual(2);
  expect(kept.length).toBeLessThanOrEqual(7);
});

test.each<[string, string, TopicCategory]>([
  ['We had lunch with Farida al-Rashid.', 'Farida al-Rashid', 'entity'],
  ['We had lunch near Hôpital de la Tour today.', 'Hôpital de la Tour', 'entity'],
  ['There is a new parser in node_modules.', 'node_modules', 'entity'],
  ['The plan is to migrate the old database.', 'migrate', 'action'],
  ['He likes onboarding interns.', 'onboarding interns', 'action'],
  ['We will refactor it.', 'refactor', 'action'],
  ['The users complain of high latency.', 'high latency', 'attribute'],
  ['The upload is limited to 12 MB for guests.', '12 mb', 'attribute'],
  ['My sister is vegan.', 'vegan', 'attribute'],
  ['There is a bug in the parcel search.', 'parcel search', 'concept'],
])('in %j, %s is an %s', (text, name, category) => {
  expect(of(text)).toContainEqual(expect.objectContaining({ name, category }));
});

test('forms of the same stems are one topic, and a phrase replaces its parts', () => {
  const names = of(
    'The payment worker fails. All payment workers fail. A worker fails. One Payment Worker more.',
  ).map(({ name }) => name.toLowerCase());
  expect(names.filter((name) => name.includes('worker'))).toEqual(['payment worker']);
});

test('a part that occurs much more often is a topic itself', () => {
  const text =
    'Espresso! Espresso? Espresso. "Espresso", espresso, espresso; the espresso machine.';
  expect(of(text).map(({ name }) => name.toLowerCase())).toEqual(['espresso']);
});

test('words in all documents of the account are less specific', () => {
  const text = 'The parcel search uses the cadastre index.';
  const everywhere = new Set(['parcel', 'search'].map(stem));
  const frequencies: DocumentFrequencies = {
    documents: 1_000,
    documentFrequency: (each) => (everywhere.has(each) ? 1_000 : 0),
  };
  expect(of(text)[0]?.name).toBe('parcel search');
  expect(of(text, frequencies)[0]?.name).toBe('cadastre index');
});

test('looks up terms as the index has them', () => {
  const text =
    'Farida al-Rashid moved node_modules of Söhne & Partners GmbH to eu-west-1 on-call phones; ' +
    'Node.js 22 and BioVantage run C++ in src/text/terms.ts with 12 MB. I am from IT Services.';
  const { words, compounds } = extractTerms(text);
  const known = new Set([...words, ...compounds, 'it']);
  const asked: string[] = [];
  const holding = (term: string): number => asked.push(term) * 0;
  of(text, { documents: 10, documentFrequency: holding });
  expect(asked.length).toBeGreaterThan(10);
  expect(asked.filter((term) => !known.has(term))).toEqual([]);
});

test('dates, greetings and small talk are not topics', () => {
  expect(of('thanks, that worked!')).toEqual([]);
  expect(of('Hello and see you on Friday 13 March!')).toEqual([]);
  expect(of('')).toEqual([]);
});

test('at most 20, the best first, relevance within 0 and 1, no name twice', () => {
  const word = fc.constantFrom(
    ...(
      'Ana Berlin server parcel the of . , ! \n - high latency 12 MB C++ node_modules will ' +
      'migrate deploying Ünïcode 日本 & "x" e.g. cluster clusters Kubernetes user'
    ).split(' '),
  );
  const text = fc.oneof(
    fc
      .array(fc.oneof(word, fc.string({ maxLength: 6 })), { maxLength: 80 })
      .map((all) => all.join(' ')),
    fc.string({ unit: 'grapheme', maxLength: 200 }),
  );
  fc.assert(
    fc.property(text, fc.nat(1_000), fc.nat(2_000), (said, documents, held) => {
      const frequencies = { documents, documentFrequency: () => held };
      const topics = of(said, frequencies);
      expect(topics.length).toBeLessThanOrEqual(20);
      expect(of(said, frequencies)).toEqual(topics);
      expect(new Set(topics.map(({ name }) => name.toLowerCase())).size).toBe(topics.length);
      for (const [i, { name, relevance }] of topics.entries()) {
        expect(name.trim()).not.toBe('');
        expect(relevance).toBeGreaterThanOrEqual(0);
        expect(relevance).toBeLessThanOrEqual(Math.min(1, topics[i - 1]?.relevance ?? 1));
      }
      if (topics[0]) expect(topics[0].relevance).toBeGreaterThanOrEqual(0.5);
    }),
  );
});

test.each([
  ['brackets', '('.repeat(1_000_000)],
  ['backquotes', '`'.repeat(1_000_000)],
  ['names', Array.from({ length: 100_000 }, (_, i) => `Ana${i} Bo`).join(', ')],
  ['one name', 'Ana'.repeat(300_000)],
  ['joined words', 'a-'.repeat(500_000)],
  ['digits', '1,'.repeat(500_000)],
])(
  'a megabyte of %s takes no longer than its beginning',
  (_, said) => {
    expect(of(said).length).toBeLessThanOrEqual(20);
  },
  2_000,
);
