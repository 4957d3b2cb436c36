import { type Client, isMnemeError, MnemeError } from '@mneme/sdk';
import { CliError } from '../errors.ts';
import { toSpaceField } from '../options.ts';
import { type FoundMemory, judgeResults, type QuestionOutcome } from './outcome.ts';
import type { Question } from './questions.ts';

export interface RunOptions {
  /** Through /recall instead of /search. */
  readonly recall: boolean;
  /** The maximum number of results of a question. */
  readonly limit: number;
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
      return judgeResults(question, found, monotonicMs() - start);
    } catch (error) {
      if (!isMnemeError(error, 'rate_limit_exceeded')) throw error;
      const { retryAfterSeconds: seconds } = error;
      if (seconds === null || seconds > waitSecondsMax) throw error;
      await sleep(seconds * 1_000);
    }
  }
}

const scopeOf = ({ space, user_id, as_of }: Question) => ({
  ...toSpaceField(space),
  ...(user_id !== undefined && { user_id }),
  ...(as_of !== undefined && { as_of }),
});

async function findBySearch(
  client: Client,
  question: Question,
  { limit }: RunOptions,
): Promise<FoundMemory[]> {
  const body = { q: question.query, limit, ...scopeOf(question) };
  const { results } = await client.search.post({ body });
  return results.map((result) =>
    result.type === 'memory'
      ? { id: result.id, score: result.score, text: result.content, metadata: result.metadata }
      : { id: result.audio_file_id, score: result.score, text: result.text, metadata: {} },
  );
}

async function findByRecall(
  client: Client,
  question: Question,
  { limit }: RunOptions,
): Promise<FoundMemory[]> {
  const body = { query: question.query, max_memories: limit, ...scopeOf(question) };
  const { memories } = await client.search.recall({ body });
  return memories.map(({ id, score, content, metadata }) => ({
    id,
    score,
    text: content,
    metadata,
  }));
}

/** Only an error of this question: any other would be the same on every line. */
function atLine(file: string, { line }: Question, error: unknown): unknown {
  if (!(error instanceof MnemeError) || ![403, 404, 422].includes(error.status)) return error;
  const fields = Object.entries(error.fields).map(([name, { message }]) => `${name} ${message}`);
  const detail = fields.length > 0 ? fields.join(', ') : error.message;
  return new CliError(error.code, `${file}:${line}: ${detail}`);
}
