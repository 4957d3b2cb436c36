import type { SearchResult } from '@mneme/contract';
import { ApiClient } from '../api-client.ts';
import type { TextGenerator } from '../text-generator.ts';
import { type Corpus, createQuestion, type SearchQuestion, searchPath } from './corpus.ts';
import type { ExactRanking } from './exact-ranking.ts';
import { type ServerUnderTest, toSearchRequest } from './server-under-test.ts';

const recallDepth = 10;
/** Far enough that no boost lifts one from below among the first ten. */
const fetchDepth = 100;

export interface RecallOptions {
  readonly contender: ServerUnderTest;
  readonly exact: ExactRanking;
  readonly stock: Corpus;
  readonly texts: TextGenerator;
  readonly questions: number;
}

/** Of each question the share of the exact first ten among the first ten that are shown. */
export async function measureRecall(options: RecallOptions): Promise<number[]> {
  const { contender, exact, stock, texts } = options;
  const placeOf = new Map(contender.fillResult.ids.map((id, place) => [id, place]));
  using connection = new ApiClient(contender.server, 1);
  const recalls: number[] = [];
  for (let i = 0; i < options.questions; i += 1) {
    const question = createQuestion(stock, texts, 'all');
    const { responses } = await connection.run([
      toSearchRequest(contender, withExplanation(question)),
    ]);
    const { results } = responses[0] as { readonly results: readonly SearchResult[] };
    const shown = results.map(({ id }) => placeOf.get(id) ?? -1);
    const boosts = new Map(
      results.map(({ why_matched: why }, at) => [shown[at] ?? -1, why?.salience_boost ?? 1]),
    );
    const expected = await exact.topPositions(question.q, boosts, recallDepth);
    recalls.push(recallOf(shown.slice(0, recallDepth), expected));
  }
  return recalls;
}

const withExplanation = (question: SearchQuestion): SearchQuestion => ({
  ...question,
  path: searchPath({ q: question.q, limit: `${fetchDepth}`, explain: 'true' }),
});

/** Share of what is expected that is there. */
export function recallOf(shown: readonly number[], expected: readonly number[]): number {
  if (expected.length === 0) throw new Error('nothing is expected');
  return expected.filter((place) => shown.includes(place)).length / expected.length;
}
