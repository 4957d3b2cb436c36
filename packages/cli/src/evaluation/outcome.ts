import type { Expectation, Question } from './questions.ts';

/** A result of a search or recall, as far as an evaluation needs it. */
export interface FoundMemory {
  readonly id: string;
  /** Null for a memory that a recall added through a relationship. */
  readonly score: number | null;
  readonly text: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** What the service says of its models, for each question. */
export interface ModelStatuses {
  readonly rewrite?: string;
  readonly rerank?: string;
}

/** What a question found, without texts of memories. Ranks start at 1. */
export interface QuestionOutcome {
  readonly line: number;
  readonly query: string;
  readonly space?: string;
  readonly user_id?: string;
  readonly as_of?: string;
  /** For each expected memory, the rank of the first result that is it. */
  readonly ranks: readonly (number | null)[];
  readonly results: readonly {
    readonly id: string;
    readonly score: number | null;
    readonly is_hit: boolean;
  }[];
  readonly latency_ms: number;
  readonly models?: ModelStatuses;
}

/** Compares the results of a question, best first, with what it expects. */
export function judgeResults(
  { expected, ...question }: Question,
  results: readonly FoundMemory[],
  latency_ms: number,
): QuestionOutcome {
  const rankOf = (one: Expectation): number | null => {
    const index = results.findIndex((result) => isExpected(one, result));
    return index < 0 ? null : index + 1;
  };
  return {
    ...question,
    ranks: expected.map(rankOf),
    results: results.map((result) => ({
      id: result.id,
      score: result.score,
      is_hit: expected.some((one) => isExpected(one, result)),
    })),
    latency_ms,
  };
}

function isExpected(expected: Expectation, { id, text, metadata }: FoundMemory): boolean {
  if ('id' in expected) return id === expected.id;
  if ('text' in expected) return normalize(text).includes(normalize(expected.text));
  return Object.entries(expected.metadata).every(([key, value]) => metadata[key] === value);
}

/** Case and white space do not count. */
const normalize = (text: string): string =>
  text.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
