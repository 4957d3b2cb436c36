import type { Memory, Space } from '@mneme/sdk';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useRef, useState } from 'react';
import { spacesQuery } from '../api/queries.ts';
import { systemNowMs } from '../kernel.ts';
import { useShortcuts } from '../layout/shortcuts.ts';
import { useClient } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { useIsReadOnly } from '../ui/read-only.ts';
import { DeleteDialog, type Deletion } from './delete-dialog.tsx';
import { FilterBar } from './filter-bar.tsx';
import { countFilters, type MemoryFilters, toChangeFilter } from './filters.ts';
import { MatchingBar } from './matching-bar.tsx';
import { MemoryDetail } from './memory-detail.tsx';
import { ListSkeleton, MemoryList } from './memory-list.tsx';
import { NewMemory } from './new-memory.tsx';
import { NoMatches, NoMemories } from './no-memories.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { type LiveState, useLiveMemories } from './use-live-memories.ts';
import { useFacets, useMemories } from './use-memories.ts';
import { type MemoryActions, useActionErrors, useMemoryActions } from './use-memory-actions.ts';
import { useSelection } from './use-selection.ts';

/** The state of the page: what is loaded, open, selected and about to be deleted. */
function useMemoriesPage() {
  const filters = useSearch({ from: '/memories' });
  const navigate = useNavigate();
  const list = useMemories(filters);
  const actions = useMemoryActions();
  const selection = useSelection(list.memories);
  const [deletion, setDeletion] = useState<Deletion | null>(null);
  const [isEditing, setIsEditing] = useState(false);
  const run = useActionErrors();
  const { memories } = list;
  const setFilters = useCallback(
    (next: MemoryFilters) => {
      selection.clear();
      void navigate({ to: '/memories', search: next, replace: true });
    },
    [navigate, selection.clear],
  );
  const open = useCallback(
    (id: string | undefined) => {
      setIsEditing(false);
      void navigate({ to: '/memories', search: (before) => ({ ...before, id }), replace: true });
    },
    [navigate],
  );
  const requestDeletion = useCallback(
    (ids: readonly string[]) => {
      const chosen = memories.filter(({ id }) => ids.includes(id));
      // What can be undone needs no question; a protected memory is asked about.
      if (chosen.every(isPlainlyDeletable)) run(actions.remove(ids, false).then(selection.clear));
      else setDeletion({ ids, isPermanent: chosen.every(({ is_deleted }) => is_deleted) });
    },
    [memories, actions, selection.clear, run],
  );
  const activeIndex = memories.findIndex(({ id }) => id === filters.id);
  const edit = () => setIsEditing(filters.id !== undefined);
  const keys = { memories, activeIndex, selection, actions, run, open, edit, requestDeletion };
  useListKeys(keys);
  return { ...keys, filters, setFilters, list, deletion, setDeletion, isEditing, setIsEditing };
}

export function MemoriesPage() {
  const client = useClient();
  const spaces = useQuery(spacesQuery(client)).data ?? noSpaces;
  const state = useMemoriesPage();
  const { filters, actions, selection, deletion, setDeletion, run, open } = state;
  return (
    <div className="memories" data-open={filters.id !== undefined || undefined}>
      <ListSection state={state} spaces={spaces} />
      {filters.id !== undefined && (
        <MemoryDetail
          key={filters.id}
          id={filters.id}
          spaces={spaces}
          actions={actions}
          run={run}
          isEditing={state.isEditing}
          setIsEditing={state.setIsEditing}
          onOpen={open}
          requestDeletion={setDeletion}
        />
      )}
      {deletion && (
        <DeleteDialog
          deletion={deletion}
          actions={actions}
          onClose={() => setDeletion(null)}
          onDone={selection.clear}
        />
      )}
    </div>
  );
}

const noSpaces: readonly Space[] = [];

interface ListSectionProps {
  readonly state: ReturnType<typeof useMemoriesPage>;
  readonly spaces: readonly Space[];
}

function ListSection({ state, spaces }: ListSectionProps) {
  const { memories, list, filters, setFilters, selection, open } = state;
  const live = useLiveMemories();
  const facets = useFacets(filters);
  const spaceNames = useMemo(() => new Map(spaces.map(({ id, name }) => [id, name])), [spaces]);
  return (
    <section className="memories-list" aria-label="List of memories">
      <div className="page-head">
        <h1>Memories</h1>
        <LiveMark state={live} />
        <NewMemory spaces={spaces} />
      </div>
      <FilterBar filters={filters} spaces={spaces} facets={facets} onChange={setFilters} />
      <ListContent list={list} filters={filters} clearFilters={() => setFilters({})}>
        <MemoryList
          memories={memories}
          spaceNames={spaceNames}
          activeIndex={state.activeIndex}
          selected={selection.selected}
          hasMore={list.hasNextPage}
          loadMore={list.loadMore}
          onOpen={(index) => open(memories[index]?.id)}
          onSelect={selection.toggle}
        />
      </ListContent>
      <MemorySelection state={state} spaces={spaces} total={facets?.total} />
    </section>
  );
}

