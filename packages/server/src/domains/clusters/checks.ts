import type { ConsistencyCheck, Inconsistency } from '../consistency-check.ts';
import { listMemberCountsAfter, type StoredMemberCount } from './store/checks.ts';

const batchClusters = 100;

/** The memory counts of clusters, and whether all members are in the cluster's space. */
export const clusterCheck: ConsistencyCheck = {
  name: 'clusters',
  async read({ actor: { accountId } }, tx, after) {
    const counts = await listMemberCountsAfter(tx, accountId, after, batchClusters);
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
}: StoredMemberCount): Inconsistency[] {
  const inconsistencies: Inconsistency[] = [];
  if (memory_count !== members) {
    const message = `memory_count is ${memory_count}, but it has ${members} active memories`;
    inconsistencies.push({ code: 'memory_count_differs', id, message });
  }
  if (strangers > 0) {
    const message = `${strangers} of its memories are in another space`;
    inconsistencies.push({ code: 'space_differs', id, message });
  }
  return inconsistencies;
}
