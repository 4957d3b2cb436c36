import { batchBySize } from '../../kernel/batches.ts';
import type { Embedder } from '../../providers/embedding/index.ts';
import { type Ctx, withTransaction } from '../ctx.ts';
import {
  accountModels,
  type EncodedVectors,
  filterProvisionalDocuments,
  keepProvisionalVectors,
  listDocumentsToEncode,
  type PendingEncoding,
  readDocumentTerms,
  replaceProvisionalVectors,
  textsOfPassages,
} from '../search-index/index.ts';
import { tryEmbedEach } from './embed.ts';
import { beforeVectorsReplace } from './hooks.ts';
import type { MemoryRecord } from './model.ts';
import { lockUnchangedMemories } from './reindex.ts';
import { findUnerasedMemories } from './store/checks.ts';

interface EncodingControl {
  readonly signal?: AbortSignal;
  /** Called after each step with the time that it took: requests come first. */
  readonly throttle?: ((tookMs: number) => Promise<void>) | undefined;
}

interface EncodingOptions extends EncodingControl {
  readonly limit: number;
  /** Keeps the vectors of these memories as they are for good: encoding them fails. */
  readonly skip: boolean;
}

/** Texts between two calls of `throttle`: about 20 ms of work if they are short. */
const textsPerStep = 4;
/** A model without approximations is mostly remote: it gets more texts at once. */
const remoteTextsPerStep = 64;
/** Characters of the memories that are written together: a long text takes seconds. */
const batchCharacters = 100_000;

/**
 * Makes the vectors of the account's next memories that lack them, in the order in which they were
 * written: replaces provisional ones, and adds those of passages. Returns how many memories were
 * processed. Throws embedding_failed, also when it is aborted.
 */
export async function encodeNextMemories(
  ctx: Ctx,
  { limit, skip, ...control }: EncodingOptions,
): Promise<number> {
  const embedder = await embedderOfAccount(ctx);
  if (embedder === null) return 0;
  const pending = await listDocumentsToEncode(ctx, embedder.model, limit);
  if (skip && pending.length > 0) {
    const ids = pending.map(({ id }) => id);
    ctx.log.error({ memories: ids }, 'memories skipped by encoding; their vectors are incomplete');
    await keepProvisionalVectors(ctx, embedder.model, ids);
  } else await encodeDocuments(ctx, embedder, pending, control);
  return pending.length;
}

/**
 * Replaces the vectors of these memories that are still provisional; passages follow later. Throws
 * embedding_failed.
 */
export async function encodeMemories(
  ctx: Ctx,
  memoryIds: readonly string[],
  control: EncodingControl = {},
): Promise<void> {
  const embedder = await embedderOfAccount(ctx);
  if (!embedder?.embedProvisionally || memoryIds.length === 0) return;
  const ids = await filterProvisionalDocuments(ctx, embedder.model, memoryIds);
  const pending = ids.map((id) => ({ id, isProvisional: true, lacksPassages: false }));
  await encodeDocuments(ctx, embedder, pending, control);
}

/** Null if the account's model cannot be created here. */
async function embedderOfAccount(ctx: Ctx): Promise<Embedder | null> {
  const models = accountModels.of(ctx);
  return models.getEmbedder(await models.get(ctx.actor.accountId));
}

async function encodeDocuments(
  ctx: Ctx,
  embedder: Embedder,
  pending: readonly PendingEncoding[],
  control: EncodingControl,
): Promise<void> {
  if (pending.length === 0) return;
  const { accountId } = ctx.actor;
  const byId = new Map(pending.map((one) => [one.id, one]));
  const memories = await findUnerasedMemories(ctx.engine.db, accountId, [...byId.keys()]);
  const withText = new Set(memories.map(({ id }) => id));
  for (const batch of batchBySize(memories, ({ content }) => content.length, batchCharacters)) {
    const plans = await planEncodings(ctx, batch, byId);
    await embedPlans(ctx, embedder, plans, control);
    await writeEncodings(ctx, embedder, plans);
  }
  const without = [...byId.keys()].filter((id) => !withText.has(id));
  if (without.length > 0) await keepProvisionalVectors(ctx, embedder.model, without);
}