interface MemorySelectionProps extends ListSectionProps {
  /** How many memories match the filters. */
  readonly total: number | undefined;
}

function MemorySelection({ state, spaces, total = 0 }: MemorySelectionProps) {
  const { memories, filters, selection, actions, run, requestDeletion } = state;
  const filter = useMemo(() => toChangeFilter(filters, systemNowMs()), [filters]);
  const ids = [...selection.selected];
  const chosen = memories.filter(({ id }) => selection.selected.has(id));
  if (selection.isAll) {
    return (
      <MatchingBar
        count={total}
        filter={filter}
        showsDeleted={filters.deleted === true}
        spaces={spaces}
        actions={actions}
        onClear={selection.clear}
      />
    );
  }
  return (
    <SelectionBar
      count={ids.length}
      areDeleted={chosen.length > 0 && chosen.every(({ is_deleted }) => is_deleted)}
      onTag={(add, remove) => run(actions.tag(chosen, add, remove).then(selection.clear))}
      onDelete={() => requestDeletion(ids)}
      onRestore={() => run(actions.restore(ids).then(selection.clear))}
      onClear={selection.clear}
    >
      <Button kind="quiet" onClick={selection.selectAll}>
        Select all loaded ({memories.length.toLocaleString()})
      </Button>
      {total > ids.length && (
        <Button kind="quiet" onClick={selection.selectMatching}>
          Select all {total.toLocaleString()} that match
        </Button>
      )}
    </SelectionBar>
  );
}

const isPlainlyDeletable = ({ is_deleted, protection_level }: Memory): boolean =>
  !is_deleted && protection_level === 'none';

interface ListKeys {
  readonly memories: readonly Memory[];
  readonly activeIndex: number;
  readonly selection: ReturnType<typeof useSelection>;
  readonly actions: MemoryActions;
  readonly run: (action: Promise<unknown>) => void;
  readonly open: (id: string | undefined) => void;
  readonly edit: () => void;
  readonly requestDeletion: (ids: readonly string[]) => void;
}

/** The memory that is open is the one that keys act on; deletion prefers the selection. */
function useListKeys(keys: ListKeys): void {
  const { memories, activeIndex, selection, actions, run, open, edit, requestDeletion } = keys;
  const active = memories[activeIndex];
  const lastIndex = useRef(-1);
  if (activeIndex >= 0) lastIndex.current = activeIndex;
  const move = (step: number) => {
    // After a deletion, the next memory is at the index of the deleted one.
    const from = activeIndex >= 0 || step < 0 ? lastIndex.current : lastIndex.current - 1;
    const index = Math.max(0, Math.min(memories.length - 1, from + step));
    if (memories[index]) open(memories[index].id);
  };
  const remove = () => {
    const ids = selection.selected.size > 0 ? [...selection.selected] : active ? [active.id] : [];
    if (ids.length > 0) requestDeletion(ids);
  };
  const isReadOnly = useIsReadOnly();
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    arrowdown: () => move(1),
    arrowup: () => move(-1),
    enter: () => document.getElementById('memory-detail')?.focus(),
    ...(isReadOnly
      ? {}
      : {
          x: () => active && selection.toggle(activeIndex),
          e: () => active && edit(),
          p: () => active && run(actions.setPinned(active, !active.is_pinned)),
          '#': remove,
          delete: remove,
          z: () => run(actions.undoLast()),
        }),
    escape: () => (selection.selected.size > 0 ? selection.clear() : open(undefined)),
  });
}

const liveTexts: Readonly<Record<LiveState, string>> = {
  live: 'Live',
  connecting: 'Connecting…',
  off: 'Not live',
};

const LiveMark = ({ state }: { state: LiveState }) => (
  <span
    className="live"
    data-state={state}
    title={
      state === 'off'
        ? 'The key may not read events (scope webhooks:read): reload to see changes.'
        : 'Changes of other clients appear here.'
    }
  >
    {liveTexts[state]}
  </span>
);

interface ListContentProps {
  readonly list: ReturnType<typeof useMemories>;
  readonly filters: MemoryFilters;
  readonly clearFilters: () => void;
  readonly children: React.ReactNode;
}

function ListContent({ list, filters, clearFilters, children }: ListContentProps) {
  if (list.isPending) return <ListSkeleton />;
  if (list.isError && list.memories.length === 0) {
    return (
      <div className="page-notice">
        <ErrorNotice error={list.error} retry={list.refetch} />
      </div>
    );
  }
  if (list.memories.length > 0) return children;
  return countFilters(filters) > 0 ? <NoMatches clear={clearFilters} /> : <NoMemories />;
}
