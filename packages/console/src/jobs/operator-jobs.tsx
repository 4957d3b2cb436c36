import type { Client, Job, JobQueue, OperatorJob } from '@mneme/sdk';
import { queryOptions, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Time } from '../ui/time.tsx';
import { useToast } from '../ui/toasts.tsx';
import { JobRow } from './job-row.tsx';

const refreshMs = 5_000;

/** Only operators may read the queues, so that the answer tells whether this is one. */
export const queuesQuery = (client: Client) =>
  queryOptions({
    queryKey: ['operator', 'queues'],
    staleTime: refreshMs,
    queryFn: ({ signal }) => client.admin.listQueues({}, { signal }),
  });

/** Queues and jobs of all accounts and of the service itself. */
export function OperatorJobs({ status }: { status: Job['status'] | undefined }) {
  const client = useClient();
  const queries = useQueryClient();
  const toast = useToast();
  const queues = useQuery({ ...queuesQuery(client), refetchInterval: refreshMs });
  const jobs = useInfiniteQuery({
    queryKey: ['operator', 'jobs', status],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: 50, cursor: pageParam, ...(status && { status }) };
      return client.admin.listJobs({ query }, { signal });
    },
    getNextPageParam: ({ pagination }) => pagination.next_cursor ?? undefined,
    refetchInterval: refreshMs,
  });
  const run = async (action: Promise<unknown>) => {
    await action.catch((error: Error) => toast({ text: error.message }));
    await queries.invalidateQueries({ queryKey: ['operator'] });
  };
  const setPaused = ({ name, paused_at }: JobQueue) => {
    const params = { name };
    const { pauseQueue, resumeQueue } = client.admin;
    return run(paused_at === null ? pauseQueue({ params }) : resumeQueue({ params }));
  };
  const all = jobs.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <>
      <section className="section" aria-label="Queues">
        <h2>Queues</h2>
        <ul className="rows">
          {queues.data?.data.map((queue) => (
            <QueueRow key={queue.name} queue={queue} onToggle={() => void setPaused(queue)} />
          ))}
        </ul>
      </section>
      <section className="section" aria-label="Jobs of all accounts">
        <h2>Jobs</h2>
        {jobs.isError && <ErrorNotice error={jobs.error} retry={jobs.refetch} />}
        {jobs.isPending && <p className="hint">Loading…</p>}
        {jobs.data && all.length === 0 && <p className="hint">No jobs.</p>}
        <ul className="rows">
          {all.map((job) => (
            <JobRow
              key={job.id}
              job={job}
              place={placeOf(job)}
              onRetry={() => void run(client.admin.retryJob({ params: { id: job.id } }))}
            />
          ))}
        </ul>
        {jobs.hasNextPage && (
          <Button onClick={() => void jobs.fetchNextPage()}>Show older jobs</Button>
        )}
      </section>
    </>
  );
}

const placeOf = ({ queue, account_id }: OperatorJob): string =>
  `queue ${queue}, ${account_id === null ? 'of the service' : `account ${account_id}`}`;

function QueueRow({ queue, onToggle }: { queue: JobQueue; onToggle: () => void }) {
  const { name, paused_at, queued, running, failed, oldest_due_seconds, kinds } = queue;
  return (
    <li className="row-item">
      <div>
        <strong>{name}</strong>{' '}
        {paused_at !== null && (
          <span className="tag" data-tone="warn">
            paused
          </span>
        )}
        <p className="hint queue-figures">
          <span>{queued.toLocaleString()} queued</span>
          <span>{running.toLocaleString()} running</span>
          {failed > 0 && <span className="job-error">{failed.toLocaleString()} failed</span>}
          {oldest_due_seconds >= 1 && <span>waiting for {Math.round(oldest_due_seconds)} s</span>}
          {paused_at !== null && (
            <span>
              since <Time value={paused_at} isRelative />
            </span>
          )}
        </p>
        <details className="hint">
          <summary>
            {kinds.length} {kinds.length === 1 ? 'kind of job' : 'kinds of jobs'}
          </summary>
          {kinds.join(', ')}
        </details>
      </div>
      <Button
        writes
        onClick={onToggle}
        aria-label={`${paused_at === null ? 'Pause' : 'Resume'} ${name}`}
      >
        {paused_at === null ? 'Pause' : 'Resume'}
      </Button>
    </li>
  );
}
