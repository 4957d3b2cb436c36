import type { EntityType } from '@mneme/contract';
import type { TxCtx } from '../ctx.ts';
import type { ImportOptions, ImportOutcome } from '../import-outcome.ts';
import { lockMemoriesForKeyShare } from '../memories/index.ts';
import { markEnded } from './mark-ended.ts';
import { type EntityRecord, lastWord, nameKey, spaceKey } from './model.ts';
import { rebuildFacts } from './rebuild-facts.ts';
import {
  type AssertionRecord,
  assertionsOfGroups,
  lockAccountGraph,
  retractAssertions,
} from './store/assertion-log.ts';
import {
  findEntities,
  findEntityNames,
  insertEntityNames,
  type Mention,
  type NewEntityName,
} from './store/entities.ts';
import {
  findAssertionStates,
  findMentionKeys,
  type ImportedChangeRow,
  insertImportedAssertions,
  insertImportedChanges,
  insertImportedEntities,
  insertImportedMentions,
} from './store/imports.ts';
import { findSpeakers } from './store/speakers.ts';

/** An entity of an import, with the ids of this account. */
export interface EntityToImport extends EntityRecord {
  readonly speaker: string | null;
  readonly names: readonly {
    readonly name: string;
    readonly type: string;
    readonly is_manual: boolean;
  }[];
  readonly changes: readonly Omit<ImportedChangeRow, 'entity_id'>[];
}

export interface ImportedEntity {
  readonly outcome: ImportOutcome;
  /** The entity that the account has for it. */
  readonly id: string;
}

const toNames = ({ id, space_id, names }: EntityToImport): NewEntityName[] =>
  names.map(({ name, type, is_manual }) => {
    const keyType = type.startsWith('speaker ') ? 'person' : type;
    const key = nameKey(name, keyType as EntityType);
    const place = { space: spaceKey(space_id), type, key };
    return { ...place, tail: lastWord(key), name, entity_id: id, is_manual };
  });

/**
 * Stores entities of an import. One that the account knows by its id, as the same speaker, or by
 * one of its names is the same entity: it gets the other names.
 */
export async function importEntities(
  inTx: TxCtx,
  records: readonly EntityToImport[],
  { isDryRun }: ImportOptions,
): Promise<ImportedEntity[]> {
  const { tx, actor } = inTx;
  const { accountId } = actor;
  await lockAccountGraph(tx, accountId);
  const ids = records.map(({ id }) => id);
  const stored = new Set((await findEntities(tx, accountId, ids)).map(({ id }) => id));
  const imported: ImportedEntity[] = [];
  for (const record of records) {
    const knownId = stored.has(record.id) ? record.id : await findSameEntity(inTx, record);
    const id = knownId ?? record.id;
    imported.push({ outcome: knownId === null ? 'created' : 'unchanged', id });
    if (isDryRun) continue;
    if (knownId === null) {
      await insertImportedEntities(tx, accountId, [record]);
      const changes = record.changes.map((change) => ({ ...change, entity_id: id }));
      await insertImportedChanges(tx, accountId, changes);
    }
    await insertEntityNames(tx, accountId, toNames({ ...record, id }));
  }
  return imported;
}

/** An entity that was merged into another one has no names of its own. */
async function findSameEntity(
  { tx, actor }: TxCtx,
  record: EntityToImport,
): Promise<string | null> {
  const { space_id: spaceId, speaker, merged_into } = record;
  if (merged_into !== null) return null;
  if (speaker !== null) {
    const [found] = await findSpeakers(tx, actor.accountId, [{ spaceId, speaker }]);
    return found?.id ?? null;
  }
  const own = { name: record.name, type: record.type, is_manual: false };
  const names = toNames({ ...record, names: [own, ...record.names] });
  const known = await findEntityNames(tx, actor.accountId, names);
  const byKey = new Map(known.map((one) => [`${one.type} ${one.key}`, one.entity_id]));
  return names.map(({ type, key }) => byKey.get(`${type} ${key}`)).find(Boolean) ?? null;
}

