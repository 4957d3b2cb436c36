import type { TxCtx } from '../ctx.ts';
import { type EntityRecord, nameKey, spaceOf, tailOf } from './model.ts';
import { saveEntity } from './store/change.ts';
import { eraseUnspoken, findEntities, insertNames } from './store/entities.ts';
import { forgetWords, saidNames, takeNames } from './store/names.ts';

/**
 * After memories said less: entities that nobody speaks of go, and of the others the names that
 * nobody calls them. To be called by who holds the account's knowledge.
 */
export async function settleEntities(inTx: TxCtx, ids: readonly string[]): Promise<void> {
  const { tx, actor } = inTx;
  const left = await eraseUnspoken(tx, actor.accountId, [...new Set(ids)]);
  if (left.length === 0) return;
  const said = await saidNames(tx, actor.accountId, left);
  const before = Map.groupBy(
    await takeNames(tx, actor.accountId, left),
    ({ entity_id }) => entity_id,
  );
  for (const record of await findEntities(tx, actor.accountId, left)) {
    const former = before.get(record.id) ?? [];
    const own = former.flatMap((one) => (one.by_hand ? [one.name] : []));
    const now = [...new Set([...own, ...(said.get(record.id) ?? [])])];
    const types = [...new Set([record.type, ...former.map(({ type }) => type)])];
    await callSo(inTx, record, now, types);
    const gone = former.map(({ name }) => name).filter((name) => !now.includes(name));
    const isCalledSo = record.is_kept && now.length === 0;
    const name = now.includes(record.name) || isCalledSo ? record.name : now[0];
    if (name === undefined) continue;
    if (name !== record.name) await saveEntity(tx, { ...record, name });
    const words = [...new Set([...gone, record.name])].filter((word) => word !== name);
    await forgetWords(
      tx,
      actor.accountId,
      record.id,
      words.filter((word) => !now.includes(word)),
      name,
    );
  }
}

async function callSo(
  { tx, actor }: TxCtx,
  { id, space_id }: EntityRecord,
  names: readonly string[],
  types: readonly string[],
): Promise<void> {
  const rows = types.flatMap((type) =>
    names.map((name) => {
      const key = nameKey(name, type as EntityRecord['type']);
      const space = spaceOf(space_id);
      return { space, type, key, tail: tailOf(key), name, entity_id: id, by_hand: false };
    }),
  );
  await insertNames(tx, actor.accountId, rows);
}
