import type { Client, Space } from '@mneme/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { countOf } from '../memories/action-context.ts';
import { useClient } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';

const pollMs = 300;

interface RemoveSpaceDialogProps {
  readonly space: Space;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}

/** Erases the memories of a space, if the reader confirms their number, and then the space. */
export function RemoveSpaceDialog({ space, onClose, onRemoved }: RemoveSpaceDialogProps) {
  const client = useClient();
  const [isConfirmed, setIsConfirmed] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const filter = { space_id: space.id };
  const counted = useQuery({
    queryKey: ['space-erasure', space.id],
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const body = { filter, dry_run: true };
      const answer = await client.memories.erase({ body }, { signal });
      return 'count' in answer ? answer : null;
    },
  });
  const { count = 0, hard_protected: hard = 0, token } = counted.data ?? {};
  const remove = async () => {
    setIsBusy(true);
    try {
      if (count > 0 && token !== undefined) await eraseMemories(client, filter, token);
      await client.spaces.remove({ params: { id: space.id } });
      onRemoved();
    } catch (reason) {
      setError(reason);
      setIsBusy(false);
    }
  };
  return (
    <Dialog title={`Delete the space ${space.name}?`} onClose={onClose}>
      {counted.isPending && <p className="hint">Counting its memories…</p>}
      {counted.isError && <ErrorNotice error={counted.error} />}
      {counted.data && count === 0 && hard === 0 && <p>It has no memories.</p>}
      {hard > 0 && (
        <p>{countOf(hard)} in it have hard protection. Remove the protection or move them first.</p>
      )}
      {count > 0 && hard === 0 && (
        <label className="checkbox">
          <input
            type="checkbox"
            checked={isConfirmed}
            onChange={(event) => setIsConfirmed(event.target.checked)}
          />
          <span>
            Also erase its {countOf(count)}, deleted ones included. This cannot be undone.
          </span>
        </label>
      )}
      {error ? <ErrorNotice error={error} /> : null}
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="danger"
          disabled={isBusy || !counted.data || hard > 0 || (count > 0 && !isConfirmed)}
          onClick={() => void remove()}
        >
          {isBusy ? 'Deleting…' : count > 0 ? `Delete it and ${countOf(count)}` : 'Delete space'}
        </Button>
      </div>
    </Dialog>
  );
}

async function eraseMemories(
  client: Client,
  filter: { readonly space_id: string },
  token: string,
): Promise<void> {
  const queued = await client.memories.erase({ body: { filter, token } });
  if (!('job_id' in queued)) return;
  for (;;) {
    const job = await client.jobs.get({ params: { id: queued.job_id } });
    if (job.status === 'completed') return;
    if (job.status === 'failed') throw new Error(job.error ?? 'The erasure failed.');
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
