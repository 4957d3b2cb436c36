import type { Client, EventOf, Memory, PublicEvent } from '@mneme/sdk';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../session/session-context.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Time } from '../ui/time.tsx';

type Update = EventOf<'memory.updated'>;

/** More changes than anybody reads of one memory. */
const readEventsMax = 500;

interface Changes {
  readonly updates: readonly Update[];
  readonly isComplete: boolean;
}

const isUpdate = (event: PublicEvent): event is Update =>
  event.type === 'memory.updated' && !('erased' in event.data);

async function readChanges(client: Client, id: string, signal: AbortSignal): Promise<Changes> {
  const query = { type: 'memory.updated' as const, memory_id: id, limit: 100 };
  const updates: Update[] = [];
  for await (const event of client.events.list({ query }, { signal })) {
    if (isUpdate(event)) updates.push(event);
    if (updates.length >= readEventsMax) return { updates, isComplete: false };
  }
  return { updates, isComplete: true };
}

const show = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, 500) : JSON.stringify(value);

/** What changed in the last 30 days, newest first. */
export function MemoryChanges({ memory }: { memory: Memory }) {
  const client = useClient();
  const changes = useQuery({
    queryKey: ['changes', memory.id, memory.updated_at],
    queryFn: ({ signal }) => readChanges(client, memory.id, signal),
  });
  if (changes.isError) return <ErrorNotice error={changes.error} retry={changes.refetch} />;
  if (changes.isPending) return <p className="hint">Loading…</p>;
  const { updates, isComplete } = changes.data;
  return (
    <>
      <ol className="changes">
        {updates.toReversed().map((event) => (
          <li key={event.id}>
            <Time value={event.created_at} />
            {event.changes.map((field) => (
              <Change key={field} field={field} event={event} />
            ))}
          </li>
        ))}
        <li>
          <Time value={memory.created_at} />
          <span>Stored.</span>
        </li>
      </ol>
      <p className="hint">
        {isComplete
          ? 'Events are kept for 30 days.'
          : `Only the first ${readEventsMax.toLocaleString()} changes of 30 days were read.`}
      </p>
    </>
  );
}

function Change({ field, event }: { field: Update['changes'][number]; event: Update }) {
  if (field === 'enrichment') return <span>Enriched.</span>;
  return (
    <div className="change" dir="auto">
      <span className="hint">{field.replaceAll('_', ' ')}</span>
      <del>{show(event.previous_data[field])}</del>
      <ins>{show(event.data[field])}</ins>
    </div>
  );
}
