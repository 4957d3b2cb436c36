import type { ArchiveRecord, ErasureKind } from '@mneme/contract';
import { findClusters, removeCluster } from '../../clusters/index.ts';
import type { TxCtx } from '../../ctx.ts';
import type { ImportOutcome } from '../../import-outcome.ts';
import { importMemoryErasures } from '../../memories/index.ts';
import { eraseRelationship, findRelationships } from '../../relationships/index.ts';
import { findSession, reapplySessionDeletion } from '../../sessions/index.ts';
import type { BatchOptions, ImportScope } from './import-scope.ts';

interface ErasableKind {
  readonly exists: (inTx: TxCtx, id: string) => Promise<boolean>;
  readonly erase: (inTx: TxCtx, id: string) => Promise<unknown>;
}

/** Memories are erased in batches. */
const erasableKinds: Readonly<Partial<Record<ErasureKind, ErasableKind>>> = {
  relationship: {
    exists: async ({ tx, actor }, id) =>
      (await findRelationships(tx, actor.accountId, [id])).length > 0,
    erase: eraseRelationship,
  },
  session: {
    exists: async ({ tx, actor }, id) => (await findSession(tx, actor.accountId, id)) !== undefined,
    erase: reapplySessionDeletion,
  },
  cluster: {
    exists: async ({ tx, actor }, id) => (await findClusters(tx, actor.accountId, [id])).length > 0,
    erase: (inTx, id) => removeCluster(inTx, id, null),
  },
};

/** Erases what was erased in the exported account, if that was asked for. */
export async function importErasures(
  scope: ImportScope,
  records: readonly ArchiveRecord<'tombstones'>[],
  options: BatchOptions,
): Promise<void> {
  await scope.inTransaction(options, async (inTx) => {
    const memories = records.filter(({ kind }) => kind === 'memory');
    const outcomes = await importMemoryErasures(
      inTx,
      memories.map(({ id, erased_at }) => ({ id: scope.memories.ownId(id), erased_at })),
      scope.optionsOf(options),
    );
    const results = new Map(memories.map((one, i) => [one, outcomes[i] ?? 'unchanged']));
    for (const one of records)
      if (one.kind !== 'memory') results.set(one, await erase(scope, inTx, one, options));
    return records.map((one) => ({ id: one.id, outcome: results.get(one) ?? 'unchanged' }));
  });
}

async function erase(
  scope: ImportScope,
  inTx: TxCtx,
  { kind, id }: ArchiveRecord<'tombstones'>,
  options: BatchOptions,
): Promise<ImportOutcome> {
  const erasable = erasableKinds[kind];
  const ownId = scope.ids.ownId(id);
  if (!(await erasable?.exists(inTx, ownId))) return 'unchanged';
  if (!scope.request.apply_deletions) return 'deletion_not_applied';
  if (!options.isDryRun) await erasable?.erase(inTx, ownId);
  return 'updated';
}
