import type { Client, MemoriesListResult, Memory } from '@mneme/sdk';
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback, useMemo, useRef } from 'react';
import { systemNowMs } from '../kernel.ts';
import { useClient } from '../session/session-context.tsx';
import { type MemoryFilters, toFacetsQuery, toListQuery } from './filters.ts';

type Pages = InfiniteData<MemoriesListResult, string | undefined>;

export const listsKey = ['memories'] as const;
/** What shows many memories otherwise than as a list. */
export const mapKey = ['map'] as const;
export const facetsKey = ['facets'] as const;
export const memoryKey = (id: string) => ['memory', id] as const;

const memoriesQuery = (client: Client, { id: _id, ...filters }: MemoryFilters) =>
  infiniteQueryOptions({
    queryKey: [...listsKey, filters],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const query = { ...toListQuery(filters, systemNowMs()), cursor: pageParam };
      return client.memories.list({ query }, { signal });
    },
    getNextPageParam: ({ pagination }) => pagination.next_cursor ?? undefined,
  });

/** The pages of the memories of the filters, which every page of the console shares. */
export function useMemoryPages(filters: MemoryFilters) {
  return useInfiniteQuery(memoriesQuery(useClient(), filters));
}

/** The memories of the filters, as far as they were loaded. */
export function useMemories(filters: MemoryFilters) {
  const client = useClient();
  const queries = useQueryClient();
  const query = memoriesQuery(client, filters);
  // Only what is read here renders the list again: not that a page is on its way.
  const { data, error, isError, isPending, hasNextPage, fetchNextPage, refetch } =
    useInfiniteQuery(query);
  const { deleted = false } = filters;
  const memories = useMemo(() => {
    // A page that is loaded after a change can repeat a memory of the page before.
    const byId = new Map<string, Memory>();
    for (const memory of data?.pages.flatMap((page) => page.data) ?? []) {
      if (deleted || !memory.is_deleted) byId.set(memory.id, memory);
    }
    return [...byId.values()];
  }, [data, deleted]);
  const latestKey = useRef(query.queryKey);
  latestKey.current = query.queryKey;
  const loadMore = useCallback(async () => {
    const countPages = () => queries.getQueryData(latestKey.current)?.pages.length;
    const before = countPages();
    const { isError: hasFailed } = await fetchNextPage({ cancelRefetch: false });
    // While the list is refreshed, this has only waited for that.
    if (!hasFailed && countPages() === before) await fetchNextPage({ cancelRefetch: false });
  }, [fetchNextPage, queries]);
  return { memories, error, isError, isPending, hasNextPage, loadMore, refetch };
}

/** Reads again all that shows several memories. */
export async function refreshLists(queries: QueryClient): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: listsKey }),
    queries.invalidateQueries({ queryKey: mapKey }),
    queries.invalidateQueries({ queryKey: facetsKey }),
  ]);
}

/** How many memories each value of a filter has; those of the last filters while it loads. */
export function useFacets({ id: _id, sort: _sort, ...filters }: MemoryFilters) {
  const client = useClient();
  return useQuery({
    queryKey: [...facetsKey, filters],
    queryFn: ({ signal }) =>
      client.memories.facets({ query: toFacetsQuery(filters, systemNowMs()) }, { signal }),
    placeholderData: keepPreviousData,
  }).data;
}

const mapPages = (
  pages: Pages | undefined,
  change: (memories: readonly Memory[], page: number) => Memory[],
): Pages | undefined =>
  pages && {
    ...pages,
    pages: pages.pages.map((page, i) => ({ ...page, data: change(page.data, i) })),
  };

/** Shows a changed memory in all lists and in its detail, without a request. */
export function updateCached(queries: QueryClient, memory: Memory): void {
  queries.setQueriesData<Pages>({ queryKey: listsKey }, (pages) =>
    mapPages(pages, (memories) => memories.map((one) => (one.id === memory.id ? memory : one))),
  );
  queries.setQueryData<{ memory: Memory; etag: string | null }>(memoryKey(memory.id), (cached) =>
    // Without its ETag, a later change would be refused: the detail reads it again.
    cached === undefined || cached.memory.updated_at === memory.updated_at
      ? cached
      : { memory, etag: null },
  );
}

/** Marks memories as deleted, or removes erased ones, in all lists. */
export function removeCached(
  queries: QueryClient,
  ids: readonly string[],
  isErased: boolean,
): void {
  queries.setQueriesData<Pages>({ queryKey: listsKey }, (pages) =>
    mapPages(pages, (memories) =>
      memories.flatMap((one) => {
        if (!ids.includes(one.id)) return [one];
        return isErased ? [] : [{ ...one, is_deleted: true }];
      }),
    ),
  );
  for (const id of ids) void queries.invalidateQueries({ queryKey: memoryKey(id) });
}

/** Adds a new memory to the list that shows the newest ones of all. */
export function insertCached(queries: QueryClient, memory: Memory): void {
  queries.setQueryData<Pages>([...listsKey, {}], (pages) =>
    mapPages(pages, (memories, i) =>
      i > 0 || memories.some(({ id }) => id === memory.id) ? [...memories] : [memory, ...memories],
    ),
  );
}
