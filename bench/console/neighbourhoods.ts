import type { RunningServer } from '../servers.ts';

export interface NeighbourhoodFigures {
  readonly hops: number;
  readonly millis: readonly number[];
  /** Nodes of each answer. */
  readonly nodes: readonly number[];
}

/** The limits with which the console reads them. */
const limitOfHops = [
  [1, 100],
  [2, 200],
] as const;

/** Latency of GET /knowledge/graph/neighbourhood for entities, over HTTP. */
export async function measureNeighbourhoods(
  { url, apiKey }: RunningServer,
  requests: number,
): Promise<NeighbourhoodFigures[]> {
  const read = async (path: string): Promise<unknown> => {
    const response = await fetch(`${url}/v1${path}`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
    return response.json();
  };
  const { data } = (await read(`/knowledge/entities?limit=100`)) as { data: { id: string }[] };
  if (data.length === 0) throw new Error('There are no entities.');
  const figures: NeighbourhoodFigures[] = [];
  for (const [hops, limit] of limitOfHops) {
    const [millis, nodes]: [number[], number[]] = [[], []];
    for (let i = 0; i < requests; i += 1) {
      const id = data[i % data.length]?.id;
      const from = performance.now();
      const query = `entity_id=${id}&hops=${hops}&limit=${limit}`;
      const answer = await read(`/knowledge/graph/neighbourhood?${query}`);
      millis.push(performance.now() - from);
      nodes.push((answer as { nodes: unknown[] }).nodes.length);
    }
    figures.push({ hops, millis, nodes });
  }
  return figures;
}
