import type { Job } from '@mneme/sdk';

export const jobStatuses: readonly Job['status'][] = [
  'queued',
  'running',
  'completed',
  'failed',
  'cancelled',
];

/** The address of the page. */
interface JobsSearch {
  readonly view?: 'all' | undefined;
  readonly status?: Job['status'] | undefined;
}

export const readJobsSearch = (search: Record<string, unknown>): JobsSearch => ({
  view: search.view === 'all' ? 'all' : undefined,
  status: jobStatuses.find((status) => status === search.status),
});
