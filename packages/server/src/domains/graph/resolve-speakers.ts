import type { TxCtx } from '../ctx.ts';
import type { NamedEntity } from './graph-extraction.ts';
import { lastWord, nameKey, spaceKey } from './model.ts';
import { defaultNameOf, nameTypeOf } from './speakers.ts';
import { findEntities, insertEntities, insertEntityNames } from './store/entities.ts';
import { saveEntity } from './store/entity-changes.ts';
import { findSpeakers, setSpeaker } from './store/speakers.ts';

const idOf = (space: string, speaker: string): string => `${space} ${speaker}`;

/**
 * Resolves speakers by their keys, in the same order; creates new ones. A speaker who was known by
 * the id of the user alone gets the first name that a memory gives them.
 */
export async function resolveSpeakers(
  inTx: TxCtx,
  speakers: readonly NamedEntity[],
  now: Date,
): Promise<string[]> {
  if (speakers.length === 0) return [];
  const { tx, actor, ids } = inTx;
  const { accountId } = actor;
  const wanted = speakers.map(({ spaceId, name, speakerKey: speaker = '' }) => {
    return { spaceId, name, speaker, id: idOf(spaceKey(spaceId), speaker) };
  });
  const unique = [...new Map(wanted.map((one) => [one.id, one])).values()];
  const found = await findSpeakers(tx, accountId, unique);
  const known = new Map(found.map((one) => [idOf(one.space, one.speaker), one]));
  for (const { id, spaceId, speaker } of unique) {
    const names = wanted.filter((one) => one.id === id).map(({ name }) => name);
    const fallback = defaultNameOf(speaker);
    const name = names.find((one) => one !== fallback) ?? fallback;
    const existing = known.get(id);
    if (existing === undefined) {
      const entityId = ids.uuid();
      const times = { created_at: now, updated_at: now, merged_into: null, merged_at: null };
      const own = { account_id: accountId, id: entityId, space_id: spaceId, name };
      const entity = { ...own, type: 'person' as const, is_retained: false, ...times };
      await insertEntities(tx, accountId, [entity]);
      await setSpeaker(tx, accountId, entityId, speaker);
      known.set(id, { id: entityId, space: spaceKey(spaceId), speaker, name });
    } else if (existing.name === fallback && name !== fallback) {
      const [record] = await findEntities(tx, accountId, [existing.id]);
      if (record) await saveEntity(tx, { ...record, name, updated_at: now });
    }
    await insertSpeakerNames(inTx, spaceId, speaker, known.get(id)?.id ?? '', names);
  }
  return wanted.map(({ id }) => known.get(id)?.id ?? '');
}

/** Names by which searches find a speaker, and texts do not. */
export async function insertSpeakerNames(
  { tx, actor }: TxCtx,
  spaceId: string | null,
  speaker: string,
  entityId: string,
  names: readonly string[],
): Promise<void> {
  const rows = [...new Set(names)].map((name) => {
    const key = nameKey(name, 'person');
    const place = { space: spaceKey(spaceId), type: nameTypeOf(speaker), key };
    return { ...place, tail: lastWord(key), name, entity_id: entityId, is_manual: false };
  });
  await insertEntityNames(tx, actor.accountId, rows);
}
