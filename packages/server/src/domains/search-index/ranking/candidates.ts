import type { AccountIndex } from '../account/account-index.ts';
import { turnKernelRadius } from '../account/sessions.ts';
import type { SearchScope } from '../account/spaces.ts';
import type { SearchBuffers } from './buffers.ts';
import type { DocumentFilter } from './filter.ts';

/** The documents that a selective filter leaves: nothing else is evaluated. */
export interface Candidates {
  /** In the order of their numbers. */
  readonly documents: Int32Array;
  /** The same and the turns near them, whose similarity they have a share of. */
  readonly withNeighbours: Int32Array;
}

/** From this share of all documents on, evaluating all of them is faster. */
const shareMax = 0.25;

/**
 * Marks the documents of the scope that pass a selective filter in the buffers; null if the filter
 * is none.
 */
export function findCandidates(
  index: AccountIndex,
  scope: SearchScope,
  { passes, holders }: DocumentFilter,
  buffers: SearchBuffers,
): Candidates | null {
  if (holders === null || holders.length > shareMax * index.liveCount) return null;
  const documents = holders.filter(
    (document) =>
      index.isLive(document) &&
      scope.visible[index.columns.space[document] as number] === 1 &&
      passes(document),
  );
  for (const document of documents) buffers.markCandidate(document);
  for (const document of documents) {
    for (const neighbour of neighboursOf(index, document)) buffers.markNeighbour(neighbour);
  }
  return { documents, withNeighbours: buffers.marked.view() };
}

function neighboursOf({ columns, sessions }: AccountIndex, document: number): readonly number[] {
  const number = columns.session[document] as number;
  const turns = number < 0 ? [] : (sessions.all[number]?.turns ?? []);
  const position = columns.sessionPosition[document] as number;
  return turns.slice(Math.max(0, position - turnKernelRadius), position + turnKernelRadius + 1);
}
