import '../styles/search.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { spacesQuery } from '../api/queries.ts';
import { useShortcuts } from '../layout/shortcuts.ts';
import { useClient } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Icon } from '../ui/icons.tsx';
import { TagInput } from '../ui/tag-input.tsx';
import { Placement } from './placement.tsx';
import { SearchResults } from './search-results.tsx';
import { type SearchState, toSearchRequest } from './search-state.ts';

/** Shorter than the time between two keys of a fast typist: words are sent, not letters. */
const typingPauseMs = 50;

/** The text of the field, as soon as typing pauses. */
function useTypedText(text: string, onPause: (text: string) => void): void {
  const handler = useRef(onPause);
  handler.current = onPause;
  useEffect(() => {
    const timer = setTimeout(() => handler.current(text), typingPauseMs);
    return () => clearTimeout(timer);
  }, [text]);
}

export function SearchPage() {
  const state = useSearch({ from: '/search' });
  const navigate = useNavigate();
  const client = useClient();
  const [text, setText] = useState(state.q ?? '');
  const field = useRef<HTMLInputElement>(null);
  const set = (change: Partial<SearchState>) =>
    void navigate({
      to: '/search',
      search: (before: SearchState) => ({ ...before, ...change }),
      replace: true,
    });
  useTypedText(text, (q) => {
    if (q !== (state.q ?? '')) set({ q: q || undefined });
  });
  useShortcuts({
    '/': () => {
      field.current?.focus();
      field.current?.select();
    },
  });
  const request = toSearchRequest(state);
  const search = useQuery({
    queryKey: ['search', request],
    enabled: request.q !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => client.search.post({ body: request }, { signal }),
  });
  const shown = request.q === '' ? undefined : search.data;
  return (
    <div className="search">
      <h1 className="visually-hidden">Search</h1>
      <search>
        <label className="search-field">
          <Icon name="search" size={18} />
          <input
            ref={field}
            type="search"
            aria-label="Search memories"
            placeholder="Search by meaning or words"
            // biome-ignore lint/a11y/noAutofocus: it is what this page is for.
            autoFocus
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <SearchFilters state={state} set={set} />
      </search>
      {search.isError && <ErrorNotice error={search.error} retry={search.refetch} />}
      {state.why !== undefined && (
        <Placement
          id={state.why}
          placement={shown?.why}
          hasQuery={request.q !== ''}
          onClose={() => set({ why: undefined })}
        />
      )}
      {request.q === '' && state.why === undefined && <SearchHelp onTry={setText} />}
      {shown && (
        <SearchResults
          response={shown}
          isExplained={state.explain === true}
          isStale={search.isPlaceholderData}
        />
      )}
    </div>
  );
}

interface SearchFiltersProps {
  readonly state: SearchState;
  readonly set: (change: Partial<SearchState>) => void;
}

function SearchFilters({ state, set }: SearchFiltersProps) {
  const client = useClient();
  const spaces = useQuery(spacesQuery(client));
  const [why, setWhy] = useState('');
  return (
    <fieldset className="search-filters" aria-label="Filters">
      <select
        className="select"
        aria-label="Space"
        value={state.space ?? ''}
        onChange={(event) => set({ space: event.target.value || undefined })}
      >
        <option value="">All spaces</option>
        <option value="default">No space</option>
        {spaces.data?.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <TagInput
        label="Tags"
        placeholder="Tags"
        value={state.tags ?? []}
        onChange={(tags) => set({ tags: tags.length > 0 ? tags : undefined })}
      />
      <Button
        aria-pressed={state.explain === true}
        onClick={() => set({ explain: state.explain ? undefined : true })}
      >
        Explain scores
      </Button>
      <form
        className="why-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (why.trim() !== '') set({ why: why.trim() });
        }}
      >
        <input
          className="input"
          aria-label="Id of a memory that you expected"
          placeholder="Why not this one? Paste an id"
          value={why}
          onChange={(event) => setWhy(event.target.value)}
        />
      </form>
    </fieldset>
  );
}

const examples = ['what does Ana drink?', '"exact phrase"', 'battery -phone'];

const SearchHelp = ({ onTry }: { onTry: (text: string) => void }) => (
  <div className="empty">
    <Icon name="search" />
    <h2>Ask as your agents do</h2>
    <p>
      Results are ranked by meaning and by words. A quoted phrase must occur; a minus excludes a
      word.
    </p>
    <p className="search-examples">
      {examples.map((example) => (
        <Button key={example} onClick={() => onTry(example)}>
          {example}
        </Button>
      ))}
    </p>
  </div>
);
