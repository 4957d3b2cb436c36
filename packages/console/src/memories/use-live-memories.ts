import type { ErasedEvent, PublicEvent } from '@mneme/sdk';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { isInterruption, useIsConnected } from '../session/connection.ts';
import { useClient } from '../session/session-context.tsx';
import { facetsKey, insertCached, listsKey, removeCached, updateCached } from './use-memories.ts';

/** The content of an event is erased with its memory. */
const isErased = (event: PublicEvent): event is ErasedEvent => 'erased' in event.data;

/** What was read from memories: their facts, entities, and the facts of an entity. */
const knowledgeKeys = [['facts'], ['entities'], ['entity timeline']] as const;

/** Applies an event of another client to what is shown. */
function applyEvent(queries: QueryClient, event: PublicEvent): void {
  if (isErased(event)) return;
  if (event.type.startsWith('memory.') && event.type !== 'memory.accessed') {
    void queries.invalidateQueries({ queryKey: facetsKey }, { cancelRefetch: false });
  }
  switch (event.type) {
    case 'memory.created':
      insertCached(queries, event.data);
      break;
    case 'memory.updated':
    case 'memory.restored':
    case 'memory.verified':
      updateCached(queries, event.data);
      break;
    case 'memory.deleted':
      removeCached(queries, [event.data.id], !event.data.soft);
      break;
    case 'memory.bulk_created':
    case 'memory.bulk_updated':
    case 'memory.bulk_deleted':
    case 'memory.bulk_tags_updated':
    case 'memory.expired':
    case 'import.batch_stored':
    case 'audio.uploaded':
    case 'audio.transcribed':
      void queries.invalidateQueries({ queryKey: listsKey });
      break;
    case 'entity.extracted':
      for (const queryKey of knowledgeKeys) {
        void queries.invalidateQueries({ queryKey }, { cancelRefetch: false });
      }
      break;
    case 'relationship.created':
    case 'relationship.updated':
    case 'relationship.deleted':
      void queries.invalidateQueries({ queryKey: ['links'] }, { cancelRefetch: false });
      break;
    case 'cluster.memory_added':
    case 'cluster.memory_removed':
      void queries.invalidateQueries({ queryKey: ['clusters'] }, { cancelRefetch: false });
      break;
    default:
  }
}

/** What was read before the stream began lacks what was stored between. */
async function readAgain(queries: QueryClient): Promise<void> {
  for (const queryKey of knowledgeKeys) {
    void queries.invalidateQueries({ queryKey }, { cancelRefetch: false });
  }
  const wasReading = queries.isFetching({ queryKey: listsKey }) > 0;
  await queries.invalidateQueries({ queryKey: listsKey }, { cancelRefetch: false });
  if (wasReading) await queries.invalidateQueries({ queryKey: listsKey });
}

/** `off`: the key may not read events, so that the list changes when it is loaded again. */
export type LiveState = 'connecting' | 'live' | 'off';

/** Follows the events of the account while a page is shown. */
export function useLiveMemories(): LiveState {
  const client = useClient();
  const queries = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');
  const isConnected = useIsConnected();
  /** After an interruption, the events of it follow, also if there was none before. */
  const cursor = useRef<string>(undefined);
  useEffect(() => {
    if (!isConnected) {
      setState('connecting');
      return;
    }
    const ending = new AbortController();
    const follow = async () => {
      try {
        const onCursor = (reached: string) => {
          const isFirst = cursor.current === undefined;
          cursor.current = reached;
          if (ending.signal.aborted) return;
          setState('live');
          if (isFirst) void readAgain(queries);
        };
        const options = { signal: ending.signal, cursor: cursor.current, onCursor };
        for await (const { event } of client.follow(options)) applyEvent(queries, event);
      } catch (error) {
        if (!ending.signal.aborted) setState(isInterruption(error) ? 'connecting' : 'off');
      }
    };
    void follow();
    return () => ending.abort();
  }, [client, queries, isConnected]);
  return state;
}
