import type { CliSession, Memory } from '@mneme/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useMemoryPages } from '../memories/use-memories.ts';
import { useClient } from '../session/session-context.tsx';
import { mergeByTime, type TimedItem } from './buckets.ts';

export type TimelineItem = TimedItem &
  (
    | { readonly kind: 'memory'; readonly memory: Memory }
    | { readonly kind: 'session'; readonly session: CliSession }
  );

const pageItems = 100;

const isKept = ({ is_deleted }: Memory): boolean => !is_deleted;
const fromMemory = (memory: Memory): TimelineItem => ({
  kind: 'memory',
  id: memory.id,
  atMs: Date.parse(memory.created_at),
  memory,
});

const fromSession = (session: CliSession): TimelineItem => ({
  kind: 'session',
  id: session.id,
  atMs: Date.parse(session.created_at),
  session,
});

function useSessionPages() {
  const client = useClient();
  return useInfiniteQuery({
    queryKey: ['timeline', 'sessions'],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: pageItems, offset: pageParam, include_archived: true };
      return client.cliSessions.list({ query }, { signal });
    },
    getNextPageParam: ({ pagination }, pages) =>
      pagination.has_more ? pages.length * pageItems : undefined,
  });
}

/** Of all memories. */
const noFilters = {};

/** Sessions and memories, newest first, as far as they were loaded. */
export function useTimeline() {
  const memories = useMemoryPages(noFilters);
  const sessions = useSessionPages();
  const items = useMemo(() => {
    const lists = [
      {
        items:
          memories.data?.pages.flatMap(({ data }) => data.filter(isKept).map(fromMemory)) ?? [],
        isComplete: memories.isSuccess && !memories.hasNextPage,
      },
      {
        items: sessions.data?.pages.flatMap(({ data }) => data.map(fromSession)) ?? [],
        // Without the right to read sessions, the memories are shown alone.
        isComplete: sessions.isError || (sessions.isSuccess && !sessions.hasNextPage),
      },
    ];
    return mergeByTime(lists);
  }, [memories, sessions]);
  const isLoading = memories.isFetching || sessions.isFetching;
  const loadMore = useCallback(() => {
    if (memories.isFetching || sessions.isFetching) return;
    const oldest = (list: typeof memories | typeof sessions): number => {
      const last = list.data?.pages.at(-1)?.data.at(-1);
      return list.hasNextPage && last ? Date.parse(last.created_at) : Number.NEGATIVE_INFINITY;
    };
    // The list that hides more of the other one.
    void (oldest(memories) >= oldest(sessions) ? memories : sessions).fetchNextPage();
  }, [memories, sessions]);
  return {
    items,
    isPending: memories.isPending || sessions.isPending,
    error: memories.error,
    refetch: memories.refetch,
    hasMore: memories.hasNextPage || sessions.hasNextPage,
    isLoading,
    loadMore,
  };
}
