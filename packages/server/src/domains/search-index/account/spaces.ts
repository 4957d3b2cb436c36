import { GrowingInts } from './growing-ints.ts';

/** Counts per space, so that statistics cover only what a caller may see. */
export interface SpaceCounts {
  /** Numbers of all documents added here, including dead ones. */
  readonly documents: GrowingInts;
  liveCount: number;
  passages: number;
  /** Sum of the lengths of its passages, including context words. */
  passageLengthSum: number;
  /** Content words of all documents. */
  words: number;
  /** Number of sessions with a live document. */
  sessions: number;
  /** Content words of all documents in sessions. */
  sessionWords: number;
  /** Sum of the unit vectors. */
  readonly vectorSum: Float64Array;
  /** Live documents by speaker number. */
  readonly speakers: Map<number, number>;
  /** Increases with every change; the centred lengths are those of `centredRevision`. */
  revision: number;
  centredRevision: number;
}

export const createSpaceCounts = (dimensions: number): SpaceCounts => ({
  documents: new GrowingInts(),
  liveCount: 0,
  passages: 0,
  passageLengthSum: 0,
  words: 0,
  sessions: 0,
  sessionWords: 0,
  vectorSum: new Float64Array(dimensions),
  speakers: new Map(),
  revision: 0,
  centredRevision: -1,
});

/** The documents that a search may see in an account, and the counts over them. */
export interface SearchScope {
  readonly isWholeAccount: boolean;
  /** By space number: 1 if the space is visible. */
  readonly visible: Uint8Array;
  readonly spaces: readonly SpaceCounts[];
  readonly liveCount: number;
  readonly sessions: number;
  /** Mean passage length including context words; at least 1. */
  readonly meanLength: number;
  /** Mean document length in words; at least 1. */
  readonly meanWords: number;
  /** Mean session length in words; at least 1. */
  readonly meanSessionLength: number;
  /** Mean of the unit vectors, shrunk towards 0 where there are few. */
  readonly meanVector: Float32Array;
}

/** Weight of the prior, in vectors: it shrinks the mean of an account with few vectors. */
export const priorVectors = 30;

export function createSearchScope(
  all: readonly SpaceCounts[],
  numbers: readonly number[] | null,
  dimensions: number,
): SearchScope {
  const visible = new Uint8Array(all.length).fill(numbers === null ? 1 : 0);
  for (const number of numbers ?? []) visible[number] = 1;
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
    visible,
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
    meanWords: Math.max(1, total((s) => s.words) / Math.max(1, live)),
    meanSessionLength: Math.max(1, total((s) => s.sessionWords) / Math.max(1, sessions)),
    meanVector,
  };
}
