import { useQuery } from '@tanstack/react-query';
import { useClient } from '../session/session-context.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Time } from '../ui/time.tsx';

/** Entities and facts that the extractor reads in the memory. */
export function MemoryFacts({ id }: { id: string }) {
  const client = useClient();
  const extraction = useQuery({
    queryKey: ['facts', id],
    staleTime: 60_000,
    queryFn: ({ signal }) => client.knowledge.extract({ body: { memory_id: id } }, { signal }),
  });
  if (extraction.isError)
    return <ErrorNotice error={extraction.error} retry={extraction.refetch} />;
  if (extraction.isPending) return <p className="hint">Loading…</p>;
  const { entities, facts, model } = extraction.data;
  return (
    <>
      {entities.length + facts.length === 0 && (
        <p className="hint">This text names nobody and states no facts that the extractor reads.</p>
      )}
      <p className="entities">
        {entities.map(({ id: entityId, name, type }) => (
          <span key={entityId} className="tag" title={type}>
            <span>
              {name} <span className="hint">{type}</span>
            </span>
          </span>
        ))}
      </p>
      <ul className="links">
        {facts.map((fact) => (
          <li key={fact.id}>
            <span dir="auto">{fact.statement}</span>
            <span className="hint">
              {Math.round(fact.confidence * 100)} % sure
              {fact.valid_from && (
                <>
                  , from <Time value={fact.valid_from} />
                </>
              )}
              {fact.valid_to && (
                <>
                  , until <Time value={fact.valid_to} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      <p className="hint">Read by {model}.</p>
    </>
  );
}
