import type { Ctx } from '../ctx.ts';
import type { Pass } from '../graph/index.ts';
import { hashContent, type MemoryRecord } from '../memories/index.ts';
import { asKept, keep } from './keep.ts';
import { makeQuality } from './make.ts';
import { isSame, type Kept } from './model.ts';
import { findKept } from './store.ts';

/** So many are judged at once: a model takes its time, the index serves them together. */
const togetherMax = 8;

/**
 * Scores the memories of a pass: what is new, has other content, or came back. The text is judged
 * again only where it or the model changed. One that fails is left without a score and logged.
 */
export async function scoreQuality(ctx: Ctx, { records, writes }: Pass): Promise<void> {
  if (records.length === 0) return;
  const { accountId } = ctx.actor;
  const ids = records.map(({ id }) => id);
  const before = await findKept(ctx.engine.db, accountId, ids, ['quality']);
  const known = new Map(before.map((one) => [one.memoryId, one as Kept<'quality'>]));
  const scored: Kept[] = [];
  for (let from = 0; from < records.length; from += togetherMax) {
    const some = records.slice(from, from + togetherMax);
    const kept = await Promise.all(some.map((record) => score(ctx, record, known.get(record.id))));
    scored.push(...kept.filter((one) => one !== null));
  }
  writes.push(async (inTx) => void (await keep(inTx, scored)));
}

async function score(
  ctx: Ctx,
  record: MemoryRecord,
  known: Kept<'quality'> | undefined,
): Promise<Kept | null> {
  // Others' requests come in between.
  await new Promise(setImmediate);
  const isKnown =
    known?.model === ctx.language.model && isSame(known.contentHash, hashContent(record.content));
  try {
    const said = await makeQuality(ctx, record, isKnown ? known : undefined);
    return asKept(record, { operation: 'quality', ...said }, ctx.clock.now());
  } catch (error) {
    ctx.log.warn({ err: error, memory: record.id }, 'a memory got no quality score');
    return null;
  }
}