/** Stores mentions of an import; those that exist stay. */
export async function importMentions(
  { tx, actor }: TxCtx,
  mentions: readonly Mention[],
  { isDryRun }: ImportOptions,
): Promise<ImportOutcome[]> {
  const { accountId } = actor;
  const memoryIds = [...new Set(mentions.map(({ memory_id }) => memory_id))];
  const memories = await lockMemoriesForKeyShare(tx, accountId, memoryIds);
  await lockAccountGraph(tx, accountId);
  const entityIds = [...new Set(mentions.map(({ entity_id }) => entity_id))];
  const entities = new Set((await findEntities(tx, accountId, entityIds)).map(({ id }) => id));
  const stored = await findMentionKeys(tx, accountId, memoryIds);
  const outcomes = mentions.map(({ memory_id, entity_id }): ImportOutcome => {
    const key = `${memory_id} ${entity_id}`;
    if (stored.has(key)) return 'unchanged';
    if (!isDryRun && !memories.has(memory_id)) return 'memory_missing';
    if (!isDryRun && !entities.has(entity_id)) return 'entity_missing';
    stored.add(key);
    return 'created';
  });
  const created = mentions.filter((_, i) => outcomes[i] === 'created');
  if (!isDryRun) await insertImportedMentions(tx, accountId, created);
  return outcomes;
}

/**
 * Stores assertions of an import with their times, and derives the facts of their subjects and
 * predicates from the log.
 */
export async function importAssertions(
  inTx: TxCtx,
  assertions: readonly AssertionRecord[],
  { isDryRun }: ImportOptions,
): Promise<ImportOutcome[]> {
  const { tx, actor } = inTx;
  const { accountId } = actor;
  const memoryIds = [...new Set(assertions.flatMap(({ memory_id }) => memory_id ?? []))];
  const memories = await lockMemoriesForKeyShare(tx, accountId, memoryIds);
  await lockAccountGraph(tx, accountId);
  const entityIds = assertions.flatMap(({ subject_id, object_id }) => [
    subject_id,
    object_id ?? subject_id,
  ]);
  const found = await findEntities(tx, accountId, [...new Set(entityIds)]);
  const entities = new Set(found.map(({ id }) => id));
  const ids = assertions.map(({ id }) => id);
  const stored = await findAssertionStates(tx, accountId, ids);
  const outcomes = assertions.map((one): ImportOutcome => {
    const retractedAt = stored.get(one.id);
    if (retractedAt !== undefined)
      return retractedAt === null && one.retracted_at !== null ? 'updated' : 'unchanged';
    if (isDryRun) return 'created';
    if (one.memory_id !== null && !memories.has(one.memory_id)) return 'memory_missing';
    const isKnown = entities.has(one.subject_id) && entities.has(one.object_id ?? one.subject_id);
    return isKnown ? 'created' : 'entity_missing';
  });
  if (isDryRun) return outcomes;
  const having = (outcome: ImportOutcome) => assertions.filter((_, i) => outcomes[i] === outcome);
  await insertImportedAssertions(tx, accountId, having('created'));
  for (const { id, retracted_by, retracted_at } of having('updated'))
    await retractAssertions(
      tx,
      accountId,
      [id],
      retracted_by ?? 'text',
      retracted_at ?? new Date(0),
    );
  await deriveFactsOf(inTx, [...having('created'), ...having('updated')]);
  return outcomes;
}

async function deriveFactsOf(inTx: TxCtx, changed: readonly AssertionRecord[]): Promise<void> {
  if (changed.length === 0) return;
  const groups = [
    ...new Map(
      changed.map(({ subject_id, predicate }) => [
        `${subject_id} ${predicate}`,
        { subject_id, predicate },
      ]),
    ).values(),
  ];
  await rebuildFacts(inTx, groups);
  const { tx, actor } = inTx;
  const live = await assertionsOfGroups(tx, actor.accountId, groups, { liveOnly: true });
  await markEnded(
    inTx,
    live,
    changed.map(({ memory_id }) => memory_id),
  );
}
