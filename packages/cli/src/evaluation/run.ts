import { type Client, isMnemeError, MnemeError } from '@mneme/sdk';
import { CliError } from '../errors.ts';
import { toSpaceField } from '../options.ts';
import {
  type FoundMemory,
  judgeResults,
  type ModelStatuses,
  type QuestionOutcome,
} from './outcome.ts';
import type { Question } from './questions.ts';

export interface RunOptions {
  /** Through /recall instead of /search. */
  readonly recall: boolean;
  /** The maximum number of results of a question. */
  readonly limit: number;
  /** Whether the language model rewrites the questions. */
  readonly rewrite: boolean;
  /** Null: whether the service has a reranker. */
  readonly rerank: boolean | null;
}

interface RunContext {
  readonly client: Client;
  readonly file: string;
  readonly monotonicMs: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly onQuestion: (done: number) => void;
}

/** A limit of requests is waited for at most this long, e.g. one of a minute. */
const waitSecondsMax = 90;

/**
 * Asks the questions one after the other, so that latencies are those of single requests. Throws
 * CliError with the file and line of a question that the service rejects.
 */
export async function runQuestions(
  context: RunContext,
  questions: readonly Question[],
  options: RunOptions,
): Promise<QuestionOutcome[]> {
  const outcomes: QuestionOutcome[] = [];
  for (const question of questions) {
    context.onQuestion(outcomes.length);
    try {
      outcomes.push(await runQuestion(context, question, options));
    } catch (error) {
      throw atLine(context.file, question, error);
    }
  }
  context.onQuestion(outcomes.length);
  return outcomes;
}

async function runQuestion(
  { client, monotonicMs, sleep }: RunContext,
  question: Question,
  options: RunOptions,
): Promise<QuestionOutcome> {
  const find = options.recall ? findByRecall : findBySearch;
  for (;;) {
    const start = monotonicMs();
    try {
      const found = await find(client, question, options);
      const latencyMs = monotonicMs() - start;
      return { ...judgeResults(question, found.memories, latencyMs), models: found.models };
    } catch (error) {
      if (!isMnemeError(error, 'rate_limit_exceeded')) throw error;
      const { retryAfterSeconds: seconds } = error;
      if (seconds === null || seconds > waitSecondsMax) throw error;
      await sleep(seconds * 1_000);
    }
  }
}

interface Found {
  readonly memories: FoundMemory[];
  readonly models: ModelStatuses;
}

const modelOptions = ({ rewrite, rerank }: RunOptions) => ({
  ...(rewrite && { rewrite }),
  ...(rerank !== null && { rerank }),
});

const statusesOf = ({
  rewrite,
  rerank,
}: {
  readonly rewrite?: { readonly status: string } | undefined;
  readonly rerank?: { readonly status: string } | undefined;
}): ModelStatuses => ({
  ...(rewrite && { rewrite: rewrite.status }),
  ...(rerank && { rerank: rerank.status }),
});

const scopeOf = ({ space, user_id, as_of }: Question) => ({
  ...toSpaceField(space),
  ...(user_id !== undefined && { user_id }),
  ...(as_of !== undefined && { as_of }),
});

async function findBySearch(
  client: Client,
  question: Question,
  options: RunOptions,
): Promise<Found> {
  const { limit } = options;
  const body = { q: question.query, limit, ...modelOptions(options), ...scopeOf(question) };
  const { results, ...reports } = await client.search.post({ body });
  const memories = results.map((result) =>
    result.type === 'memory'
      ? { id: result.id, score: result.score, text: result.content, metadata: result.metadata }
      : { id: result.audio_file_id, score: result.score, text: result.text, metadata: {} },
  );
  return { memories, models: statusesOf(reports) };
}

async function findByRecall(
  client: Client,
  question: Question,
  options: RunOptions,
): Promise<Found> {
  const scope = { ...modelOptions(options), ...scopeOf(question) };
  const body = { query: question.query, max_memories: options.limit, ...scope };
  const { memories, ...reports } = await client.search.recall({ body });
  const found = memories.map(({ id, score, content, metadata }) => ({
    id,
    score,
    text: content,
    metadata,
  }));
  return { memories: found, models: statusesOf(reports) };
}

/** Only an error of this question: any other would be the same on every line. */
function atLine(file: string, { line }: Question, error: unknown): unknown {
  if (!(error instanceof MnemeError) || ![403, 404, 422].includes(error.status)) return error;
  const fields = Object.entries(error.fields).map(([name, { message }]) => `${name} ${message}`);
  const detail = fields.length > 0 ? fields.join(', ') : error.message;
  return new CliError(error.code, `${file}:${line}: ${detail}`);
}
