import type { Ctx } from '../ctx.ts';
import type { ExtractionBatch } from '../graph/index.ts';
import { hashContent, type MemoryRecord } from '../memories/index.ts';
import { computeQuality } from './compute.ts';
import { storeEnrichments, toStoredEnrichment } from './enrichments.ts';
import { isSameHash, type StoredEnrichment } from './model.ts';
import { findEnrichments } from './store.ts';

/** So many are judged at once: a model takes its time, the index serves them together. */
const concurrency = 8;

/**
 * Scores the memories of a pass: what is new, has other content, or came back. The text is judged
 * again only where it or the model changed. One that fails is left without a score and logged.
 */
export async function scoreQuality(ctx: Ctx, { records, writes }: ExtractionBatch): Promise<void> {
  if (records.length === 0) return;
  const { accountId } = ctx.actor;
  const ids = records.map(({ id }) => id);
  const before = await findEnrichments(ctx.engine.db, accountId, ids, ['quality']);
  const known = new Map(before.map((one) => [one.memoryId, one as StoredEnrichment<'quality'>]));
  const scored: StoredEnrichment[] = [];
  for (let from = 0; from < records.length; from += concurrency) {
    const some = records.slice(from, from + concurrency);
    const kept = await Promise.all(
      some.map((record) => scoreMemory(ctx, record, known.get(record.id))),
    );
    scored.push(...kept.filter((one) => one !== null));
  }
  writes.push(async (inTx) => void (await storeEnrichments(inTx, scored)));
}

async function scoreMemory(
  ctx: Ctx,
  record: MemoryRecord,
  known: StoredEnrichment<'quality'> | undefined,
): Promise<StoredEnrichment | null> {
  // Others' requests come in between.
  await new Promise(setImmediate);
  const isKnown =
    known?.model === ctx.language.model &&
    isSameHash(known.contentHash, hashContent(record.content));
  try {
    const said = await computeQuality(ctx, record, isKnown ? known : undefined);
    return toStoredEnrichment(record, { operation: 'quality', ...said }, ctx.clock.now());
  } catch (error) {
    ctx.log.warn({ err: error, memory: record.id }, 'a memory got no quality score');
    return null;
  }
}
