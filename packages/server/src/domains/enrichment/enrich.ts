import type { EnrichedMemory, EnrichmentOperation, ResponseBody, routes } from '@mneme/contract';
import { enqueue } from '../../jobs/job-queue.ts';
import { NonRetryableJobError, type RunningJob } from '../../jobs/job-worker.ts';
import { AppError, toItemError } from '../../kernel/errors.ts';
import { perApp } from '../../kernel/per-app.ts';
import {
  type App,
  type Ctx,
  canReadSpace,
  systemCtx,
  visibleSpaces,
  withTransaction,
} from '../ctx.ts';
import { Reply } from '../handler.ts';
import {
  findMemory,
  type MemoryRecord,
  presentMemory,
  requireActiveMemory,
} from '../memories/index.ts';
import { computeEnrichment } from './compute.ts';
import {
  currentEnrichments,
  requireMemory,
  storeEnrichments,
  storeEnrichmentsFor,
  toStoredEnrichment,
} from './enrichments.ts';
import { qualityScore, type StoredEnrichment } from './model.ts';

export const enrichJobKind = 'memories.enrich';

const movedMessage = 'The memory is in a space by now that the key which asked may not use.';

/** How long an answer waits for what is made. */
const responseTimeoutMs = 30_000;

/** What became of one operation. */
interface OperationResult {
  readonly operation: EnrichmentOperation;
  /** Null: it failed. */
  readonly enrichment: StoredEnrichment | null;
  /** Made now, not known before. */
  readonly isNew: boolean;
  readonly error: AppError | null;
}

/** What goes on in this process after its answer: the job of that id waits for it. */
const backgroundRuns = perApp<App, Map<string, Promise<void>>>(() => new Map());

type EnrichResponse = ResponseBody<typeof routes.memories.enrich>;

/**
 * Makes what is asked for of a memory's content and tells it as an event; a job goes on with what
 * takes longer than 30 s. Throws 404 memory_not_found, 403, 409 conflict for a deleted one.
 */
export async function enrichMemory(
  ctx: Ctx,
  id: string,
  asked: readonly EnrichmentOperation[],
  prefersAsync: boolean,
): Promise<EnrichResponse | Reply<EnrichResponse>> {
  const record = await requireMemory(ctx, id);
  requireActiveMemory(record);
  const operations = [...new Set(asked)];
  if (prefersAsync) {
    const applied = { 'preference-applied': 'respond-async' };
    return (await enqueueEnrichment(ctx, id, operations, applied)).reply;
  }
  // The outcome of an Idempotency-Key is kept with what ends the request, not on the way there.
  const { beforeCommit: _, ...unsealed } = ctx;
  const making = computeAll(unsealed, record, operations);
  const outcomes = await withinTimeout(ctx, making);
  if (outcomes !== null) return storeAndPublish(ctx, record, outcomes);
  const { jobId, reply } = await enqueueEnrichment(ctx, id, operations);
  const running = backgroundRuns.of(ctx);
  const rest = making
    .then((made) => storeNew(unsealed, made))
    .catch((error: unknown) => ctx.log.warn({ err: error }, 'an enrichment was not kept'))
    .finally(() => running.delete(jobId));
  running.set(jobId, rest);
  return reply;
}

/** What is promised, or null where it takes longer than an answer waits. */
async function withinTimeout<T>({ clock }: Ctx, promised: Promise<T>): Promise<T | null> {
  const late = Promise.withResolvers<null>();
  using _timer = clock.after(responseTimeoutMs, () => late.resolve(null));
  return await Promise.race([promised, late.promise]);
}

async function enqueueEnrichment(
  ctx: Ctx,
  memoryId: string,
  operations: readonly EnrichmentOperation[],
  headers: Record<string, string> = {},
): Promise<{ jobId: string; reply: Reply<EnrichResponse> }> {
  const jobId = ctx.ids.uuid();
  const body = { job_id: jobId, memory_id: memoryId, status: 'queued' as const };
  const reply = await withTransaction(ctx, async ({ tx, actor, clock }) => {
    await enqueue(tx, {
      id: jobId,
      accountId: actor.accountId,
      kind: enrichJobKind,
      payload: { memory_id: memoryId, operations },
      spaces: visibleSpaces(actor),
      runAt: clock.now(),
    });
    return new Reply<EnrichResponse>(body, { status: 202, headers });
  });
  return { jobId, reply };
}

/**
 * Job: an operation that fails keeps what the others made and is tried again. A memory that went,
 * also while it was read, ends it.
 */
