import type { Answer, routes } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { type Ctx, requireSpace, withTransaction } from '../ctx.ts';
import { memoriesById } from '../memories/index.ts';
import { presentFact, presentListed } from './model.ts';
import { recordReadings } from './record.ts';
import { readMemory, stillThere, tell } from './read-on.ts';
import { seenBy } from './read.ts';
import { findEntities } from './store/entities.ts';
import { lockKnowledge } from './store/log.ts';
import { listFacts } from './store/read.ts';

type Extracted = Answer<typeof routes.knowledge.extract>;

/** Reads a memory anew and waits for it. Throws 404 memory_not_found, 409 for a deleted one. */
export async function extractNow(ctx: Ctx, memoryId: string): Promise<Extracted> {
  const record = (await memoriesById(ctx, [memoryId])).get(memoryId);
  if (!record) throw new AppError('memory_not_found');
  requireSpace(ctx.actor, record.space_id);
  const { reading, model } = await readMemory(ctx, record);
  const [spoken] = await withTransaction(ctx, async (inTx) => {
    const there = await stillThere(inTx, [reading]);
    await lockKnowledge(inTx.tx, inTx.actor.accountId);
    const recorded = await recordReadings(inTx, there);
    await tell(inTx, recorded);
    return recorded;
  });
  if (!spoken) throw new AppError('memory_not_found');
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
