import { entityTypes } from '@mneme/contract';
import type { TxCtx } from '../ctx.ts';
import { type EntityRecord, lastWord, nameKey, spaceKey } from './model.ts';
import { insertSpeakerNames } from './resolve-speakers.ts';
import { defaultNameOf } from './speakers.ts';
import { deleteUnreferencedEntities, findEntities, insertEntityNames } from './store/entities.ts';
import { saveEntity } from './store/entity-changes.ts';
import {
  deleteExtractedNames,
  findEntitiesAssertedByText,
  mentionedNames,
  redactEntityNames,
} from './store/names.ts';
import { speakersAmong } from './store/speakers.ts';

/**
 * After statements were removed: deletes entities that are not mentioned any more, and unused names
 * of the others. The caller holds the account's graph lock.
 */
export async function pruneEntities(inTx: TxCtx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { tx, actor } = inTx;
  const remainingIds = await deleteUnreferencedEntities(tx, actor.accountId, [...new Set(ids)]);
  const namesInUse = await mentionedNames(tx, actor.accountId, remainingIds);
  // Entities that memories mentioned only formerly keep their names: the names may return.
  const onceAsserted = await findEntitiesAssertedByText(tx, actor.accountId, remainingIds);
  const entityIds = remainingIds.filter((id) => namesInUse.has(id) || !onceAsserted.has(id));
  const speakers = await speakersAmong(tx, actor.accountId, entityIds);
  const deletedNames = Map.groupBy(
    await deleteExtractedNames(tx, actor.accountId, entityIds),
    ({ entity_id }) => entity_id,
  );
  for (const record of await findEntities(tx, actor.accountId, entityIds)) {
    const previousNames = deletedNames.get(record.id) ?? [];
    const manualNames = previousNames.flatMap((one) => (one.is_manual ? [one.name] : []));
    const currentNames = [...new Set([...manualNames, ...(namesInUse.get(record.id) ?? [])])];
    const speaker = speakers.get(record.id);
    // A fact may retain the entity although it has no manual name.
    const otherName = speaker === undefined ? record.name : defaultNameOf(speaker);
    const newNames = currentNames.length > 0 ? currentNames : [otherName];
    const types = [...new Set([record.type, ...previousNames.map(({ type }) => type)])];
    // Other names of a speaker came with merged entities.
    const kept = previousNames.filter(
      ({ name, type }) => entityTypes.includes(type) && newNames.includes(name),
    );
    if (speaker === undefined) await insertNames(inTx, record, newNames, types);
    else {
      await insertSpeakerNames(inTx, record.space_id, speaker, record.id, newNames);
      for (const { name, type } of kept) await insertNames(inTx, record, [name], [type]);
    }
    const name = newNames.includes(record.name) ? record.name : (newNames[0] ?? record.name);
    if (name !== record.name) await saveEntity(tx, { ...record, name });
    const removedNames = [record.name, ...previousNames.map((one) => one.name)].filter(
      (word) => word !== name && !newNames.includes(word),
    );
    await redactEntityNames(tx, actor.accountId, record.id, [...new Set(removedNames)], name);
  }
}

/** Names by which texts find an entity. */
export async function insertNames(
  { tx, actor }: TxCtx,
  { id, space_id }: EntityRecord,
  names: readonly string[],
  types: readonly string[],
): Promise<void> {
  const rows = types.flatMap((type) =>
    names.map((name) => {
      const key = nameKey(name, type as EntityRecord['type']);
      const space = spaceKey(space_id);
      return { space, type, key, tail: lastWord(key), name, entity_id: id, is_manual: false };
    }),
  );
  await insertEntityNames(tx, actor.accountId, rows);
}
