import { waitingReasons } from '@mneme/contract/waiting-reasons';
import type { Import } from '@mneme/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useClient } from '../session/session-context.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';

const refreshMs = 500;
const isOpen = ({ status }: Import): boolean => status === 'queued' || status === 'running';

const spell = (name: string): string => name.replaceAll('_', ' ');

/** The progress of an import, then what it did with the records. */
export function ImportProgress({ id }: { id: string }) {
  const client = useClient();
  const queries = useQueryClient();
  const job = useQuery({
    queryKey: ['import', id],
    queryFn: ({ signal }) => client.transfers.getImport({ params: { id } }, { signal }),
    refetchInterval: ({ state }) => (state.data && !isOpen(state.data) ? false : refreshMs),
  });
  const isDone = job.data?.status === 'completed';
  useEffect(() => {
    if (isDone)
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'import' });
  }, [isDone, queries]);
  if (job.isError) return <ErrorNotice error={job.error} retry={job.refetch} />;
  if (!job.data) return <p className="hint">Checking the archive…</p>;
  const percent = Math.round(job.data.progress * 100);
  return (
    <div className="import">
      <p role="status">
        {isOpen(job.data) ? `Importing: ${percent} %` : `Import ${job.data.status}.`}
      </p>
      <span className="meter" role="img" aria-label={`${percent} % imported`}>
        <i style={{ width: `${percent}%` }} />
      </span>
      {job.data.waiting_reason !== null && (
        <p className="job-error">{waitingReasons[job.data.waiting_reason]}</p>
      )}
      {job.data.error !== null && <p className="job-error">{job.data.error}</p>}
      <ul className="import-report">
        {job.data.records.map(({ kind, created, updated, unchanged, skipped }) => (
          <li key={kind}>
            <strong>{spell(kind)}</strong>: {created} created, {updated} updated, {unchanged}{' '}
            unchanged, {skipped} skipped
          </li>
        ))}
        {job.data.reasons.map(({ kind, reason, count }) => (
          <li key={`${kind} ${reason}`} className="hint">
            {count} {spell(kind)} skipped: {spell(reason)}
          </li>
        ))}
      </ul>
    </div>
  );
}
