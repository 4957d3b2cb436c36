import type { JobRow } from '../../jobs/job-queue.ts';
import type { WaitingReasons } from '../../jobs/waiting-reasons.ts';

/** The fields that all representations of a job share. */
export const presentJob = (job: JobRow, reasons: WaitingReasons) => ({
  id: job.id,
  status: job.status,
  progress: job.progress,
  waiting_reason: reasons.get(job.id) ?? null,
  error: job.error,
  created_at: job.created_at.toISOString(),
  finished_at: job.finished_at?.toISOString() ?? null,
});
