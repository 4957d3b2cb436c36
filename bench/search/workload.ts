import type { SearchSize } from '../options.ts';
import type { ServerName } from '../servers.ts';

/** Where the memories are: in one account, there in sessions, or in many accounts. */
export const memoryLayouts = ['one account', 'in sessions', 'many accounts'] as const;
export type MemoryLayout = (typeof memoryLayouts)[number];

/** So many memories on these servers. */
export interface WorkloadStage {
  /** Whose bars are held against it; in a quick run it is smaller than that. */
  readonly thresholdsOf: SearchSize;
  readonly memories: number;
  readonly accounts: number;
  readonly servers: readonly ServerName[];
}

/** How much is measured; calls are per slice. */
export interface WorkloadSize {
  readonly stages: readonly WorkloadStage[];
  readonly timeSlices: number;
  /** A slice lasts as long at least: accesses are written a second later, and belong to it. */
  readonly sliceMs: number;
  readonly searches: number;
  /** Of all clients together. */
  readonly parallelSearches: number;
  /** Not measured, before the slices. */
  readonly warmUps: number;
  /** Questions whose answers are compared with an exact evaluation. */
  readonly recallQuestions: number;
  /** For how long another account reads while long queries run. */
  readonly readingMs: number;
}

/** Upper limits of the first search after a start, by the number of memories. */
export const firstSearchBarsMs: Readonly<Record<number, number>> = {
  50000: 250,
  200000: 600,
  1000000: 3_000,
};

const allServers: readonly ServerName[] = [
  'yardstick',
  'embedded',
  'embedded (static)',
  'PostgreSQL',
];

export const fullWorkload: WorkloadSize = {
  stages: [
    { thresholdsOf: 5_000, memories: 5_000, accounts: 1_000, servers: allServers },
    { thresholdsOf: 50_000, memories: 50_000, accounts: 1_000, servers: allServers },
    { thresholdsOf: 200_000, memories: 200_000, accounts: 1_000, servers: ['PostgreSQL'] },
  ],
  timeSlices: 4,
  sliceMs: 2_000,
  searches: 60,
  parallelSearches: 160,
  warmUps: 60,
  recallQuestions: 50,
  readingMs: 10_000,
};

export const quickWorkload: WorkloadSize = {
  stages: fullWorkload.stages.map((stage, i) => ({
    ...stage,
    memories: 300 * (i + 1),
    accounts: 10,
  })),
  timeSlices: 2,
  sliceMs: 0,
  searches: 10,
  parallelSearches: 32,
  warmUps: 5,
  recallQuestions: 5,
  readingMs: 1_000,
};

export const memoriesPerSession = 50;
export const parallelClients = 16;
