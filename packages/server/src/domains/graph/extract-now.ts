import type { ResponseBody, routes } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { type Ctx, requireSpaceAccess, withTransaction } from '../ctx.ts';
import { lockMemoriesForKeyShare, memoriesById, memoryInTx } from '../memories/index.ts';
import { presentEntitySummary, presentFact } from './model.ts';
import { extractMemory, filterExisting, publishExtracted } from './process-batch.ts';
import { visibilityOf } from './read.ts';
import { type RecordedMentions, recordExtractions } from './record-extractions.ts';
import { lockAccountGraph } from './store/assertion-log.ts';
import { findEntities } from './store/entities.ts';
import { listFacts } from './store/read.ts';

type ExtractResponse = ResponseBody<typeof routes.knowledge.extract>;

const attemptsMax = 5;

/** A memory that changes while it is read is read again: what it said before may be told last. */
async function extractAndRecord(
  ctx: Ctx,
  memoryId: string,
  tries = 1,
): Promise<{ spoken: RecordedMentions; model: string }> {
  const record = (await memoriesById(ctx, [memoryId])).get(memoryId);
  if (!record) throw await missingMemoryError(ctx, memoryId);
  requireSpaceAccess(ctx.actor, record.space_id);
  const { reading, model } = await extractMemory(ctx, record);
  const recorded = await withTransaction(ctx, async (inTx) => {
    const there = await filterExisting(inTx, [reading]);
    await lockAccountGraph(inTx.tx, inTx.actor.accountId);
    const current = await memoryInTx(inTx, memoryId);
    if (!current || current.updated_at.getTime() !== record.updated_at.getTime()) return null;
    const spoken = await recordExtractions(inTx, there);
    await publishExtracted(inTx, spoken);
    return spoken;
  });
  const spoken = recorded?.[0];
  if (spoken) return { spoken, model };
  if (tries < attemptsMax) return extractAndRecord(ctx, memoryId, tries + 1);
  throw new AppError('conflict', { message: 'The memory changes while it is read.' });
}

/** What is softly deleted says nothing: 409; what is not there is 404. */
async function missingMemoryError(ctx: Ctx, memoryId: string): Promise<AppError> {
  const left = await withTransaction(ctx, ({ tx, actor }) =>
    lockMemoriesForKeyShare(tx, actor.accountId, [memoryId]),
  );
  if (!left.has(memoryId)) return new AppError('memory_not_found');
  return new AppError('conflict', { message: 'The memory is deleted.' });
}

/** Reads a memory anew and waits for it. Throws 404 memory_not_found, 409 for a deleted one. */
export async function extractNow(ctx: Ctx, memoryId: string): Promise<ExtractResponse> {
  const { spoken, model } = await extractAndRecord(ctx, memoryId);
  const ids = [...spoken.entityIds];
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
      confidence: spoken.confidences.get(entity.id) ?? 0,
    })),
    facts: facts.map(presentFact),
  };
}
