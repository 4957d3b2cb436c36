import type { ModelTest, ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import { enqueueJob, findJobByKind } from '../../../jobs/job-queue.ts';
import { NonRetryableJobError, type RunningJob } from '../../../jobs/job-worker.ts';
import { readWaitingReasons } from '../../../jobs/waiting-reasons.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { AppError } from '../../../kernel/errors.ts';
import {
  dotProduct,
  type Embedder,
  type EmbeddingPurpose,
} from '../../../providers/embedding/index.ts';
import { accountExists } from '../../accounts/index.ts';
import { type App, type Ctx, systemCtx, withTransaction } from '../../ctx.ts';
import { loadSampledMemories, type SampleQuestion, sampleQuestions } from '../../memories/index.ts';
import { supersededBy, supersededIds } from '../../relationships/index.ts';
import { presentJob } from '../job-fields.ts';
import { createNamedEmbedder } from './start-change.ts';

export const testModelKind = 'operations.test-model';

const questionsMin = 20;
const questionsMaxPerOrigin = 200;
const othersMax = 2_000;
const batchTexts = 16;
const currentName = 'current';

interface TestRequest {
  readonly model: string;
  readonly against: string | null;
  readonly dimensions: number | null;
  readonly account: string;
}

/** Queues a comparison. Throws 404 not_found (the account), 409 conflict (an unusable model). */
export async function startModelTest(
  ctx: Ctx,
  body: ValidatedRequest<typeof routes.admin.startModelTest>['body'],
): Promise<ResponseBody<typeof routes.admin.startModelTest>> {
  const { model, against = null, dimensions = null, account_id: account } = body;
  const accountId = account ?? ctx.actor.accountId;
  const isThere = await ctx.engine.transaction((tx) => accountExists(tx, accountId));
  if (!isThere) throw new AppError('not_found');
  for (const request of [{ model, dimensions }, against === null ? null : { model: against }]) {
    if (request === null) continue;
    const { embedder } = await createNamedEmbedder(ctx, request);
    await embedder[Symbol.asyncDispose]();
  }
  return withTransaction(ctx, async ({ tx, ids, clock, actor }) => {
    const id = ids.uuid();
    const payload = { model, against, dimensions, account: accountId };
    const job = { id, accountId: actor.accountId, kind: testModelKind, payload, spaces: null };
    await enqueueJob(tx, { ...job, runAt: clock.now() });
    return { job_id: id };
  });
}

type Result = Pick<ModelTest, 'questions' | 'memories' | 'models'>;

/** Throws 404 not_found. */
export async function getModelTest(ctx: Ctx, id: string): Promise<ModelTest> {
  const job = await findJobByKind(ctx.engine.db, testModelKind, id);
  if (!job) throw new AppError('not_found');
  const none: Result = { questions: null, memories: null, models: [] };
  const reasons = await readWaitingReasons(ctx, [job]);
  return { ...presentJob(job, reasons), ...none, ...(job.result as Result | null) };
}

/** Job: embeds the sample with both models and compares what they find. Changes nothing. */
export async function runModelTestJob(app: App, job: RunningJob): Promise<Record<string, unknown>> {
  const { model, against, dimensions, account } = job.payload as unknown as TestRequest;
  const ctx = systemCtx(app, account);
  const olderIds = [...(await supersededIds(ctx))].slice(0, questionsMaxPerOrigin);
  const pairs = [...(await supersededBy(ctx, olderIds))].map(([olderId, newerId]) => ({
    olderId,
    newerId,
  }));
  const sample = await sampleQuestions(ctx, pairs, questionsMaxPerOrigin);
  const questions = [...sample.feedback, ...sample.sessions, ...sample.updates];
  const counts = {
    feedback: sample.feedback.length,
    sessions: sample.sessions.length,
    updates: sample.updates.length,
  };
  if (questions.length < questionsMin) throw tooFewQuestions(counts);
  const answerIds = [...new Set(questions.map(({ answerId }) => answerId))];
  const memories = await loadSampledMemories(ctx, answerIds, othersMax);
  const task = { questions, memories, clock: app.clock };
  const report = (half: number) => (share: number) => job.saveProgress((half + share) / 2);
  const models: Record<string, unknown>[] = [];
  for (const [half, request] of [{ model, dimensions }, { model: against }].entries()) {
    models.push(
      await testNamed(app, request, (name, embedder) =>
        measure(name, embedder, { ...task, report: report(half) }),
      ),
    );
  }
  return { questions: counts, memories: memories.length, models };
}

function tooFewQuestions({ feedback, sessions, updates }: Record<string, number>): Error {
  return new NonRetryableJobError(
    `A comparison needs at least ${questionsMin} questions with answers. The account has ` +
      `${feedback} from helpful feedback with a query, ${sessions} from questions of users in ` +
      `sessions, and ${updates} from memories that replace others.`,
  );
}

/** Without a name: the current model. A named one is closed afterwards. */
async function testNamed<T>(
  app: App,
  { model, dimensions }: { model: string | null; dimensions?: number | null },
  run: (name: string, embedder: Embedder) => Promise<T>,
): Promise<T> {
  if (model === null) return run(currentName, app.embedding.open.current);
  const { embedder } = await createNamedEmbedder(app, { model, dimensions });
  try {
    return await run(model, embedder);
  } finally {
    await embedder[Symbol.asyncDispose]();
  }
}

interface Task {
  readonly questions: readonly SampleQuestion[];
  readonly memories: readonly { readonly id: string; readonly content: string }[];
  readonly clock: Pick<Clock, 'monotonicMs'>;
  report(share: number): Promise<void>;
}

async function measure(name: string, embedder: Embedder, task: Task) {
  const { questions, memories, clock, report } = task;
  const total = memories.length + questions.length;
  let done = 0;
  const embedAll = async (texts: readonly string[], purpose: EmbeddingPurpose) => {
    const startMs = clock.monotonicMs();
    const vectors: Float32Array[] = [];
    for (let at = 0; at < texts.length; at += batchTexts) {
      const batch = texts.slice(at, at + batchTexts);
      vectors.push(...(await embedder.embed(batch, purpose)));
      done += batch.length;
      await report(done / total);
    }
    const tookMs = clock.monotonicMs() - startMs;
    return { vectors, eachMs: tookMs / Math.max(texts.length, 1) };
  };
  const documents = await embedAll(
    memories.map(({ content }) => content),
    'document',
  );
  const asked = await embedAll(
    questions.map(({ question }) => question),
    'query',
  );
  const ranks = questions.map((question, i) =>
    rankOfAnswer(question, asked.vectors[i], memories, documents.vectors),
  );
  const share = (max: number): number => ranks.filter((rank) => rank <= max).length / ranks.length;
  return {
    name,
    model: embedder.model,
    dimensions: embedder.dimensions,
    recall_1: share(1),
    recall_5: share(5),
    mrr: ranks.reduce((sum, rank) => sum + 1 / rank, 0) / ranks.length,
    query_ms: asked.eachMs,
    memory_ms: documents.eachMs,
    vector_bytes: embedder.dimensions,
  };
}

/** From 1. The memory that the question is a copy of does not count; ties count against it. */
function rankOfAnswer(
  { answerId, sourceId }: SampleQuestion,
  query: Float32Array | undefined,
  memories: Task['memories'],
  vectors: readonly Float32Array[],
): number {
  if (query === undefined) return Number.POSITIVE_INFINITY;
  const scoreOf = (at: number): number => dotProduct(query, vectors[at] ?? query);
  const answer = scoreOf(memories.findIndex(({ id }) => id === answerId));
  return memories.filter(({ id }, at) => id !== sourceId && scoreOf(at) >= answer).length;
}
