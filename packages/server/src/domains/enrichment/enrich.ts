import type { EnrichedMemory, EnrichmentOperation, ResponseBody, routes } from '@mneme/contract';
import { sharedOwner } from '../../events/shared-owner.ts';
import { enqueueJob } from '../../jobs/job-queue.ts';
import { NonRetryableJobError, type RunningJob } from '../../jobs/job-worker.ts';
import { AppError, toBatchItemError } from '../../kernel/errors.ts';
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
  presentCurrentMemory,
  presentEventMemory,
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

const movedMessage = 'The memory was moved to a space that the requesting key cannot access.';

/** How long a response waits for the enrichments. */
const responseTimeoutMs = 30_000;

/** The result of one operation. */
interface OperationResult {
  readonly operation: EnrichmentOperation;
  /** Null: it failed. */
  readonly enrichment: StoredEnrichment | null;
  /** Computed now, not stored before. */
  readonly isNew: boolean;
  readonly error: AppError | null;
}

/**
 * Enrichments that continue in this process after the response: the job with that id waits for
 * them.
 */
const backgroundRuns = perApp<App, Map<string, Promise<void>>>(() => new Map());

type EnrichResponse = ResponseBody<typeof routes.memories.enrich>;

/**
 * Computes the requested enrichments of a memory and publishes an event; a job continues if it
 * takes longer than 30 s. Throws 404 memory_not_found, 403, 409 conflict for a deleted one.
 */
export async function enrichMemory(
  ctx: Ctx,
  id: string,
  requested: readonly EnrichmentOperation[],
  prefersAsync: boolean,
): Promise<EnrichResponse | Reply<EnrichResponse>> {
  const record = await requireMemory(ctx, id);
  requireActiveMemory(record);
  const operations = [...new Set(requested)];
  if (prefersAsync) {
    const applied = { 'preference-applied': 'respond-async' };
    return (await enqueueEnrichment(ctx, id, operations, applied)).reply;
  }
  // The Idempotency-Key result is stored by the write that ends the request, not by earlier
  // ones.
  const { beforeCommit: _, ...ctxWithoutHook } = ctx;
  const pending = computeAll(ctxWithoutHook, record, operations);
  const outcomes = await withinTimeout(ctx, pending);
  if (outcomes !== null) return storeAndPublish(ctx, record, outcomes);
  const { jobId, reply } = await enqueueEnrichment(ctx, id, operations);
  const running = backgroundRuns.of(ctx);
  const rest = pending
    .then((results) => storeNew(ctxWithoutHook, results))
    .catch((error: unknown) => ctx.log.warn({ err: error }, 'enrichment storage failed'))
    .finally(() => running.delete(jobId));
  running.set(jobId, rest);
  return reply;
}

/** The result of the promise, or null if it takes longer than a response waits. */
async function withinTimeout<T>({ clock }: Ctx, promise: Promise<T>): Promise<T | null> {
  const timeout = Promise.withResolvers<null>();
  using _timer = clock.after(responseTimeoutMs, () => timeout.resolve(null));
  return await Promise.race([promise, timeout.promise]);
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
    await enqueueJob(tx, {
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
 * Job: if an operation fails, the results of the others are stored and it is retried. It ends if
 * the memory is deleted, also while it is being processed.
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
  const record = await findMemory(ctx, id);
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

/** A result of the same model for the same content is reused. */
async function computeAll(
  ctx: Ctx,
  record: MemoryRecord,
  operations: readonly EnrichmentOperation[],
): Promise<OperationResult[]> {
  const stored = (await currentEnrichments(ctx, record, operations)).filter(
    ({ model }) => model === ctx.language.model,
  );
  return Promise.all(
    operations.map(async (operation): Promise<OperationResult> => {
      const existing = stored.find((one) => one.operation === operation);
      if (existing) return { operation, enrichment: existing, isNew: false, error: null };
      try {
        const enrichment = toStoredEnrichment(
          record,
          await computeEnrichment(ctx, record, operation),
          ctx.clock.now(),
        );
        return { operation, enrichment, isNew: true, error: null };
      } catch (error) {
        ctx.log.error({ err: error, operation, memory: record.id }, 'enrichment failed');
        const cause = { cause: error };
        const appError = error instanceof AppError ? error : new AppError('internal_error', cause);
        return { operation, enrichment: null, isNew: false, error: appError };
      }
    }),
  );
}

const newEnrichments = (outcomes: readonly OperationResult[]): StoredEnrichment[] =>
  outcomes.flatMap(({ enrichment, isNew }) => (enrichment && isNew ? [enrichment] : []));

/** Publishes no event: the job does when all operations are done. */
const storeNew = async (ctx: Ctx, outcomes: readonly OperationResult[]): Promise<void> =>
  void (await withTransaction(ctx, (inTx) => storeEnrichments(inTx, newEnrichments(outcomes))));

/** Stores the results and publishes the event. Throws 404 memory_not_found. */
async function storeAndPublish(
  ctx: Ctx,
  { id }: MemoryRecord,
  outcomes: readonly OperationResult[],
): Promise<EnrichedMemory> {
  return withTransaction(ctx, async (inTx) => {
    const stored = (await storeEnrichmentsFor(inTx, [id], newEnrichments(outcomes))).get(id);
    if (!stored) throw new AppError('memory_not_found');
    const now = inTx.clock.now();
    if (outcomes.some(({ enrichment }) => enrichment !== null)) {
      const data = await presentEventMemory(inTx, stored.after);
      const { outdated_by } = data;
      inTx.journal.addEvent({
        accountId: inTx.actor.accountId,
        type: 'memory.updated',
        spaceId: stored.after.space_id,
        owner: sharedOwner([stored.after]),
        data,
        previousData: { ...presentCurrentMemory(stored.before, now), outdated_by },
        changes: ['enrichment'],
      });
    }
    return presentEnriched(id, outcomes, ctx.language.model, now);
  });
}

function presentEnriched(
  memoryId: string,
  outcomes: readonly OperationResult[],
  configuredModel: string,
  now: Date,
): EnrichedMemory {
  const stored = outcomes.flatMap((outcome) => outcome.enrichment ?? []);
  const models = [...new Set(stored.map(({ model }) => model))];
  const last = Math.max(...stored.map(({ processedAt }) => processedAt.getTime()));
  return {
    memory_id: memoryId,
    enrichments: Object.fromEntries(
      outcomes.map(({ operation, enrichment: made, error }) => [
        operation,
        made
          ? { success: true, data: presentValue(made) }
          : { success: false, error: toBatchItemError(error ?? new AppError('internal_error')) },
      ]),
    ),
    processed_at: (stored.length > 0 ? new Date(last) : now).toISOString(),
    // A result of the fallback is named in addition to the configured model.
    model: models.join(', ') || configuredModel,
  };
}

function presentValue(kept: StoredEnrichment): unknown {
  if (kept.operation !== 'quality') return kept.value;
  const { specificity, clarity, actionability, ...rest } = (kept as StoredEnrichment<'quality'>)
    .value;
  const score = qualityScore({ specificity, clarity, actionability, ...rest });
  return { score, factors: { specificity, clarity, actionability } };
}