export async function runEnrichJob(app: App, job: RunningJob): Promise<void> {
  const { accountId, payload } = job;
  if (accountId === null) return;
  await backgroundRuns.of(app).get(job.id);
  const ctx = systemCtx(app, accountId, job.spaces);
  const id = payload.memory_id as string;
  const record = await activeMemory(ctx, id);
  if (!record) return;
  if (!canReadSpace(ctx.actor, record.space_id)) throw new NonRetryableJobError(movedMessage);
  try {
    await enrichAll(ctx, record, payload.operations as EnrichmentOperation[]);
  } catch (error) {
    if (await activeMemory(ctx, id)) throw error;
  }
}

async function activeMemory(ctx: Ctx, id: string): Promise<MemoryRecord | undefined> {
  const record = await findMemory(ctx.engine.db, ctx.actor.accountId, id);
  return record?.deleted_at === null ? record : undefined;
}

async function enrichAll(
  ctx: Ctx,
  record: MemoryRecord,
  operations: readonly EnrichmentOperation[],
): Promise<void> {
  const outcomes = await computeAll(ctx, record, operations);
  const failed = outcomes.find(({ error }) => error !== null);
  if (!failed) return void (await storeAndPublish(ctx, record, outcomes));
  await storeNew(ctx, outcomes);
  throw failed.error ?? new AppError('internal_error');
}

/** What the same model made of the same content is not made again. */
async function computeAll(
  ctx: Ctx,
  record: MemoryRecord,
  operations: readonly EnrichmentOperation[],
): Promise<OperationResult[]> {
  const known = (await currentEnrichments(ctx, record, operations)).filter(
    ({ model }) => model === ctx.language.model,
  );
  return Promise.all(
    operations.map(async (operation): Promise<OperationResult> => {
      const kept = known.find((one) => one.operation === operation);
      if (kept) return { operation, enrichment: kept, isNew: false, error: null };
      try {
        const made = toStoredEnrichment(
          record,
          await computeEnrichment(ctx, record, operation),
          ctx.clock.now(),
        );
        return { operation, enrichment: made, isNew: true, error: null };
      } catch (error) {
        ctx.log.error({ err: error, operation, memory: record.id }, 'an enrichment failed');
        const cause = { cause: error };
        const fault = error instanceof AppError ? error : new AppError('internal_error', cause);
        return { operation, enrichment: null, isNew: false, error: fault };
      }
    }),
  );
}

const newEnrichments = (outcomes: readonly OperationResult[]): StoredEnrichment[] =>
  outcomes.flatMap(({ enrichment, isNew }) => (enrichment && isNew ? [enrichment] : []));

/** Without telling: a job does, when all is made. */
const storeNew = async (ctx: Ctx, outcomes: readonly OperationResult[]): Promise<void> =>
  void (await withTransaction(ctx, (inTx) => storeEnrichments(inTx, newEnrichments(outcomes))));

/** Keeps what was made and tells that it was. Throws 404 memory_not_found. */
async function storeAndPublish(
  ctx: Ctx,
  { id }: MemoryRecord,
  outcomes: readonly OperationResult[],
): Promise<EnrichedMemory> {
  return withTransaction(ctx, async (inTx) => {
    const there = (await storeEnrichmentsFor(inTx, [id], newEnrichments(outcomes))).get(id);
    if (!there) throw new AppError('memory_not_found');
    const now = inTx.clock.now();
    if (outcomes.some(({ enrichment }) => enrichment !== null)) {
      inTx.journal.addEvent({
        accountId: inTx.actor.accountId,
        type: 'memory.updated',
        spaceId: there.after.space_id,
        data: presentMemory(there.after, now),
        previousData: presentMemory(there.before, now),
        changes: ['enrichment'],
      });
    }
    return presentEnriched(id, outcomes, ctx.language.model, now);
  });
}

function presentEnriched(
  memoryId: string,
  outcomes: readonly OperationResult[],
  asked: string,
  now: Date,
): EnrichedMemory {
  const kept = outcomes.flatMap((outcome) => outcome.enrichment ?? []);
  const models = [...new Set(kept.map(({ model }) => model))];
  const last = Math.max(...kept.map(({ processedAt }) => processedAt.getTime()));
  return {
    memory_id: memoryId,
    enrichments: Object.fromEntries(
      outcomes.map(({ operation, enrichment: made, error }) => [
        operation,
        made
          ? { success: true, data: presentValue(made) }
          : { success: false, error: toItemError(error ?? new AppError('internal_error')) },
      ]),
    ),
    processed_at: (kept.length > 0 ? new Date(last) : now).toISOString(),
    // One that fell back is named beside the model that was asked.
    model: models.join(', ') || asked,
  };
}

function presentValue(kept: StoredEnrichment): unknown {
  if (kept.operation !== 'quality') return kept.value;
  const { specificity, clarity, actionability, ...rest } = (kept as StoredEnrichment<'quality'>)
    .value;
  const score = qualityScore({ specificity, clarity, actionability, ...rest });
  return { score, factors: { specificity, clarity, actionability } };
}
