import type { Client, Event, EventOf, Memory, PublicEvent } from '@mneme/sdk';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../session/session-context.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Time } from '../ui/time.tsx';

type Update = EventOf<'memory.updated'>;

/** More than anybody reads of one memory. */
const readEventsMax = 500;

interface Changes {
  readonly events: readonly Event[];
  readonly isComplete: boolean;
}

/** What happened to a memory, in words. Reading it is no change, and its first event is known. */
const occurrences: Partial<Record<Event['type'], string>> = {
  'memory.deleted': 'Deleted.',
  'memory.restored': 'Restored.',
  'memory.reinforced': 'Its priority was raised.',
  'memory.verified': 'Verified.',
  'memory.superseded': 'Replaced by a newer memory.',
  'cluster.memory_added': 'Added to a cluster.',
  'cluster.memory_removed': 'Removed from a cluster.',
  'feedback.submitted': 'Feedback was submitted.',
  'audio.transcribed': 'Transcribed.',
  'entity.extracted': 'Entities and facts were extracted.',
};

const isErased = (event: PublicEvent): event is Exclude<PublicEvent, Event> =>
  'erased' in event.data;

async function readChanges(client: Client, id: string, signal: AbortSignal): Promise<Changes> {
  const query = { memory_id: id, limit: 100 };
  const events: Event[] = [];
  for await (const event of client.events.list({ query }, { signal })) {
    if (isErased(event)) continue;
    if (event.type === 'memory.updated' || event.type in occurrences) events.push(event);
    if (events.length >= readEventsMax) return { events, isComplete: false };
  }
  return { events, isComplete: true };
}

const show = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, 500) : JSON.stringify(value);

/** What happened to it in the last 30 days, newest first. */
export function MemoryChanges({ memory }: { memory: Memory }) {
  const client = useClient();
  const changes = useQuery({
    queryKey: ['changes', memory.id, memory.updated_at, memory.deleted_at, memory.verified_at],
    queryFn: ({ signal }) => readChanges(client, memory.id, signal),
  });
  if (changes.isError) return <ErrorNotice error={changes.error} retry={changes.refetch} />;
  if (changes.isPending) return <p className="hint">Loading…</p>;
  const { events, isComplete } = changes.data;
  return (
    <>
      <ol className="changes">
        {events.toReversed().map((event) => (
          <li key={event.id}>
            <Time value={event.created_at} />
            {event.type === 'memory.updated' ? (
              event.changes.map((field) => <Change key={field} field={field} event={event} />)
            ) : (
              <span>{occurrences[event.type]}</span>
            )}
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
