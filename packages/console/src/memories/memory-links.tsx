import type { Relationship } from '@mneme/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useClient } from '../session/session-context.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { memoryKey } from './use-memories.ts';

interface MemoryLinksProps {
  readonly id: string;
  readonly onOpen: (id: string) => void;
}

const spell = (type: string): string => type.replaceAll('_', ' ');

/** Relationships of a memory, with the other memory, and its clusters. */
export function MemoryLinks({ id, onOpen }: MemoryLinksProps) {
  const client = useClient();
  const links = useQuery({
    queryKey: ['links', id],
    queryFn: ({ signal }) => client.relationships.list({ params: { memoryId: id } }, { signal }),
  });
  const clusters = useQuery({
    queryKey: ['clusters', id],
    queryFn: ({ signal }) => client.clusters.ofMemory({ params: { id } }, { signal }),
  });
  if (links.isError) return <ErrorNotice error={links.error} retry={links.refetch} />;
  if (links.isPending) return <p className="hint">Loading…</p>;
  const { data } = links.data;
  return (
    <>
      {data.length === 0 && (
        <p className="hint">No links. Agents create them with POST /v1/relationships.</p>
      )}
      <ul className="links">
        {data.map((link) => (
          <LinkedMemory key={link.id} link={link} from={id} onOpen={onOpen} />
        ))}
      </ul>
      <p className="hint">
        <Link to="/graph" search={{ memory: id }}>
          Show in the graph
        </Link>
      </p>
      {clusters.data && clusters.data.data.length > 0 && (
        <>
          <h3>Clusters</h3>
          <ul className="links">
            {clusters.data.data.map(({ id: clusterId, name, memory_count }) => (
              <li key={clusterId}>
                {name} <span className="hint">{memory_count.toLocaleString()} memories</span>
              </li>
            ))}
          </ul>
          <p className="hint">
            <Link to="/map" search={{ space: clusters.data.data[0]?.space_id ?? undefined, id }}>
              Show on the map
            </Link>
          </p>
        </>
      )}
    </>
  );
}

interface LinkedMemoryProps {
  readonly link: Relationship;
  readonly from: string;
  readonly onOpen: (id: string) => void;
}

function LinkedMemory({ link, from, onOpen }: LinkedMemoryProps) {
  const client = useClient();
  const isOutgoing = link.source_id === from;
  const other = isOutgoing ? link.target_id : link.source_id;
  const memory = useQuery({
    queryKey: [...memoryKey(other), 'content'],
    queryFn: ({ signal }) => client.memories.get({ params: { id: other } }, { signal }),
  });
  return (
    <li>
      <span className="tag" data-tone="accent">
        {isOutgoing ? `${spell(link.relationship_type)} →` : `← ${spell(link.relationship_type)}`}
      </span>
      <button type="button" className="link link-text" dir="auto" onClick={() => onOpen(other)}>
        {memory.data?.content.slice(0, 300) ?? other}
      </button>
    </li>
  );
}
