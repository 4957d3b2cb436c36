import type { Webhook } from '@mneme/sdk';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { systemNowMs } from '../kernel.ts';
import { useClient } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';

const periods = [
  ['Last hour', 3_600_000],
  ['Last 24 hours', 86_400_000],
  ['Last 7 days', 7 * 86_400_000],
  ['Last 30 days', 30 * 86_400_000],
] as const;

/** Sends past events again. */
export function ReplayDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const client = useClient();
  const [periodMs, setPeriodMs] = useState<number>(periods[0][1]);
  const [isStarted, setIsStarted] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const start = async (event: FormEvent) => {
    event.preventDefault();
    const since = new Date(systemNowMs() - periodMs).toISOString();
    try {
      await client.webhooks.replay({ params: { webhookId: webhook.id }, body: { since } });
      setIsStarted(true);
    } catch (reason) {
      setError(reason);
    }
  };
  return (
    <Dialog title="Replay events" onClose={onClose}>
      {isStarted ? (
        <>
          <p>
            The replay runs as a job. Follow it in <Link to="/jobs">Jobs</Link>; its deliveries
            appear in this log.
          </p>
          <div className="dialog-actions">
            <Button kind="primary" onClick={onClose}>
              Done
            </Button>
          </div>
        </>
      ) : (
        <form className="form" onSubmit={start}>
          <p>
            {webhook.name} receives the stored events of its subscription again, in their order, as
            new deliveries.
          </p>
          {error ? <ErrorNotice error={error} /> : null}
          <label className="field">
            <span>Events of</span>
            <select
              className="select"
              value={periodMs}
              onChange={({ target }) => setPeriodMs(Number(target.value))}
            >
              {periods.map(([name, ms]) => (
                <option key={ms} value={ms}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <div className="dialog-actions">
            <Button onClick={onClose}>Cancel</Button>
            <Button kind="primary" type="submit">
              Replay
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
