import type { ResponseBody, routes } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { type Ctx, isOfUser, requireMemoryAccess, withTransaction } from '../ctx.ts';
import { findLinkTargets, memoriesById, memoryInTx } from '../memories/index.ts';
import { graphViewOf } from './caller-view.ts';
import { presentEntitySummary, presentFact } from './model.ts';
import { extractMemory, filterExistingMemories, publishExtractionEvents } from './process-batch.ts';
import { type RecordedMentions, recordExtractions } from './record-extractions.ts';
import { lockAccountGraph } from './store/assertion-log.ts';

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
  requireMemoryAccess(ctx.actor, record);
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

/** A soft-deleted memory states nothing: 409; an unknown one, or another user's, is 404. */
async function missingMemoryError({ engine, actor }: Ctx, memoryId: string): Promise<AppError> {
  const [existing] = await findLinkTargets(engine.db, actor.accountId, [memoryId]);
  if (!existing || !isOfUser(actor, existing)) return new AppError('memory_not_found');
  return new AppError('conflict', { message: 'The memory is deleted. Restore it first.' });
}

/**
 * Extracts a memory again and waits for the result. Throws 404 memory_not_found, 409 for a deleted
 * one.
 */
export async function extractMemoryNow(ctx: Ctx, memoryId: string): Promise<ExtractResponse> {
  const { mentions, model } = await extractAndRecord(ctx, memoryId);
  const view = graphViewOf(ctx);
  const entities = await view.findEntities(mentions.entityIds);
  const { facts } = await view.listFacts(
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
