import type { OwnerFilter } from '@mneme/contract';
import { type Ctx, canUseSpaces, withTransaction } from '../../ctx.ts';
import type { OwnedRecords } from '../../memories/index.ts';
import { lockUploads, uploadsOfOwner } from '../store/uploads.ts';
import { eraseUpload } from './resumable.ts';

/** The uploads of an owner that are no memory yet. */
export const ownedUploads: OwnedRecords = {
  count: async (ctx, owner) => (await unfinishedUploads(ctx, owner)).length,
  async erase(ctx, owner, { createdUntil, limit }) {
    for (;;) {
      const uploads = (await unfinishedUploads(ctx, owner)).filter(
        ({ created_at }) => created_at <= createdUntil,
      );
      const ids = uploads.slice(0, limit).map(({ id }) => id);
      if (ids.length === 0) return 0;
      const erased = await eraseUnfinished(ctx, ids);
      if (erased > 0) return erased;
    }
  },
  async listLaterMemories({ engine, actor }, owner, createdUntil) {
    const uploads = await uploadsOfOwner(engine.db, actor.accountId, owner);
    const earlier = uploads.filter(({ created_at }) => created_at <= createdUntil);
    return earlier.flatMap(({ memory_id }) => memory_id ?? []);
  },
};

/** One that has become a memory in between is erased with it. */
const eraseUnfinished = (ctx: Ctx, ids: readonly string[]): Promise<number> =>
  withTransaction(ctx, async (inTx) => {
    const locked = await lockUploads(inTx.tx, inTx.actor.accountId, ids);
    const unfinished = locked.filter(({ memory_id }) => memory_id === null);
    for (const { id } of unfinished) await eraseUpload(inTx, id);
    return unfinished.length;
  });

/** Without those of keys that reach further. */
async function unfinishedUploads({ engine, actor }: Ctx, owner: OwnerFilter) {
  const uploads = await uploadsOfOwner(engine.db, actor.accountId, owner);
  return uploads.filter(
    ({ memory_id, spaces }) => memory_id === null && canUseSpaces(actor, spaces),
  );
}
