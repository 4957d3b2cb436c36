import type { SegmentModality } from '@mneme/contract';
import type { Db } from '../../../engine/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { RunFailed, ToolMissing } from '../../../providers/ffmpeg/index.ts';
import { Stopping } from '../../../work/pulse.ts';
import { again, JobRefused, LeaseLost, type RunningJob } from '../../../work/worker.ts';
import { type App, type Ctx, maySee, systemCtx } from '../../ctx.ts';
import { findMemory } from '../../memories/index.ts';
import { removeOfOthers } from '../segments/segments.ts';
import { type Held, type Made, queueHeld } from './store.ts';

interface Row extends Held {
  readonly status: string;
  /** The run whose segments count. */
  readonly shown_attempt: number | null;
}

/** How a job makes what is said or shown. */
interface Making<Taken extends Row> {
  readonly made: Made;
  readonly modality: SegmentModality;
  find(db: Db, accountId: string, memoryId: string): Promise<Row | undefined>;
  /** Takes it up; undefined where another job has it, or it is over. */
  take(db: Db, accountId: string, memoryId: string, jobId: string): Promise<Taken | undefined>;
  make(ctx: Ctx, job: RunningJob, taken: Taken): Promise<void>;
  fail(db: Db, taken: Taken, reason: string): Promise<boolean>;
  /** Faults of its provider; their messages may be told. */
  readonly Failed: new (
    ...args: never[]
  ) => Error & { readonly unavailable: boolean; readonly lasting: boolean };
  /** What is told of a file that FFmpeg cannot read. */
  readonly unreadable: string;
}

/**
 * Runs the job of a recording. What may fare better is tried again; else it has failed, and says
 * why. Segments of runs that do not count are gone in either case.
 */
export async function runMaking<Taken extends Row>(
  app: App,
  job: RunningJob,
  making: Making<Taken>,
): Promise<typeof again | undefined> {
  const { accountId, payload } = job;
  if (accountId === null) return undefined;
  const { db } = app.engine;
  const memoryId = payload.memory_id as string;
  const taken = await making.take(db, accountId, memoryId, job.id);
  const ctx = systemCtx(app, accountId, job.spaces);
  const place = { accountId, memoryId, modality: making.modality };
  if (!taken) {
    // A run that was completed, and died before former segments were gone.
    const known = await making.find(db, accountId, memoryId);
    if (known?.status === 'completed') await removeOfOthers(ctx, place, [known.shown_attempt]);
    return undefined;
  }
  try {
    await requireReach(ctx, memoryId);
    await making.make(ctx, job, taken);
    return undefined;
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    if (error instanceof Stopping || job.stopping.aborted) return again;
    if (mayFareBetter(error, making) && !job.isLastTry) {
      await queueHeld(db, making.made, taken);
      throw error;
    }
    const reason = reasonOf(error, making);
    await making.fail(db, taken, reason);
    await removeOfOthers(ctx, place, [taken.shown_attempt]);
    // The log tells both: the same words once.
    const isTold = error instanceof Error && error.message === reason;
    throw new JobRefused(reason, { cause: isTold ? error.cause : error });
  }
}

/** It may have moved since: a job reaches no further than the key that asked for it. */
async function requireReach({ engine, actor }: Ctx, memoryId: string): Promise<void> {
  const memory = await findMemory(engine.db, actor.accountId, memoryId);
  if (!memory || maySee(actor, memory.space_id)) return;
  throw new JobRefused('the memory is in a space that the key which asked may not use');
}

type Faults = Pick<Making<Row>, 'Failed' | 'unreadable'>;

function mayFareBetter(error: unknown, { Failed }: Faults): boolean {
  if (error instanceof RunFailed || error instanceof ToolMissing || isLost(error)) return false;
  if (error instanceof JobRefused) return false;
  return !(error instanceof Failed) || (error.unavailable && !error.lasting);
}

/** As `requireBytes` throws it. */
const isLost = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'not_found';

/** What may be told: nothing of what was said, or of this machine. */
function reasonOf(error: unknown, { Failed, unreadable }: Faults): string {
  const isTold = error instanceof Failed || error instanceof ToolMissing || isLost(error);
  if (isTold || error instanceof JobRefused) return error.message;
  if (error instanceof RunFailed) return unreadable;
  return 'an internal error';
}
