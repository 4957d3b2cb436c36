import type { ResponseBody, routes } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { type Ctx, requireSpaceAccess, withTransaction } from '../ctx.ts';
import { lockMemoriesForKeyShare, memoriesById, memoryInTx } from '../memories/index.ts';
import { presentEntitySummary, presentFact } from './model.ts';
import { extractMemory, filterExistingMemories, publishExtractionEvents } from './process-batch.ts';
import { visibilityOf } from './read.ts';
import { type RecordedMentions, recordExtractions } from './record-extractions.ts';
import { lockAccountGraph } from './store/assertion-log.ts';
import { findEntities } from './store/entities.ts';
import { listFacts } from './store/read.ts';

type ExtractResponse = ResponseBody<typeof routes.knowledge.extract>;

const attemptsMax = 5;

/**
 * A memory that changes during extraction is extracted again; otherwise its old statements could be
 * recorded last.
 */
async function extractAndRecord(
  ctx: Ctx,
  memoryId: string,
  tries = 1,
): Promise<{ mentions: RecordedMentions; model: string }> {
  const record = (await memoriesById(ctx, [memoryId])).get(memoryId);
  if (!record) throw await missingMemoryError(ctx, memoryId);
  requireSpaceAccess(ctx.actor, record.space_id);
  const { reading, model } = await extractMemory(ctx, record);
  const recorded = await withTransaction(ctx, async (inTx) => {
    const existing = await filterExistingMemories(inTx, [reading]);
    await lockAccountGraph(inTx.tx, inTx.actor.accountId);
    const current = await memoryInTx(inTx, memoryId);
    if (!current || current.updated_at.getTime() !== record.updated_at.getTime()) return null;
    const mentions = await recordExtractions(inTx, existing);
    await publishExtractionEvents(inTx, mentions);
    return mentions;
  });
  const ownMentions = recorded?.[0];
  if (ownMentions) return { mentions: ownMentions, model };
  if (tries < attemptsMax) return extractAndRecord(ctx, memoryId, tries + 1);
  throw new AppError('conflict', {
    message: 'The memory changed during the extraction. Try again.',
  });
}

/** A soft-deleted memory states nothing: 409; an unknown one is 404. */
async function missingMemoryError(ctx: Ctx, memoryId: string): Promise<AppError> {
  const existing = await withTransaction(ctx, ({ tx, actor }) =>
    lockMemoriesForKeyShare(tx, actor.accountId, [memoryId]),
  );
  if (!existing.has(memoryId)) return new AppError('memory_not_found');
  return new AppError('conflict', { message: 'The memory is deleted. Restore it first.' });
}

/**
 * Extracts a memory again and waits for the result. Throws 404 memory_not_found, 409 for a deleted
 * one.
 */
export async function extractMemoryNow(ctx: Ctx, memoryId: string): Promise<ExtractResponse> {
  const { mentions, model } = await extractAndRecord(ctx, memoryId);
  const ids = [...mentions.entityIds];
  const { db } = ctx.engine;
  const entities = await findEntities(db, ctx.actor.accountId, ids);
  const { facts } = await listFacts(
    db,
    visibilityOf(ctx),
    { memoryId, knownAt: ctx.clock.now() },
    { limit: 1_000, offset: 0 },
  );
  return {
    memory_id: memoryId,
    model,
    entities: entities.map((entity) => ({
      ...presentEntitySummary(entity),
      confidence: mentions.confidences.get(entity.id) ?? 0,
    })),
    facts: facts.map(presentFact),
  };
}
