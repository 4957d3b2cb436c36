import type { Client, EventOf, Memory, PublicEvent } from '@mneme/sdk';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../session/session-context.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Time } from '../ui/time.tsx';

type Update = EventOf<'memory.updated'>;

/** Events that are read at most; the API lists them for all memories together. */
const readEventsMax = 2_000;

interface Changes {
  readonly updates: readonly Update[];
  readonly isComplete: boolean;
}

const isUpdateOf = ({ id }: Memory, event: PublicEvent): event is Update =>
  event.type === 'memory.updated' && !('erased' in event.data) && event.data.id === id;

async function readChanges(client: Client, memory: Memory, signal: AbortSignal): Promise<Changes> {
  const { user_id, agent_id, run_id } = memory;
  const owners = Object.entries({ user_id, agent_id, run_id }).filter(([, id]) => id !== null);
  const query = { type: 'memory.updated' as const, limit: 100, ...Object.fromEntries(owners) };
  const updates: Update[] = [];
  let read = 0;
  for await (const event of client.events.list({ query }, { signal })) {
    read += 1;
    if (isUpdateOf(memory, event)) updates.push(event);
    if (read >= readEventsMax) return { updates, isComplete: false };
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
    queryFn: ({ signal }) => readChanges(client, memory, signal),
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
