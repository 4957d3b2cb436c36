import type { SegmentModality } from '@mneme/contract';
import type { Db } from '../../../database/index.ts';
import { JobStopped } from '../../../jobs/job-heartbeat.ts';
import { NonRetryableJobError, type RunningJob, requeueResult } from '../../../jobs/job-worker.ts';
import { AppError } from '../../../kernel/errors.ts';
import { LeaseLost } from '../../../kernel/lease.ts';
import { ProgramFailed, ToolMissing } from '../../../providers/ffmpeg/index.ts';
import { type App, type Ctx, canReadSpace, systemCtx } from '../../ctx.ts';
import { findMemory } from '../../memories/index.ts';
import { removeSegmentsOfOtherRuns } from '../segments/segments.ts';
import { type MediaJobClaim, type MediaJobTable, requeueClaimedRow } from './store/job-claims.ts';

interface MediaJobRow extends MediaJobClaim {
  readonly status: string;
  /** The attempt whose segments are visible. */
  readonly completed_attempt: number | null;
}

/** The parts in which transcription and interpretation differ. */
interface MediaJobDefinition<Claim extends MediaJobRow> {
  readonly table: MediaJobTable;
  readonly modality: SegmentModality;
  find(db: Db, accountId: string, memoryId: string): Promise<MediaJobRow | undefined>;
  /** Claims the row. Undefined: another job has claimed it, or it has ended. */
  acquire(db: Db, accountId: string, memoryId: string, jobId: string): Promise<Claim | undefined>;
  run(ctx: Ctx, job: RunningJob, claim: Claim): Promise<void>;
  fail(db: Db, claim: Claim, reason: string): Promise<boolean>;
  /** Errors of the provider; their messages are public. */
  readonly ProviderError: new (
    ...args: never[]
  ) => Error & { readonly unavailable: boolean; readonly isPermanent: boolean };
  /** The public message for a file that FFmpeg cannot decode. */
  readonly unreadableMessage: string;
}

/**
 * Runs a transcription or interpretation job. A retryable error puts the row back in the queue;
 * any other marks it as failed with the reason and removes the segments of invisible runs.
 */
export async function runMediaJob<Claim extends MediaJobRow>(
  app: App,
  job: RunningJob,
  definition: MediaJobDefinition<Claim>,
): Promise<typeof requeueResult | undefined> {
  const { accountId, payload } = job;
  if (accountId === null) return undefined;
  const { db } = app.engine;
  const memoryId = payload.memory_id as string;
  const claim = await definition.acquire(db, accountId, memoryId, job.id);
  const ctx = systemCtx(app, accountId, job.spaces);
  const owner = { accountId, memoryId, modality: definition.modality };
  if (!claim) {
    // A completed run may have died before it removed the segments of earlier runs.
    const row = await definition.find(db, accountId, memoryId);
    if (row?.status === 'completed')
      await removeSegmentsOfOtherRuns(ctx, owner, [row.completed_attempt]);
    return undefined;
  }
  try {
    await requireMemoryAccess(ctx, memoryId);
    await definition.run(ctx, job, claim);
    return undefined;
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    if (error instanceof JobStopped || job.stopSignal.aborted) return requeueResult;
    if (isRetryable(error, definition) && !job.isLastAttempt) {
      await requeueClaimedRow(db, definition.table, claim);
      throw error;
    }
    const reason = publicReason(error, definition);
    await definition.fail(db, claim, reason);
    await removeSegmentsOfOtherRuns(ctx, owner, [claim.completed_attempt]);
    // The log has the message and the cause: avoid the same text twice.
    const isSameMessage = error instanceof Error && error.message === reason;
    throw new NonRetryableJobError(reason, { cause: isSameMessage ? error.cause : error });
  }
}

/** The memory may have moved: a job has the space access of the key that requested it. */
async function requireMemoryAccess(ctx: Ctx, memoryId: string): Promise<void> {
  const memory = await findMemory(ctx, memoryId);
  if (!memory || canReadSpace(ctx.actor, memory.space_id)) return;
  throw new NonRetryableJobError(
    'the memory is in a space that the API key of the request cannot access',
  );
}

type ErrorDefinitions = Pick<
  MediaJobDefinition<MediaJobRow>,
  'ProviderError' | 'unreadableMessage'
>;

function isRetryable(error: unknown, { ProviderError }: ErrorDefinitions): boolean {
  if (error instanceof ProgramFailed || error instanceof ToolMissing || isFileMissing(error))
    return false;
  if (error instanceof NonRetryableJobError) return false;
  return !(error instanceof ProviderError) || (error.unavailable && !error.isPermanent);
}

/** As thrown by `requireBlob`. */
const isFileMissing = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'not_found';

/** A message without text of the transcript or details of the host. */
function publicReason(
  error: unknown,
  { ProviderError, unreadableMessage }: ErrorDefinitions,
): string {
  const isPublic =
    error instanceof ProviderError || error instanceof ToolMissing || isFileMissing(error);
  if (isPublic || error instanceof NonRetryableJobError) return error.message;
  if (error instanceof ProgramFailed) return unreadableMessage;
  return 'internal error';
}
