import type { Ctx } from '../ctx.ts';
import type { ExtractionBatch } from '../graph/index.ts';
import { encodeMemories, hashContent, type MemoryRecord } from '../memories/index.ts';
import { computeQuality } from './compute.ts';
import { storeEnrichments, toStoredEnrichment } from './enrichments.ts';
import { isSameHash, type StoredEnrichment } from './model.ts';
import { findEnrichments } from './store/enrichments.ts';

/** Concurrent scorings: a model is slow, and the index serves them together. */
const concurrency = 8;

/**
 * Scores the memories of a batch that are new, have other content or were restored. The text is
 * scored again only if it or the model changed. If scoring fails, the memory stays without a score
 * and the error is logged.
 */
export async function scoreQuality(
  ctx: Ctx,
  { records, writes, throttle, signal }: ExtractionBatch,
): Promise<void> {
  if (records.length === 0) return;
  const { accountId } = ctx.actor;
  const ids = records.map(({ id }) => id);
  const areEncoded = await encodeMemories(ctx, ids, { throttle }).then(
    () => true,
    (error: unknown) => {
      signal?.throwIfAborted();
      ctx.log.warn({ err: error }, 'encoding before quality scoring failed');
      return false;
    },
  );
  const before = await findEnrichments(ctx.engine.db, accountId, ids, ['quality']);
  const previous = new Map(before.map((one) => [one.memoryId, one as StoredEnrichment<'quality'>]));
  const scored: StoredEnrichment[] = [];
  for (let from = 0; from < records.length; from += concurrency) {
    signal?.throwIfAborted();
    const startedAtMs = ctx.clock.monotonicMs();
    const batch = records.slice(from, from + concurrency);
    const stored = await Promise.all(
      batch.map((record) =>
        scoreMemory(ctx, record, { previous: previous.get(record.id), areEncoded, signal }),
      ),
    );
    scored.push(...stored.filter((one) => one !== null));
    await throttle?.(ctx.clock.monotonicMs() - startedAtMs);
  }
  writes.push(async (inTx) => void (await storeEnrichments(inTx, scored)));
}

interface ScoringOptions {
  readonly previous: StoredEnrichment<'quality'> | undefined;
  /** False: some of the batch are not, so that each is encoded on its own. */
  readonly areEncoded: boolean;
  readonly signal: AbortSignal | undefined;
}

async function scoreMemory(
  ctx: Ctx,
  record: MemoryRecord,
  { previous, areEncoded, signal }: ScoringOptions,
): Promise<StoredEnrichment | null> {
  // Let other requests run.
  await new Promise(setImmediate);
  const isKnown =
    previous?.model === ctx.language.model &&
    isSameHash(previous.contentHash, hashContent(record.content));
  try {
    if (!areEncoded) await encodeMemories(ctx, [record.id]);
    const quality = await computeQuality(ctx, record, isKnown ? previous : undefined);
    return toStoredEnrichment(record, { operation: 'quality', ...quality }, ctx.clock.now());
  } catch (error) {
    signal?.throwIfAborted();
    ctx.log.warn({ err: error, memory: record.id }, 'quality scoring failed');
    return null;
  }
}
