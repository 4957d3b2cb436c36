import type { ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import { AppError, fieldError } from '../../kernel/errors.ts';
import { type Ctx, requireSpaceAccess, type TxCtx, withTransaction } from '../ctx.ts';
import { lockMemoriesForKeyShare } from '../memories/index.ts';
import type { EntityRecord } from './model.ts';
import { updateFacts } from './rebuild-facts.ts';
import { nextRecordedAt, uniqueFactGroups } from './record-extractions.ts';
import {
  assertionsAboutEntity,
  insertAssertions,
  lockAccountGraph,
  retractAssertions,
} from './store/assertion-log.ts';
import {
  insertEntityChange,
  lockEntities,
  memoriesAbout,
  saveEntity,
  transferNamesAndMentions,
} from './store/entity-changes.ts';

type MergeRequest = ValidatedRequest<typeof routes.knowledge.merge>['body'];
type MergeResponse = ResponseBody<typeof routes.knowledge.merge>;

/**
 * Merges the source into the target, which receives all its assertions. History is preserved: the
 * source's assertions are retracted and recorded again for the target. Throws 404 not_found, 409
 * conflict (merged already, or other types without force), 422 for a merge into itself.
 */
export async function mergeEntities(ctx: Ctx, body: MergeRequest): Promise<MergeResponse> {
  const { source_id: sourceId, target_id: targetId } = body;
  if (sourceId === targetId) {
    const message = 'must be different from target_id';
    throw fieldError('source_id', { code: 'invalid_range', message });
  }
  for (let tries = 1; ; tries += 1) {
    try {
      return await withTransaction(ctx, (inTx) => merge(inTx, body, tries === attemptsMax));
    } catch (error) {
      if (!(error instanceof MemoriesAdded)) throw error;
    }
  }
}

const attemptsMax = 5;

/** Memories that mention the source were added before its graph was locked. */
class MemoriesAdded extends Error {}

async function merge(inTx: TxCtx, body: MergeRequest, isLastTry: boolean): Promise<MergeResponse> {
  const { tx, actor } = inTx;
  const { source_id: sourceId, target_id: targetId } = body;
  // Memories are locked before the graph, as everywhere: an erasure of one waits for the graph.
  const memoryIds = new Set(await memoriesAbout(tx, actor.accountId, sourceId));
  await lockMemoriesForKeyShare(tx, actor.accountId, [...memoryIds]);
  await lockAccountGraph(tx, actor.accountId);
  const currentMemoryIds = await memoriesAbout(tx, actor.accountId, sourceId);
  if (!isLastTry && currentMemoryIds.some((id) => !memoryIds.has(id))) throw new MemoriesAdded();
  const records = await lockEntities(tx, actor.accountId, [sourceId, targetId]);
  const source = requireAccessibleEntity(inTx, records.get(sourceId), body);
  const target = requireAccessibleEntity(inTx, records.get(targetId), body);
  requireMergeable(source, target, body.force);
  await moveAssertions(inTx, source, target);
  return { merged: true as const, target_id: targetId, source_id: sourceId };
}

function requireAccessibleEntity(
  { actor }: TxCtx,
  record: EntityRecord | undefined,
  { space_id: spaceId }: MergeRequest,
): EntityRecord {
  if (!record) throw new AppError('not_found');
  requireSpaceAccess(actor, record.space_id);
  if (spaceId !== undefined && record.space_id !== spaceId) throw new AppError('not_found');
  return record;
}

function requireMergeable(source: EntityRecord, target: EntityRecord, force: boolean): void {
  for (const { id, merged_into } of [source, target]) {
    if (merged_into === null) continue;
    const message = 'One of the entities was merged into another one already.';
    throw new AppError('conflict', { message, details: { entity_id: id, merged_into } });
  }
  if (source.space_id !== target.space_id) {
    throw new AppError('conflict', { message: 'Both entities must be in the same space.' });
  }
  if (source.type === target.type || force) return;
  throw new AppError('conflict', {
    message: 'The types of the entities differ. To merge them anyway, set force to true.',
    details: { source_type: source.type, target_type: target.type },
  });
}

async function moveAssertions(
  inTx: TxCtx,
  source: EntityRecord,
  target: EntityRecord,
): Promise<void> {
  const { tx, actor, ids, clock } = inTx;
  const { accountId } = actor;
  const assertions = await assertionsAboutEntity(tx, accountId, source.id);
  const reassigned = assertions
    .map((record) => ({
      ...record,
      id: ids.uuid(),
      subject_id: record.subject_id === source.id ? target.id : record.subject_id,
      object_id: record.object_id === source.id ? target.id : record.object_id,
    }))
    .filter((record) => record.subject_id !== record.object_id);
  const groups = uniqueFactGroups([...assertions, ...reassigned]);
  const now = await nextRecordedAt(inTx, groups, clock.now());
  const saidIds = assertions.map(({ id }) => id);
  await retractAssertions(tx, accountId, saidIds, 'merge', now);
  await insertAssertions(
    tx,
    accountId,
    reassigned.map((record) => ({ ...record, recorded_at: now, retracted_at: null })),
  );
  const memoryIds = assertions.map(({ memory_id }) => memory_id);
  await updateFacts(inTx, groups, now, memoryIds);
  await transferNamesAndMentions(tx, accountId, {
    from: source.id,
    to: target.id,
    type: target.type,
    at: now,
  });
  await saveEntity(tx, { ...source, merged_into: target.id, merged_at: now, updated_at: now });
  await saveEntity(tx, {
    ...target,
    is_retained: target.is_retained || source.is_retained,
    updated_at: now,
  });
  const entry = { accountId, kind: 'merged', at: now } as const;
  const into = `into ${target.name}`;
  await insertEntityChange(tx, { ...entry, id: ids.uuid(), entityId: source.id, detail: into });
  const from = `with ${source.name}`;
  await insertEntityChange(tx, { ...entry, id: ids.uuid(), entityId: target.id, detail: from });
}
