import type { Client, ClusterMap, Memory } from '@mneme/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { mapKey } from '../memories/use-memories.ts';
import { useClient } from '../session/session-context.tsx';
import { type MapPoints, mainBoundsOf, middleOf, pointsOfCluster, toPoints } from './points.ts';
import type { Bounds } from './viewport.ts';

const refreshMs = 2_000;
/** Texts that are read together: a page of the API. */
export const textsMax = 50;

/** A cluster, or the points in none, as it is on the map. */
export interface Region {
  /** The index of the cluster; -1: none. */
  readonly index: number;
  readonly name: string;
  readonly points: readonly number[];
  readonly bounds: Bounds;
  readonly middle: { readonly x: number; readonly y: number };
}

export interface LoadedMap {
  readonly answer: ClusterMap;
  readonly points: MapPoints;
  /** The largest first; the points in none last. */
  readonly regions: readonly Region[];
}

export function useMap(space: string | undefined) {
  const client = useClient();
  const query = useQuery({
    queryKey: [...mapKey, space],
    queryFn: ({ signal }) => client.clusters.map({ query: { space_id: space } }, { signal }),
    // Memories that are new get their place within seconds.
    refetchInterval: ({ state }) => ((state.data?.unplaced_count ?? 0) > 0 ? refreshMs : false),
  });
  const { data } = query;
  const loaded = useMemo(() => (data === undefined ? undefined : loadMap(data)), [data]);
  return { ...query, loaded };
}

function loadMap(answer: ClusterMap): LoadedMap {
  const points = toPoints(answer);
  const region = (index: number, name: string): Region => {
    const own = pointsOfCluster(points, index);
    return {
      index,
      name,
      points: own,
      bounds: mainBoundsOf(points, own),
      middle: middleOf(points, own),
    };
  };
  const regions = answer.clusters.map(({ name }, index) => region(index, name));
  regions.sort((a, b) => b.points.length - a.points.length);
  const rest = region(-1, 'In no cluster');
  return { answer, points, regions: rest.points.length > 0 ? [...regions, rest] : regions };
}

/** The memories with these ids, which does not count as reading them. */
export const textsQuery = (client: Client, ids: readonly string[]) =>
  queryOptions({
    queryKey: ['memories-by-id', ...ids],
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<Memory[]> => {
      const query = { ids: [...ids], limit: 100 };
      const { data } = await client.memories.list({ query }, { signal });
      const byId = new Map(data.map((memory) => [memory.id, memory]));
      return ids.flatMap((id) => byId.get(id) ?? []);
    },
  });
