import { type Client, isMnemeError, type Neighbourhood } from '@mneme/sdk';
import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useClient } from '../session/session-context.tsx';
import { type GraphSearch, nodeTypes } from './graph-state.ts';
import { mergeGraph } from './merge-graph.ts';

/** The centre, or a node that was expanded. */
export interface Centre {
  readonly id: string;
  readonly isMemory: boolean;
}

const centreNodes = 100;

type Filters = Pick<GraphSearch, 'hide' | 'edges' | 'asOf' | 'knownAt'>;

const neighbourhoodQuery = (client: Client, centre: Centre, filters: Filters, hops: number) => ({
  queryKey: ['neighbourhood', centre.id, filters, hops] as const,
  placeholderData: keepPreviousData,
  queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<Neighbourhood> => {
    const { hide, edges, asOf, knownAt } = filters;
    const query = {
      ...(centre.isMemory ? { memory_id: centre.id } : { entity_id: centre.id }),
      hops,
      limit: hops > 1 ? 2 * centreNodes : centreNodes,
      ...(hide && { node_types: nodeTypes.filter((type) => !hide.includes(type)) }),
      ...(edges && { relationship_types: [...edges] }),
      ...(asOf !== undefined && { as_of: asOf }),
      ...(knownAt !== undefined && { known_at: knownAt }),
    };
    return client.knowledge.neighbourhood({ query }, { signal });
  },
});

/** The neighbourhood of the centre, joined with those of the nodes that were expanded. */
export function useGraph(centre: Centre, expanded: readonly Centre[], search: GraphSearch) {
  const client = useClient();
  const { hide, edges, asOf, knownAt, depth = 1 } = search;
  const filters = { hide, edges, asOf, knownAt };
  const queries = useQueries({
    queries: [
      neighbourhoodQuery(client, centre, filters, depth),
      ...expanded.map((node) => neighbourhoodQuery(client, node, filters, 1)),
    ],
    combine: (results) => ({
      parts: results.map(({ data }) => data),
      isPending: results[0]?.isPending ?? true,
      isFetching: results.some(({ isFetching }) => isFetching),
      error: results.find(({ error }) => error !== null)?.error ?? null,
      refetch: () => Promise.all(results.map(({ refetch }) => refetch())),
    }),
  });
  const { parts } = queries;
  const graph = useMemo(() => mergeGraph(parts.filter((part) => part !== undefined)), [parts]);
  const isMissing = isMnemeError(queries.error, 'not_found', 'memory_not_found');
  return { ...queries, graph, isMissing };
}
