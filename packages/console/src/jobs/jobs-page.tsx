import '../styles/settings.css';
import '../styles/operations.css';
import { isMnemeError, type Job } from '@mneme/sdk';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useClient } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Icon } from '../ui/icons.tsx';
import { Segments } from '../ui/segments.tsx';
import { StatusSelect } from '../ui/status-select.tsx';
import { useToast } from '../ui/toasts.tsx';
import { isOpen, JobRow } from './job-row.tsx';
import { jobStatuses } from './jobs-state.ts';
import { OperatorJobs, queuesQuery } from './operator-jobs.tsx';

const refreshMs = 2_000;
const views = [
  ['account', 'This account'],
  ['all', 'All accounts'],
] as const;

/** Long work of the server: its progress, its failures and the way out. */
export function JobsPage() {
  const client = useClient();
  const search = useSearch({ from: '/jobs' });
  const navigate = useNavigate();
  const change = (next: typeof search) =>
    void navigate({ to: '/jobs', search: { ...search, ...next }, replace: true });
  const queues = useQuery(queuesQuery(client));
  const isOperator = queues.isSuccess;
  const isAll = isOperator && search.view === 'all';
  return (
    <div className="page page-wide">
      <header className="section-head">
        <h1>Jobs</h1>
        <div className="section-actions">
          {isOperator && (
            <Segments
              label="View"
              value={isAll ? 'all' : 'account'}
              options={views}
              onChange={(view) => change({ view: view === 'all' ? view : undefined })}
            />
          )}
          <StatusSelect
            status={search.status}
            statuses={jobStatuses}
            onChange={(status) => change({ status })}
          />
        </div>
      </header>
      {queues.isError && !isMnemeError(queues.error, 'insufficient_permissions') && (
        <ErrorNotice error={queues.error} retry={queues.refetch} />
      )}
      {isAll ? <OperatorJobs status={search.status} /> : <AccountJobs status={search.status} />}
    </div>
  );
}

function AccountJobs({ status }: { status: Job['status'] | undefined }) {
  const client = useClient();
  const queries = useQueryClient();
  const toast = useToast();
  const jobs = useInfiniteQuery({
    queryKey: ['jobs', status],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: 50, cursor: pageParam, ...(status && { status }) };
      return client.jobs.list({ query }, { signal });
    },
    getNextPageParam: ({ pagination }) => pagination.next_cursor ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(isOpen)) ? refreshMs : false,
  });
  const run = async (action: Promise<unknown>) => {
    await action.catch((error: Error) => toast({ text: error.message }));
    await queries.invalidateQueries({ queryKey: ['jobs'] });
  };
  const all = jobs.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <>
      {jobs.isError && <ErrorNotice error={jobs.error} retry={jobs.refetch} />}
      {jobs.isPending && <p className="hint">Loading…</p>}
      {jobs.data && all.length === 0 && (
        <div className="empty">
          <Icon name="jobs" />
          <h2>No jobs{status && ' in this state'}</h2>
          <p>Imports, erasures, transcriptions and clustering runs appear here while they work.</p>
        </div>
      )}
      <ul className="rows">
        {all.map((job) => (
          <JobRow
            key={job.id}
            job={job}
            onRetry={() => void run(client.jobs.retry({ params: { id: job.id } }))}
            onCancel={() => void run(client.jobs.cancel({ params: { id: job.id } }))}
          />
        ))}
      </ul>
      {jobs.hasNextPage && (
        <Button onClick={() => void jobs.fetchNextPage()}>Show older jobs</Button>
      )}
    </>
  );
}
