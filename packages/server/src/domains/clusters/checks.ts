import type { ConsistencyCheck, Inconsistency } from '../consistency-check.ts';
import { countsAfter, type StoredCount } from './store/checks.ts';

const batchClusters = 100;

/** How many memories a cluster counts, and whether they are of its space. */
export const clusterCheck: ConsistencyCheck = {
  name: 'clusters',
  async read({ actor: { accountId } }, tx, after) {
    const counts = await countsAfter(tx, accountId, after, batchClusters);
    return {
      rows: counts.length,
      next: counts.length < batchClusters ? null : (counts.at(-1)?.id ?? null),
      compare: () => counts.flatMap(findInconsistencies),
    };
  },
};

function findInconsistencies({
  id,
  memory_count,
  members,
  strangers,
}: StoredCount): Inconsistency[] {
  const faults: Inconsistency[] = [];
  if (memory_count !== members) {
    const message = `memory_count says ${memory_count}, ${members} active memories are in it`;
    faults.push({ code: 'memory_count_differs', id, message });
  }
  if (strangers > 0) {
    const message = `${strangers} of its memories are in another space`;
    faults.push({ code: 'space_differs', id, message });
  }
  return faults;
}
