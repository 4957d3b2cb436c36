import { GrowingInts } from './growing-ints.ts';

/** What is counted per space, so that statistics are those of what a caller may see. */
export interface SpaceCounts {
  /** Numbers of the documents that were added here, dead ones among them. */
  readonly documents: GrowingInts;
  liveCount: number;
  passages: number;
  /** Sum of the lengths of its passages, borrowed words included. */
  passageLengthSum: number;
  /** Sessions with a live document. */
  sessions: number;
  /** Content words of documents in sessions. */
  sessionWords: number;
  /** Sum of the unit vectors. */
  readonly vectorSum: Float64Array;
  /** Live documents by speaker number. */
  readonly speakers: Map<number, number>;
  /** Rises with every change; `centredAt` is the one that the centred lengths were made for. */
  revision: number;
  centredRevision: number;
}

export const createSpaceCounts = (dimensions: number): SpaceCounts => ({
  documents: new GrowingInts(),
  liveCount: 0,
  passages: 0,
  passageLengthSum: 0,
  sessions: 0,
  sessionWords: 0,
  vectorSum: new Float64Array(dimensions),
  speakers: new Map(),
  revision: 0,
  centredRevision: -1,
});

/** What a search may see of an account, and what is counted over it. */
export interface Scope {
  readonly isWholeAccount: boolean;
  /** By space number: 1 where it may be seen. */
  readonly visible: Uint8Array;
  readonly spaces: readonly SpaceCounts[];
  readonly liveCount: number;
  readonly sessions: number;
  /** Of passages, borrowed words included; at least 1. */
  readonly meanLength: number;
  /** Of sessions, in words; at least 1. */
  readonly meanSessionLength: number;
  /** Mean of the unit vectors, drawn towards 0 where there are few. */
  readonly meanVector: Float32Array;
}

/** So many vectors of no direction weigh against an account's own. */
const priorVectors = 30;

export function createScope(
  all: readonly SpaceCounts[],
  numbers: readonly number[] | null,
  dimensions: number,
): Scope {
  const sees = new Uint8Array(all.length).fill(numbers === null ? 1 : 0);
  for (const number of numbers ?? []) sees[number] = 1;
  const spaces = numbers === null ? all : numbers.map((number) => all[number] as SpaceCounts);
  const total = (count: (space: SpaceCounts) => number): number =>
    spaces.reduce((sum, space) => sum + count(space), 0);
  const live = total((space) => space.liveCount);
  const sessions = total((space) => space.sessions);
  const meanVector = new Float32Array(dimensions);
  for (const { vectorSum } of spaces) {
    for (let i = 0; i < dimensions; i += 1) {
      meanVector[i] = (meanVector[i] as number) + (vectorSum[i] as number) / (live + priorVectors);
    }
  }
  return {
    isWholeAccount: numbers === null,
    visible: sees,
    spaces,
    liveCount: live,
    sessions,
    meanLength: Math.max(
      1,
      total((s) => s.passageLengthSum) /
        Math.max(
          1,
          total((s) => s.passages),
        ),
    ),
    meanSessionLength: Math.max(1, total((s) => s.sessionWords) / Math.max(1, sessions)),
    meanVector,
  };
}
