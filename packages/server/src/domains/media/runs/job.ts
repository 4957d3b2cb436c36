import type { SegmentModality } from '@mneme/contract';
import type { Db } from '../../../database/index.ts';
import { JobStopped } from '../../../jobs/job-heartbeat.ts';
import {
  LeaseLost,
  NonRetryableJobError,
  type RunningJob,
  requeue,
} from '../../../jobs/job-worker.ts';
import { AppError } from '../../../kernel/errors.ts';
import { ProgramFailed, ToolMissing } from '../../../providers/ffmpeg/index.ts';
import { type App, type Ctx, canReadSpace, systemCtx } from '../../ctx.ts';
import { findMemory } from '../../memories/index.ts';
import { removeSegmentsOfOtherRuns } from '../segments/segments.ts';
import { type MediaJobClaim, type MediaJobTable, requeueClaimed } from './store.ts';

interface MediaJobRow extends MediaJobClaim {
  readonly status: string;
  /** The run whose segments count. */
  readonly shown_attempt: number | null;
}

/** How a job makes what is said or shown. */
interface MediaJobDefinition<Taken extends MediaJobRow> {
  readonly table: MediaJobTable;
  readonly modality: SegmentModality;
  find(db: Db, accountId: string, memoryId: string): Promise<MediaJobRow | undefined>;
  /** Takes it up; undefined where another job has it, or it is over. */
  acquire(db: Db, accountId: string, memoryId: string, jobId: string): Promise<Taken | undefined>;
  run(ctx: Ctx, job: RunningJob, taken: Taken): Promise<void>;
  fail(db: Db, taken: Taken, reason: string): Promise<boolean>;
  /** Faults of its provider; their messages may be told. */
  readonly ProviderError: new (
    ...args: never[]
  ) => Error & { readonly unavailable: boolean; readonly isPermanent: boolean };
  /** What is told of a file that FFmpeg cannot read. */
  readonly unreadableMessage: string;
}

/**
 * Runs the job of a recording. What may fare better is tried again; else it has failed, and says
 * why. Segments of runs that do not count are gone in either case.
 */
export async function runMediaJob<Taken extends MediaJobRow>(
  app: App,
  job: RunningJob,
  making: MediaJobDefinition<Taken>,
): Promise<typeof requeue | undefined> {
  const { accountId, payload } = job;
  if (accountId === null) return undefined;
  const { db } = app.engine;
  const memoryId = payload.memory_id as string;
  const taken = await making.acquire(db, accountId, memoryId, job.id);
  const ctx = systemCtx(app, accountId, job.spaces);
  const place = { accountId, memoryId, modality: making.modality };
  if (!taken) {
    // A run that was completed, and died before former segments were gone.
    const known = await making.find(db, accountId, memoryId);
    if (known?.status === 'completed')
      await removeSegmentsOfOtherRuns(ctx, place, [known.shown_attempt]);
    return undefined;
  }
  try {
    await requireMemoryAccess(ctx, memoryId);
    await making.run(ctx, job, taken);
    return undefined;
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    if (error instanceof JobStopped || job.stopSignal.aborted) return requeue;
    if (isRetryable(error, making) && !job.isLastAttempt) {
      await requeueClaimed(db, making.table, taken);
      throw error;
    }
    const reason = publicReason(error, making);
    await making.fail(db, taken, reason);
    await removeSegmentsOfOtherRuns(ctx, place, [taken.shown_attempt]);
    // The log tells both: the same words once.
    const isTold = error instanceof Error && error.message === reason;
    throw new NonRetryableJobError(reason, { cause: isTold ? error.cause : error });
  }
}

/** It may have moved since: a job reaches no further than the key that asked for it. */
async function requireMemoryAccess({ engine, actor }: Ctx, memoryId: string): Promise<void> {
  const memory = await findMemory(engine.db, actor.accountId, memoryId);
  if (!memory || canReadSpace(actor, memory.space_id)) return;
  throw new NonRetryableJobError('the memory is in a space that the key which asked may not use');
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

/** As `requireBytes` throws it. */
const isFileMissing = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'not_found';

/** What may be told: nothing of what was said, or of this machine. */
function publicReason(
  error: unknown,
  { ProviderError, unreadableMessage }: ErrorDefinitions,
): string {
  const isTold =
    error instanceof ProviderError || error instanceof ToolMissing || isFileMissing(error);
  if (isTold || error instanceof NonRetryableJobError) return error.message;
  if (error instanceof ProgramFailed) return unreadableMessage;
  return 'an internal error';
}
