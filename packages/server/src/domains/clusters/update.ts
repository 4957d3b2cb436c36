import { isDeepStrictEqual } from 'node:util';
import type { Checked, Cluster, routes } from '@mneme/contract';
import { type Ctx, withTransaction } from '../ctx.ts';
import type { Reply } from '../handle.ts';
import { lockedCluster } from './found.ts';
import { type ClusterRecord, nameTaken, replyWith, requireMatch } from './model.ts';
import { saveCluster, whoIsNamed } from './store/clusters.ts';
import { tellUpdated } from './tell.ts';

type Patch = Checked<typeof routes.clusters.update>['body'];

/**
 * Changes what is named. A change that changes nothing tells nobody. Throws 404 cluster_not_found,
 * 403 space_access_denied, 412 precondition_failed, 409 conflict (the name is taken).
 */
export async function updateCluster(
  ctx: Ctx,
  id: string,
  patch: Patch,
  ifMatch: readonly string[] | null,
): Promise<Reply<Cluster>> {
  return withTransaction(ctx, async (inTx) => {
    const before = await lockedCluster(inTx, id);
    requireMatch(before, ifMatch);
    const changed = patched(before, patch);
    if (isDeepStrictEqual(changed, before)) return replyWith(before);
    const { tx, actor, clock } = inTx;
    if (patch.name !== undefined) {
      const other = await whoIsNamed(tx, actor.accountId, before.space_id, patch.name);
      if (other !== undefined && other !== id) throw nameTaken(patch.name, other);
    }
    const updated_at = clock.now();
    const after = { ...changed, updated_at, revision: before.revision + 1 };
    await saveCluster(tx, after);
    tellUpdated(inTx, before, after);
    return replyWith(after);
  });
}

const patched = (before: ClusterRecord, patch: Patch): ClusterRecord => ({
  ...before,
  ...(patch.name === undefined || patch.name === before.name
    ? {}
    : { name: patch.name, is_named: true }),
  ...(patch.description === undefined ? {} : { description: patch.description }),
  ...(patch.color === undefined ? {} : { color: patch.color }),
  ...(patch.metadata === undefined ? {} : { metadata: patch.metadata }),
});
