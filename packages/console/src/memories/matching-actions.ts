import type { BulkAction, BulkChange, BulkChangeFilter, Client } from '@mneme/sdk';
import { type ActionContext, countOf, failureText } from './action-context.ts';
import { refreshLists } from './use-memories.ts';

const pollMs = 250;
/** The most ids in the filter of one change. */
const idsMax = 10_000;

const doneTexts: Readonly<Record<BulkAction['type'], string>> = {
  tag: 'Tagged',
  move: 'Moved',
  pin: 'Pinned',
  unpin: 'Unpinned',
  protect: 'Protected',
  delete: 'Deleted',
  restore: 'Restored',
};

async function waitForEnd(client: Client, changeId: string): Promise<BulkChange> {
  for (;;) {
    const change = await client.memories.getChange({ params: { changeId } });
    if (change.status === 'failed') throw new Error('The change failed. See the page Jobs.');
    if (change.status === 'completed' || change.status === 'undone') return change;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

export interface MatchingChange {
  readonly filter: BulkChangeFilter;
  readonly action: BulkAction;
  /** Also changes soft-protected memories. */
  readonly confirm?: boolean;
  /** The count that was shown. */
  readonly expected_count?: number;
}

function* splitByIds(change: MatchingChange): Generator<MatchingChange> {
  const { ids } = change.filter;
  if (ids === undefined) yield change;
  for (let from = 0; from < (ids?.length ?? 0); from += idsMax) {
    yield { ...change, filter: { ...change.filter, ids: ids?.slice(from, from + idsMax) } };
  }
}

const sumOf = (changes: readonly BulkChange[], field: 'changed_count' | 'skipped_count') =>
  changes.reduce((sum, change) => sum + change[field], 0);

/** Changes that the server makes to all memories that match a filter, and undoes. */
export function createMatchingActions({ client, queries, toast, report }: ActionContext) {
  const undoAll = async (changes: readonly BulkChange[]) => {
    let left = 0;
    for (const { id } of changes.toReversed()) {
      await client.memories.undoChange({ params: { changeId: id } });
      left += (await waitForEnd(client, id)).left_count;
    }
    await refreshLists(queries);
    if (left > 0) toast(`${countOf(left)} changed since and stay as they are.`);
  };
  return {
    async changeMatching(change: MatchingChange) {
      const changes: BulkChange[] = [];
      for (const body of splitByIds(change)) {
        const started = await client.memories.startChange({ body });
        if ('id' in started) changes.push(await waitForEnd(client, started.id));
      }
      await refreshLists(queries);
      const text = `${doneTexts[change.action.type]} ${countOf(sumOf(changes, 'changed_count'))}.`;
      report(text + failureText(sumOf(changes, 'skipped_count')), () => undoAll(changes));
    },
  };
}
