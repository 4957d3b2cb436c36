import type { SearchResult } from '@mneme/contract';
import { Connections } from '../client.ts';
import type { Texts } from '../texts.ts';
import { askFor, type Contender } from './contender.ts';
import type { Exact } from './exact.ts';
import { makeQuestion, type Question, type Stock, searchPath } from './stock.ts';

const judgedPlaces = 10;
/** Far enough that no boost lifts one from below among the first ten. */
const shownPlaces = 100;

export interface RecallOptions {
  readonly contender: Contender;
  readonly exact: Exact;
  readonly stock: Stock;
  readonly texts: Texts;
  readonly questions: number;
}

/** Of each question the share of the exact first ten among the first ten that are shown. */
export async function measureRecall(options: RecallOptions): Promise<number[]> {
  const { contender, exact, stock, texts } = options;
  const placeOf = new Map(contender.filled.ids.map((id, place) => [id, place]));
  using connection = new Connections(contender.server, 1);
  const recalls: number[] = [];
  for (let i = 0; i < options.questions; i += 1) {
    const question = makeQuestion(stock, texts, 'all');
    const { answers } = await connection.run([askFor(contender, explained(question))]);
    const { results } = answers[0] as { readonly results: readonly SearchResult[] };
    const shown = results.map(({ id }) => placeOf.get(id) ?? -1);
    const boosts = new Map(
      results.map(({ why_matched: why }, at) => [shown[at] ?? -1, why?.salience_boost ?? 1]),
    );
    const expected = await exact.first(question.q, boosts, judgedPlaces);
    recalls.push(recallOf(shown.slice(0, judgedPlaces), expected));
  }
  return recalls;
}

const explained = (question: Question): Question => ({
  ...question,
  path: searchPath({ q: question.q, limit: `${shownPlaces}`, explain: 'true' }),
});

/** Share of what is expected that is there. */
export function recallOf(shown: readonly number[], expected: readonly number[]): number {
  if (expected.length === 0) throw new Error('nothing is expected');
  return expected.filter((place) => shown.includes(place)).length / expected.length;
}
