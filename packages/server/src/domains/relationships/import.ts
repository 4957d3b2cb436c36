import { limits } from '@mneme/contract';
import { filterErased } from '../../instance/erasure-ledger.ts';
import type { TxCtx } from '../ctx.ts';
import { compareVersions, type ImportOptions, type ImportOutcome } from '../import-outcome.ts';
import { lockLinkTargets } from '../memories/index.ts';
import { type RelationshipRecord, supersedesType, tripleKey } from './model.ts';
import {
  countDegrees,
  findRelationships,
  findRelationshipTriples,
  insertRelationships,
  saveRelationship,
} from './store/relationships.ts';
import { listSuccessionsFrom } from './store/superseding.ts';
import { SuccessionGraph } from './succession-graph.ts';
import { reindexOlderMemories } from './superseded.ts';

/**
 * Stores relationships of an import without events. One that links the same memories with the same
 * type is the same relationship, and of it the later change counts.
 */
export async function importRelationships(
  inTx: TxCtx,
  records: readonly RelationshipRecord[],
  { isDryRun }: ImportOptions,
): Promise<ImportOutcome[]> {
  const { tx, actor } = inTx;
  const { accountId } = actor;
  const ends = [...new Set(records.flatMap(({ source_id, target_id }) => [source_id, target_id]))];
  const memories = await lockLinkTargets(tx, accountId, ends);
  const targets = new Map(memories.map((memory) => [memory.id, memory]));
  const ids = records.map(({ id }) => id);
  const triples = await findRelationshipTriples(tx, accountId, records);
  const storedIds = [...ids, ...triples.map(({ id }) => id)];
  const found = await findRelationships(tx, accountId, storedIds);
  const stored = new Map(
    found.flatMap((one) => [[one.id, one] as const, [keyOf(one), one] as const]),
  );
  const erased = await filterErased(tx, 'relationship', ids);
  const degrees = await countDegrees(tx, accountId, ends, limits.relationshipsPerMemoryMax);
  const olderIds = records.filter(isSuccession).map(({ target_id }) => target_id);
  const successions = new SuccessionGraph(await listSuccessionsFrom(tx, accountId, olderIds));
  const inserted: RelationshipRecord[] = [];
  const seen = new Set<string>();
  const decide = (record: RelationshipRecord): ImportOutcome => {
    const before = stored.get(record.id) ?? stored.get(keyOf(record));
    if (before) return compareVersions(before, record);
    if (erased.has(record.id)) return 'erased_in_account';
    if (seen.has(keyOf(record)) || record.source_id === record.target_id) return 'duplicate';
    const both = [record.source_id, record.target_id];
    // In a dry run the memories may not be stored yet.
    if (!isDryRun && !both.every((id) => targets.has(id))) return 'memory_missing';
    if (both.some((id) => (degrees.get(id) ?? 0) >= limits.relationshipsPerMemoryMax))
      return 'limit_exceeded';
    if (isSuccession(record) && !addSuccession(successions, record)) return 'limit_exceeded';
    for (const id of both) degrees.set(id, (degrees.get(id) ?? 0) + 1);
    seen.add(keyOf(record));
    const pinned_memory_count = both.filter((id) => targets.get(id)?.is_pinned).length;
    inserted.push({ ...record, pinned_memory_count });
    return 'created';
  };
  const outcomes = records.map(decide);
  if (isDryRun) return outcomes;
  await insertRelationships(tx, accountId, inserted);
  for (const [i, record] of records.entries()) {
    const before = stored.get(record.id) ?? stored.get(keyOf(record));
    if (outcomes[i] === 'updated' && before)
      await saveRelationship(tx, { ...record, id: before.id });
  }
  await reindexOlderMemories(inTx, inserted);
  return outcomes;
}

const keyOf = ({ source_id, target_id, type }: RelationshipRecord): string =>
  tripleKey(source_id, target_id, type);

const isSuccession = ({ type }: RelationshipRecord): boolean => type === supersedesType;

/** False if it closed a cycle. */
function addSuccession(
  graph: SuccessionGraph,
  { source_id: newerId, target_id: olderId }: RelationshipRecord,
): boolean {
  try {
    graph.requireNoCycle({ newerId, olderId });
  } catch {
    return false;
  }
  graph.add({ newerId, olderId });
  return true;
}
