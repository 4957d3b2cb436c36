import type { TxCtx } from '../ctx.ts';
import { insertNames } from './prune-entities.ts';
import { nameTypeOf, speakerKeyOf } from './speakers.ts';
import { lockAccountGraph } from './store/assertion-log.ts';
import { findEntities } from './store/entities.ts';
import { namesOfEntity, redactEntityNames } from './store/names.ts';
import { deleteSpeaker, entitiesOfSpeaker, keptByHand } from './store/speakers.ts';

/**
 * Removes the keys of users without memories, which contain the ids of these users. An entity that
 * other memories mention, because that of the user was merged with it, keeps its other names; one
 * about which there are entries by hand keeps its key.
 */
export async function forgetSpeakers(inTx: TxCtx, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  const { tx, actor } = inTx;
  const { accountId } = actor;
  await lockAccountGraph(tx, accountId);
  for (const userId of userIds) {
    const speaker = speakerKeyOf(userId);
    const found = await entitiesOfSpeaker(tx, accountId, speaker);
    const kept = await keptByHand(
      tx,
      accountId,
      found.map(({ id }) => id),
    );
    const forgotten = found.filter(({ id }) => !kept.has(id));
    await deleteSpeaker(tx, accountId, forgotten, nameTypeOf(speaker));
    const rootIds = forgotten.map(({ root }) => root);
    for (const record of await findEntities(tx, accountId, rootIds)) {
      const { id, name, type } = record;
      if (name !== userId) await redactEntityNames(tx, accountId, id, [userId], name);
      const names = await namesOfEntity(tx, accountId, id);
      if (names.length === 0) await insertNames(inTx, record, [name], [type]);
    }
  }
}
