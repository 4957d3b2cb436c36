import '../styles/settings.css';
import type { Job } from '@mneme/sdk';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Icon } from '../ui/icons.tsx';
import { Time } from '../ui/time.tsx';
import { useToast } from '../ui/toasts.tsx';

const refreshMs = 2_000;
const isOpen = ({ status }: Job): boolean => status === 'queued' || status === 'running';

const tones: Readonly<Record<Job['status'], string>> = {
  queued: 'accent',
  running: 'accent',
  completed: 'good',
  failed: 'danger',
  cancelled: 'warn',
};

/** Long work of the server: its progress, its failures and the way out. */
export function JobsPage() {
  const client = useClient();
  const jobs = useInfiniteQuery({
    queryKey: ['jobs'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      client.jobs.list({ query: { limit: 50, cursor: pageParam } }, { signal }),
    getNextPageParam: ({ pagination }) => pagination.next_cursor ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(isOpen)) ? refreshMs : false,
  });
  const all = jobs.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <div className="page">
      <h1>Jobs</h1>
      {jobs.isError && <ErrorNotice error={jobs.error} retry={jobs.refetch} />}
      {jobs.isPending && <p className="hint">Loading…</p>}
      {jobs.data && all.length === 0 && (
        <div className="empty">
          <Icon name="jobs" />
          <h2>No jobs</h2>
          <p>Imports, erasures, transcriptions and clustering runs appear here while they work.</p>
        </div>
      )}
      <ul className="rows">
        {all.map((job) => (
          <JobRow key={job.id} job={job} />
        ))}
      </ul>
      {jobs.hasNextPage && (
        <Button onClick={() => void jobs.fetchNextPage()}>Show older jobs</Button>
      )}
    </div>
  );
}

function JobRow({ job }: { job: Job }) {
  const client = useClient();
  const queries = useQueryClient();
  const toast = useToast();
  const cancel = async () => {
    try {
      await client.jobs.cancel({ params: { id: job.id } });
      await queries.invalidateQueries({ queryKey: ['jobs'] });
    } catch (error) {
      toast({ text: (error as Error).message });
    }
  };
  const percent = Math.round(job.progress * 100);
  return (
    <li className="row-item">
      <div>
        <strong>{job.kind.replaceAll(/[._]/g, ' ')}</strong>{' '}
        <span className="tag" data-tone={tones[job.status]}>
          {job.status}
        </span>
        <p className="hint">
          <Time value={job.created_at} isRelative />
          {job.attempt_count > 1 && `, attempt ${job.attempt_count}`}
        </p>
        {job.error !== null && <p className="job-error">{job.error}</p>}
      </div>
      {isOpen(job) && (
        <div className="job-progress">
          <span className="meter" role="img" aria-label={`${percent} % done`}>
            <i style={{ width: `${percent}%` }} />
          </span>
          {job.kind.startsWith('cluster') && <Button onClick={cancel}>Cancel</Button>}
        </div>
      )}
    </li>
  );
}
