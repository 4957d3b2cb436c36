import '../styles/search.css';
import { keepPreviousData, useIsFetching, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { spacesQuery } from '../api/queries.ts';
import { systemNowMs } from '../kernel.ts';
import { useShortcuts } from '../layout/shortcuts.ts';
import {
  type Age,
  ageNames,
  type ContentType,
  contentTypeName,
  contentTypes,
  leastPriorities,
} from '../memories/filters.ts';
import { useClient } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { FilterSelect } from '../ui/filter-select.tsx';
import { Icon } from '../ui/icons.tsx';
import { TagInput } from '../ui/tag-input.tsx';
import { Placement } from './placement.tsx';
import { SearchResults } from './search-results.tsx';
import { type SearchState, toSearchRequest } from './search-state.ts';

/** Keys of one moment are one change of the text. */
const typingPauseMs = 15;
/** A search that takes longer is given up for the next one. */
const searchPatienceMs = 500;
/** The address follows later: the router would delay the search. */
const addressPauseMs = 400;

/** A function that is called with the value once it has not changed for a while. */
function useAfterPause<T>(value: T, pauseMs: number, onPause: (value: T) => void): void {
  const handler = useRef(onPause);
  handler.current = onPause;
  useEffect(() => {
    const timer = setTimeout(() => handler.current(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
}

/** The text of the field, at once and after a pause; both follow the address and it them. */
function useQueryText(address: string, setAddress: (q: string) => void) {
  const [text, setText] = useState(address);
  const [q, setQ] = useState(address);
  const [shownAddress, setShownAddress] = useState(address);
  const [sentAddress, setSentAddress] = useState(address);
  if (address !== shownAddress) {
    setShownAddress(address);
    // A change of the address by a link, and not by this field, which may be further by now.
    if (address !== sentAddress) {
      setSentAddress(address);
      setText(address);
      setQ(address);
    }
  }
  useAfterPause(text, typingPauseMs, setQ);
  useAfterPause(q, addressPauseMs, (settled) => {
    if (settled === address) return;
    setSentAddress(settled);
    setAddress(settled);
  });
  return { text, setText, q };
}

/**
 * The text that is searched: the newest one once the search before has returned. One that is given
 * up would keep the server busy, and delay the next one.
 */
function useSearchedText(text: string) {
  const [q, setQ] = useState(text);
  const isBusy = useIsFetching({ queryKey: searchKey }) > 0;
  useEffect(() => {
    if (!isBusy || text === '') {
      setQ(text);
      return;
    }
    const timer = setTimeout(() => setQ(text), searchPatienceMs);
    return () => clearTimeout(timer);
  }, [text, isBusy]);
  return q;
}

const searchKey = ['search'] as const;

export function SearchPage() {
  const state = useSearch({ from: '/search' });
  const navigate = useNavigate();
  const client = useClient();
  const field = useRef<HTMLInputElement>(null);
  const set = (change: Partial<SearchState>) =>
    void navigate({
      to: '/search',
      search: (before: SearchState) => ({ ...before, ...change }),
      replace: true,
    });
  const typed = useQueryText(state.q ?? '', (next) => set({ q: next || undefined }));
  const { text, setText } = typed;
  const q = useSearchedText(typed.q);
  useShortcuts({
    '/': () => {
      field.current?.focus();
      field.current?.select();
    },
  });
  const request = toSearchRequest({ ...state, q }, systemNowMs());
  const search = useQuery({
    queryKey: [...searchKey, request],
    enabled: request.q !== '',
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => ({
      q: request.q,
      response: await client.search.post({ body: request }, { signal }),
    }),
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
          placement={shown?.response.why}
          hasQuery={request.q !== ''}
          onClose={() => set({ why: undefined })}
        />
      )}
      {request.q === '' && state.why === undefined && <SearchHelp onTry={setText} />}
      {shown && (
        <SearchResults
          {...shown}
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
  const ofSpaces = (spaces.data ?? []).map(({ id, name }) => [id, name] as const);
  const [why, setWhy] = useState('');
  return (
    <fieldset className="search-filters" aria-label="Filters">
      <FilterSelect
        label="Space"
        empty="All spaces"
        value={state.space}
        options={[['default', 'No space'], ...ofSpaces]}
        onChange={(space) => set({ space })}
      />
      <FilterSelect
        label="Type"
        empty="All types"
        value={state.type}
        options={contentTypes.map((type) => [type, contentTypeName(type)])}
        onChange={(type) => set({ type: type as ContentType | undefined })}
      />
      <FilterSelect
        label="Time"
        empty="Any time"
        value={state.age}
        options={Object.entries(ageNames)}
        onChange={(age) => set({ age: age as Age | undefined })}
      />
      <FilterSelect
        label="Priority"
        empty="Any priority"
        value={state.priority?.toString()}
        options={leastPriorities.map((least) => [`${least}`, `Priority ${least} or more`])}
        onChange={(least) => set({ priority: least === undefined ? undefined : Number(least) })}
      />
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
