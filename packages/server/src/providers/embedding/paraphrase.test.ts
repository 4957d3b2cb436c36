import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isAvailable, sharedParaphrases } from '../../../../../test/support/requirements.ts';
import type { Embedder } from './embedding.ts';
import { loadStaticEmbedder } from './static.ts';
import { dotProduct } from './unit-vector.ts';

type Pair = readonly [question: string, statement: string];

const DISTRACTORS = readFileSync(new URL('fixtures/distractors.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');

/** A question and a statement with its answer, without a common content word. */
const OWN: readonly Pair[] = [
  ['Which beverage does he have at breakfast?', 'I start every morning with two cups of coffee.'],
  ['Who looks after her kids?', 'Grandma babysits the twins on weekdays.'],
  ['What is his profession?', 'I teach chemistry at a high school.'],
  ['How is the weather there?', 'It has been raining and foggy for a week.'],
  ['Did she get hurt?', 'I broke my ankle when I fell off the ladder.'],
  ['Where does he live?', 'We moved into a flat near the harbour in Oslo.'],
  ['What vehicle does she own?', 'My old pickup truck needs new tires.'],
  ['Which animals are on the farm?', 'We keep goats, hens and a donkey.'],
  ['What hobby does he have?', 'Painting watercolours keeps me relaxed in the evenings.'],
  ['Is she religious?', 'I go to church and pray every Sunday.'],
  ['What food should he avoid?', 'Shellfish and dairy make me sick.'],
  ['How much does she earn?', 'My salary was raised to sixty thousand dollars.'],
  ['What does he listen to?', 'Jazz records and old blues songs play all day at my place.'],
  ['Which database do they use?', 'Everything is stored in Postgres tables.'],
  ['How do they ship software?', 'We deploy containers to Kubernetes from the main branch.'],
];

/** Shares of questions whose statement ranks first, and among the first five. */
async function recall(embedder: Embedder, pairs: readonly Pair[]) {
  const statements = pairs.map(([, statement]) => statement);
  const questions = await embedder.embed(
    pairs.map(([question]) => question),
    'query',
  );
  const candidates = await embedder.embed([...statements, ...DISTRACTORS], 'document');
  const ranks = questions.map((question, i) => {
    const scores = candidates.map((candidate) => dotProduct(question, candidate));
    return scores.filter((score) => score > (scores[i] ?? 0)).length;
  });
  const share = (places: number) => ranks.filter((rank) => rank < places).length / ranks.length;
  return { first: share(1), firstFive: share(5) };
}

const embedder = await loadStaticEmbedder();

/**
 * Measured when the vectors were packed: 53 % and 87 % for our pairs, 45 % and 78 % for public
 * ones.
 */
async function expectRecall(pairs: readonly Pair[]) {
  const { first, firstFive } = await recall(embedder, pairs);
  expect(first).toBeGreaterThanOrEqual(0.45);
  expect(firstFive).toBeGreaterThanOrEqual(0.72);
}

test('a statement that shares no word with a question is found among 300 others', async () => {
  await expectRecall(OWN);
});

test.runIf(isAvailable('paraphrases'))('so are statements of pairs written by others', async () => {
  await expectRecall(JSON.parse(readFileSync(sharedParaphrases, 'utf8')));
});
