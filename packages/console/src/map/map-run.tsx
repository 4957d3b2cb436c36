import { isMnemeError } from '@mneme/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { mapKey } from '../memories/use-memories.ts';
import { useClient } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Icon } from '../ui/icons.tsx';

const refreshMs = 700;

/** Starts a full run of a scope, or follows the one that is underway, until the map is there. */
export function useMapRun(space: string | undefined) {
  const client = useClient();
  const queries = useQueryClient();
  const [jobId, setJobId] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const job = useQuery({
    queryKey: ['job', jobId],
    enabled: jobId !== null,
    queryFn: ({ signal }) => client.jobs.get({ params: { id: jobId ?? '' } }, { signal }),
    refetchInterval: refreshMs,
  });
  const { status, error: jobError } = job.data ?? {};
  useEffect(() => {
    if (status === undefined || status === 'queued' || status === 'running') return;
    setJobId(null);
    if (status === 'failed') setError(new Error(jobError ?? 'The run failed.'));
    void queries.invalidateQueries({ queryKey: mapKey });
  }, [status, jobError, queries]);
  const start = async () => {
    setError(null);
    try {
      const body = { space_id: space ?? null };
      setJobId((await client.clusters.full({ body })).job_id);
    } catch (reason) {
      const running = isMnemeError(reason, 'conflict') ? reason.details?.job_id : undefined;
      if (typeof running === 'string') setJobId(running);
      else setError(reason);
    }
  };
  return { start, isRunning: jobId !== null, progress: job.data?.progress ?? 0, error };
}

export type MapRun = ReturnType<typeof useMapRun>;

export function RunProgress({ progress }: Pick<MapRun, 'progress'>) {
  const percent = Math.round(100 * progress);
  return (
    <div className="map-progress" role="status">
      <span>Making the map: {percent} %</span>
      <span className="meter" role="img" aria-label={`${percent} % done`}>
        <i style={{ width: `${percent}%` }} />
      </span>
    </div>
  );
}

/** Before the first run of a scope. */
export const NoMap = ({ run }: { run: MapRun }) => (
  <div className="empty">
    <Icon name="map" size={28} />
    <h2>There is no map yet</h2>
    <p>
      A clustering run reads all memories, finds their topics, and places similar ones close to each
      other. It takes seconds for thousands of memories, minutes for more.
    </p>
    {run.error ? <ErrorNotice error={run.error} /> : null}
    {run.isRunning ? (
      <RunProgress progress={run.progress} />
    ) : (
      <Button writes kind="primary" onClick={() => void run.start()}>
        Make the map
      </Button>
    )}
  </div>
);
