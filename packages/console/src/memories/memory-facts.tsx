import type { Fact } from '@mneme/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useClient } from '../session/session-context.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Day } from '../ui/time.tsx';

/** Entities and facts that were extracted from the memory, with the way to the graph. */
export function MemoryFacts({ id }: { id: string }) {
  const client = useClient();
  const known = useQuery({
    queryKey: ['facts', id],
    queryFn: ({ signal }) => client.knowledge.ofMemory({ params: { id } }, { signal }),
  });
  if (known.isError) return <ErrorNotice error={known.error} retry={known.refetch} />;
  if (known.isPending) return <p className="hint">Loading…</p>;
  const { entities, facts } = known.data;
  return (
    <>
      {entities.length + facts.length === 0 && (
        <p className="hint">
          No entities or facts. They are extracted within seconds after a memory is stored.
        </p>
      )}
      <p className="entities">
        {entities.map(({ id: entity, name, type }) => (
          <Link key={entity} className="tag" title={type} to="/graph" search={{ entity }}>
            <span>
              {name} <span className="hint">{type}</span>
            </span>
          </Link>
        ))}
      </p>
      <ul className="links">
        {facts.map((fact) => (
          <FactItem key={fact.id} fact={fact} />
        ))}
      </ul>
      <p className="hint">
        <Link to="/graph" search={{ memory: id }}>
          Show in the graph
        </Link>
      </p>
    </>
  );
}

/** A fact with the time in which it holds. */
export const FactItem = ({ fact }: { fact: Fact }) => (
  <li data-ended={fact.valid_to !== null || undefined}>
    <span dir="auto">{fact.statement}</span>
    <span className="hint">
      {Math.round(fact.confidence * 100)} % sure
      {fact.valid_from && (
        <>
          , from <Day value={fact.valid_from} />
        </>
      )}
      {fact.valid_to && (
        <>
          , until <Day value={fact.valid_to} />
        </>
      )}
    </span>
  </li>
);
