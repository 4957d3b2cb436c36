import { waitingReasons } from '@mneme/contract/waiting-reasons';
import type { Job } from '@mneme/sdk';
import { Button } from '../ui/button.tsx';
import { Time } from '../ui/time.tsx';

export const isOpen = ({ status }: Pick<Job, 'status'>): boolean =>
  status === 'queued' || status === 'running';

const tones: Readonly<Record<Job['status'], string>> = {
  queued: 'accent',
  running: 'accent',
  completed: 'good',
  failed: 'danger',
  cancelled: 'warn',
};

interface JobRowProps {
  readonly job: Job;
  /** Where the job belongs, for operators. */
  readonly place?: string;
  readonly onRetry: () => void;
  readonly onCancel?: () => void;
}

export function JobRow({ job, place, onRetry, onCancel }: JobRowProps) {
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
          {place !== undefined && `, ${place}`}
        </p>
        {job.waiting_reason !== null && (
          <p className="job-error">{waitingReasons[job.waiting_reason]}</p>
        )}
        {job.error !== null && <p className="job-error">{job.error}</p>}
      </div>
      {isOpen(job) && (
        <div className="job-progress">
          <span className="meter" role="img" aria-label={`${percent} % done`}>
            <i style={{ width: `${percent}%` }} />
          </span>
          {onCancel && job.kind.startsWith('cluster') && (
            <Button writes onClick={onCancel}>
              Cancel
            </Button>
          )}
        </div>
      )}
      {job.status === 'failed' && (
        <Button writes icon="restore" onClick={onRetry}>
          Retry
        </Button>
      )}
    </li>
  );
}
