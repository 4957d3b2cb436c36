import { isDeepStrictEqual } from 'node:util';
import type { Cluster, routes, ValidatedRequest } from '@mneme/contract';
import { type Ctx, withTransaction } from '../ctx.ts';
import type { Reply } from '../handler.ts';
import { publishClusterUpdated } from './events.ts';
import { lockCluster } from './lookup.ts';
import {
  type ClusterRecord,
  nameTakenError,
  replyWithETag,
  requireETagMatchIfGiven,
} from './model.ts';
import { findClusterIdByName, saveCluster } from './store/clusters.ts';

type Patch = ValidatedRequest<typeof routes.clusters.update>['body'];

/**
 * Changes the fields of the patch. Without a difference no event is published. Throws 404
 * cluster_not_found, 403 space_access_denied, 412 precondition_failed, 409 conflict (the name is in
 * use).
 */
export async function updateCluster(
  ctx: Ctx,
  id: string,
  patch: Patch,
  ifMatch: readonly string[] | null,
): Promise<Reply<Cluster>> {
  return withTransaction(ctx, async (inTx) => {
    const before = await lockCluster(inTx, id);
    requireETagMatchIfGiven(before, ifMatch);
    const changed = applyPatch(before, patch);
    if (isDeepStrictEqual(changed, before)) return replyWithETag(before);
    const { tx, actor, clock } = inTx;
    if (patch.name !== undefined) {
      const other = await findClusterIdByName(tx, actor.accountId, before.space_id, patch.name);
      if (other !== undefined && other !== id) throw nameTakenError(patch.name, other);
    }
    const updated_at = clock.now();
    const after = { ...changed, updated_at, revision: before.revision + 1 };
    await saveCluster(tx, after);
    publishClusterUpdated(inTx, before, after);
    return replyWithETag(after);
  });
}

const applyPatch = (before: ClusterRecord, patch: Patch): ClusterRecord => ({
  ...before,
  ...(patch.name === undefined || patch.name === before.name
    ? {}
    : { name: patch.name, is_named: true }),
  ...(patch.description === undefined ? {} : { description: patch.description }),
  ...(patch.color === undefined ? {} : { color: patch.color }),
  ...(patch.metadata === undefined ? {} : { metadata: patch.metadata }),
});
