import type { JobRow } from '../../jobs/job-queue.ts';

/** The fields that all representations of a job share. */
export const presentJob = (job: JobRow) => ({
  id: job.id,
  status: job.status,
  progress: job.progress,
  error: job.error,
  created_at: job.created_at.toISOString(),
  finished_at: job.finished_at?.toISOString() ?? null,
});
