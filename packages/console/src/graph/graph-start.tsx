import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { useClient } from '../session/session-context.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Icon } from '../ui/icons.tsx';
import { spellType } from './graph-filters.tsx';

const shownEntitiesMax = 100;

/** Asks for the centre: the graph is never shown as a whole. */
export function GraphStart() {
  const client = useClient();
  const [text, setText] = useState('');
  const name = useDeferredValue(text.trim());
  const entities = useQuery({
    queryKey: ['entities', name],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const query = { limit: shownEntitiesMax, ...(name !== '' && { q: name }) };
      return client.knowledge.entities({ query }, { signal });
    },
  });
  const found = entities.data?.entities ?? [];
  return (
    <div className="page graph-start">
      <h1>Graph</h1>
      <p className="hint">Choose what is in the middle. From there, expand what interests you.</p>
      <input
        className="input"
        type="search"
        aria-label="Find an entity"
        placeholder="Find a person, place, product…"
        // biome-ignore lint/a11y/noAutofocus: it is the first step of this page.
        autoFocus
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {entities.isError && <ErrorNotice error={entities.error} retry={entities.refetch} />}
      {entities.isPending && <p className="hint">Loading…</p>}
      {entities.data && found.length === 0 && <NoEntities isFiltered={name !== ''} />}
      <ul className="graph-entities">
        {found.map(({ id, name: entityName, type }) => (
          <li key={id}>
            <Link to="/graph" search={{ entity: id }}>
              <span className="graph-dot" data-type={type} />
              <span dir="auto">{entityName}</span>
              <span className="hint">{spellType(type)}</span>
            </Link>
          </li>
        ))}
      </ul>
      {(entities.data?.total ?? 0) > found.length && (
        <p className="hint">
          {entities.data?.total.toLocaleString()} entities. Type a part of a name to find others.
        </p>
      )}
    </div>
  );
}

const NoEntities = ({ isFiltered }: { isFiltered: boolean }) => (
  <div className="empty">
    <Icon name="graph" />
    <h2>{isFiltered ? 'No entity has this name' : 'No entities yet'}</h2>
    <p>
      {isFiltered
        ? 'Names and aliases are searched. Try a shorter part of the name.'
        : 'Mneme reads people, places and facts from new memories within seconds.'}
    </p>
  </div>
);
