import type { Embedder } from '../../providers/embedding/index.ts';
import { type Ctx, withTransaction } from '../ctx.ts';
import {
  accountModels,
  filterProvisionalDocuments,
  keepProvisionalVectors,
  listProvisionalDocuments,
  replaceProvisionalVectors,
} from '../search-index/index.ts';
import { tryEmbedEach } from './embed.ts';
import { beforeVectorsReplace } from './hooks.ts';
import { lockUnchangedMemories } from './reindex.ts';
import { findUnerasedMemories } from './store/checks.ts';

interface EncodingControl {
  readonly signal?: AbortSignal;
  /** Called after each step with the time that it took: requests come first. */
  readonly throttle?: ((tookMs: number) => Promise<void>) | undefined;
}

interface EncodingOptions extends EncodingControl {
  readonly limit: number;
  /** Keeps the provisional vectors of these memories for good: encoding them fails. */
  readonly skip: boolean;
}

/** Texts between two calls of `throttle`: about 20 ms of work if they are short. */
const textsPerStep = 4;

/**
 * Replaces the provisional vectors of the account's next memories, in the order in which they were
 * written. Returns how many were processed. Throws embedding_failed, also when it is aborted.
 */
export async function encodeNextMemories(
  ctx: Ctx,
  { limit, skip, ...control }: EncodingOptions,
): Promise<number> {
  const embedder = await embedderOfAccount(ctx);
  if (embedder === null) return 0;
  const ids = await listProvisionalDocuments(ctx, embedder.model, limit);
  if (skip && ids.length > 0) {
    ctx.log.error({ memories: ids }, 'memories skipped by encoding; they keep approximate vectors');
    await keepProvisionalVectors(ctx, embedder.model, ids);
  } else await encodeDocuments(ctx, embedder, ids, control);
  return ids.length;
}

/** Replaces the vectors of these memories that are still provisional. Throws embedding_failed. */
export async function encodeMemories(
  ctx: Ctx,
  memoryIds: readonly string[],
  control: EncodingControl = {},
): Promise<void> {
  const embedder = await embedderOfAccount(ctx);
  if (embedder === null || memoryIds.length === 0) return;
  const ids = await filterProvisionalDocuments(ctx, embedder.model, memoryIds);
  await encodeDocuments(ctx, embedder, ids, control);
}

/** Null if the account's model has no provisional vectors, or cannot be created here. */
async function embedderOfAccount(ctx: Ctx): Promise<Embedder | null> {
  const models = accountModels.of(ctx);
  const embedder = await models.getEmbedder(await models.get(ctx.actor.accountId));
  return embedder?.embedProvisionally ? embedder : null;
}

async function encodeDocuments(
  ctx: Ctx,
  embedder: Embedder,
  ids: readonly string[],
  { signal, throttle }: EncodingControl,
): Promise<void> {
  if (ids.length === 0) return;
  const memories = await findUnerasedMemories(ctx.engine.db, ctx.actor.accountId, ids);
  const vectors: (Float32Array | null)[] = [];
  for (let at = 0; at < memories.length; at += textsPerStep) {
    const startedAtMs = ctx.clock.monotonicMs();
    const contents = memories.slice(at, at + textsPerStep).map(({ content }) => content);
    vectors.push(...(await tryEmbedEach(embedder, contents, signal)));
    await throttle?.(ctx.clock.monotonicMs() - startedAtMs);
  }
  const encoded = new Map(
    memories.flatMap(({ id }, i): [string, Float32Array][] => {
      const vector = vectors[i];
      return vector ? [[id, vector]] : [];
    }),
  );
  await withTransaction(ctx, async (inTx) => {
    // A memory that changed meanwhile has a new provisional vector.
    const unchanged = (await lockUnchangedMemories(inTx, memories)).filter(({ id }) =>
      encoded.has(id),
    );
    const replaced = unchanged.map(({ id }) => ({ id, vector: encoded.get(id) as Float32Array }));
    await beforeVectorsReplace.run(
      ctx,
      inTx,
      replaced.map(({ id }) => id),
    );
    replaceProvisionalVectors(inTx, embedder.model, replaced);
  });
  const withoutText = ids.filter((id) => !encoded.has(id));
  if (withoutText.length > 0) await keepProvisionalVectors(ctx, embedder.model, withoutText);
}
