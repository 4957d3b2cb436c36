/** A graph of entities: how large, and how uneven. */
export interface EntityGraphSize {
  readonly name: string;
  readonly entities: number;
  readonly relations: number;
  /** Entities that more relations lead to than to others. */
  readonly hubs: number;
  /** Of ten relations, how many lead to a hub. */
  readonly tenthsToHubs: number;
  /** Subgraphs, and paths. */
  readonly queries: number;
}

/** How much is measured. */
export interface WorkloadSize {
  /** Stored and read before anything is measured. */
  readonly initialMemories: number;
  readonly memories: number;
  /** When nothing else is done. */
  readonly searches: number;
  readonly graphs: readonly EntityGraphSize[];
}

const sizes = { entities: 50_000, relations: 200_000, queries: 200 };

export const fullWorkload: WorkloadSize = {
  initialMemories: 500,
  memories: 10_000,
  searches: 300,
  graphs: [
    { name: 'even', ...sizes, hubs: 0, tenthsToHubs: 0 },
    { name: 'with hubs', ...sizes, hubs: 40, tenthsToHubs: 2 },
  ],
};

export const quickWorkload: WorkloadSize = {
  initialMemories: 50,
  memories: 200,
  searches: 30,
  graphs: fullWorkload.graphs.map((graph) => ({
    ...graph,
    entities: graph.entities / 50,
    relations: graph.relations / 50,
    hubs: Math.ceil(graph.hubs / 50),
    queries: 20,
  })),
};
