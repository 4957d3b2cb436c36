import type { Answer, routes } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { type Ctx, requireSpace, withTransaction } from '../ctx.ts';
import { holdMemories, memoriesById, memoryInTx } from '../memories/index.ts';
import { presentFact, presentListed } from './model.ts';
import { seenBy } from './read.ts';
import { readMemory, stillThere, tell } from './read-on.ts';
import { recordReadings, type Spoken } from './record.ts';
import { findEntities } from './store/entities.ts';
import { lockKnowledge } from './store/log.ts';
import { listFacts } from './store/read.ts';

type Extracted = Answer<typeof routes.knowledge.extract>;

const triesMax = 5;

/** A memory that changes while it is read is read again: what it said before may be told last. */
async function recordNow(
  ctx: Ctx,
  memoryId: string,
  tries = 1,
): Promise<{ spoken: Spoken; model: string }> {
  const record = (await memoriesById(ctx, [memoryId])).get(memoryId);
  if (!record) throw await absence(ctx, memoryId);
  requireSpace(ctx.actor, record.space_id);
  const { reading, model } = await readMemory(ctx, record);
  const recorded = await withTransaction(ctx, async (inTx) => {
    const there = await stillThere(inTx, [reading]);
    await lockKnowledge(inTx.tx, inTx.actor.accountId);
    const current = await memoryInTx(inTx, memoryId);
    if (!current || current.updated_at.getTime() !== record.updated_at.getTime()) return null;
    const spoken = await recordReadings(inTx, there);
    await tell(inTx, spoken);
    return spoken;
  });
  const spoken = recorded?.[0];
  if (spoken) return { spoken, model };
  if (tries < triesMax) return recordNow(ctx, memoryId, tries + 1);
  throw new AppError('conflict', { message: 'The memory changes while it is read.' });
}

/** What is softly deleted says nothing: 409; what is not there is 404. */
async function absence(ctx: Ctx, memoryId: string): Promise<AppError> {
  const left = await withTransaction(ctx, ({ tx, actor }) =>
    holdMemories(tx, actor.accountId, [memoryId]),
  );
  if (!left.has(memoryId)) return new AppError('memory_not_found');
  return new AppError('conflict', { message: 'The memory is deleted.' });
}

/** Reads a memory anew and waits for it. Throws 404 memory_not_found, 409 for a deleted one. */
export async function extractNow(ctx: Ctx, memoryId: string): Promise<Extracted> {
  const { spoken, model } = await recordNow(ctx, memoryId);
  const ids = [...spoken.entityIds];
  const { db } = ctx.engine;
  const entities = await findEntities(db, ctx.actor.accountId, ids);
  const { facts } = await listFacts(
    db,
    seenBy(ctx),
    { memoryId, knownAt: ctx.clock.now() },
    { limit: 1_000, offset: 0 },
  );
  return {
    memory_id: memoryId,
    model,
    entities: entities.map((entity) => ({
      ...presentListed(entity),
      confidence: spoken.confidences.get(entity.id) ?? 0,
    })),
    facts: facts.map(presentFact),
  };
}
