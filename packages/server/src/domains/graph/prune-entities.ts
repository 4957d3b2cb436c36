import type { TxCtx } from '../ctx.ts';
import { type EntityRecord, lastWord, nameKey, spaceKey } from './model.ts';
import { saveEntity } from './store/change.ts';
import { deleteUnreferencedEntities, findEntities, insertNames } from './store/entities.ts';
import {
  deleteExtractedNames,
  findOnceAsserted,
  mentionedNames,
  redactNames,
} from './store/names.ts';

/**
 * After memories said less: entities that nobody speaks of go, and of the others the names that
 * nobody calls them. To be called by who holds the account's knowledge.
 */
export async function pruneEntities(inTx: TxCtx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { tx, actor } = inTx;
  const left = await deleteUnreferencedEntities(tx, actor.accountId, [...new Set(ids)]);
  const said = await mentionedNames(tx, actor.accountId, left);
  // What memories only spoke of formerly keeps its names: they may say it again.
  const formerly = await findOnceAsserted(tx, actor.accountId, left);
  const spoken = left.filter((id) => said.has(id) || !formerly.has(id));
  const before = Map.groupBy(
    await deleteExtractedNames(tx, actor.accountId, spoken),
    ({ entity_id }) => entity_id,
  );
  for (const record of await findEntities(tx, actor.accountId, spoken)) {
    const former = before.get(record.id) ?? [];
    const byHand = former.flatMap((one) => (one.by_hand ? [one.name] : []));
    const called = [...new Set([...byHand, ...(said.get(record.id) ?? [])])];
    // By a fact of which it may be kept, though nobody named it by hand.
    const now = called.length > 0 ? called : [record.name];
    const types = [...new Set([record.type, ...former.map(({ type }) => type)])];
    await insertEntityNames(inTx, record, now, types);
    const name = now.includes(record.name) ? record.name : (now[0] ?? record.name);
    if (name !== record.name) await saveEntity(tx, { ...record, name });
    const gone = [record.name, ...former.map((one) => one.name)].filter(
      (word) => word !== name && !now.includes(word),
    );
    await redactNames(tx, actor.accountId, record.id, [...new Set(gone)], name);
  }
}

async function insertEntityNames(
  { tx, actor }: TxCtx,
  { id, space_id }: EntityRecord,
  names: readonly string[],
  types: readonly string[],
): Promise<void> {
  const rows = types.flatMap((type) =>
    names.map((name) => {
      const key = nameKey(name, type as EntityRecord['type']);
      const space = spaceKey(space_id);
      return { space, type, key, tail: lastWord(key), name, entity_id: id, by_hand: false };
    }),
  );
  await insertNames(tx, actor.accountId, rows);
}