/** The texts to embed of a memory, and then their vectors. */
interface EncodingPlan {
  readonly memory: MemoryRecord;
  /** Of the document, if its passages get vectors. */
  readonly terms: string | null;
  readonly isProvisional: boolean;
  readonly texts: readonly string[];
  /** Null for texts that the model rejects. */
  readonly vectors: (Float32Array | null)[];
}

async function planEncodings(
  ctx: Ctx,
  memories: readonly MemoryRecord[],
  pending: ReadonlyMap<string, PendingEncoding>,
): Promise<EncodingPlan[]> {
  const long = memories.flatMap(({ id }) => (pending.get(id)?.lacksPassages ? [id] : []));
  const terms = await readDocumentTerms(ctx.actor.accountId, ctx.engine.db, long);
  return memories.map((memory) => {
    const own = terms.get(memory.id) ?? null;
    const isProvisional = pending.get(memory.id)?.isProvisional === true;
    const passages = own === null ? [] : textsOfPassages(memory.content, own);
    const texts = isProvisional ? [memory.content, ...passages] : passages;
    return { memory, terms: own, isProvisional, texts, vectors: [] };
  });
}

async function embedPlans(
  ctx: Ctx,
  embedder: Embedder,
  plans: readonly EncodingPlan[],
  { signal, throttle }: EncodingControl,
): Promise<void> {
  const all = plans.flatMap((plan) => plan.texts.map((text) => ({ plan, text })));
  const step = embedder.embedProvisionally ? textsPerStep : remoteTextsPerStep;
  for (let at = 0; at < all.length; at += step) {
    const startedAtMs = ctx.clock.monotonicMs();
    const own = all.slice(at, at + step);
    const texts = own.map(({ text }) => text);
    const vectors = await tryEmbedEach(embedder, texts, signal);
    for (const [i, { plan }] of own.entries()) plan.vectors.push(vectors[i] ?? null);
    await throttle?.(ctx.clock.monotonicMs() - startedAtMs);
  }
}

/** A memory that changed meanwhile is encoded again. */
async function writeEncodings(
  ctx: Ctx,
  embedder: Embedder,
  plans: readonly EncodingPlan[],
): Promise<void> {
  const { accountId } = ctx.actor;
  const rejected = plans.filter(({ isProvisional, vectors }) => isProvisional && !vectors[0]);
  const made = new Map(plans.map((plan) => [plan.memory.id, plan]));
  for (const { memory } of rejected) made.delete(memory.id);
  await withTransaction(ctx, async (inTx) => {
    const memories = [...made.values()].map(({ memory }) => memory);
    const unchanged = await lockUnchangedMemories(inTx, memories);
    const ids = unchanged.map(({ id }) => id);
    // Their document may have been analysed again: then it has other passages.
    const terms = await readDocumentTerms(accountId, inTx.tx, ids);
    const encoded = ids.map((id): EncodedVectors => {
      const plan = made.get(id) as EncodingPlan;
      const isSame = plan.terms !== null && plan.terms === terms.get(id);
      const passages = plan.isProvisional ? plan.vectors.slice(1) : plan.vectors;
      return {
        id,
        vector: plan.isProvisional ? (plan.vectors[0] ?? null) : null,
        passages: isSame ? passages : null,
      };
    });
    const replaced = encoded.filter(({ vector }) => vector !== null).map(({ id }) => id);
    if (replaced.length > 0) await beforeVectorsReplace.run(ctx, inTx, replaced);
    replaceProvisionalVectors(inTx, embedder, encoded);
  });
  const rejectedIds = rejected.map(({ memory }) => memory.id);
  if (rejectedIds.length > 0) await keepProvisionalVectors(ctx, embedder.model, rejectedIds);
}
