import { type Ctx, type TxCtx, withTransaction } from '../ctx.ts';
import {
  accountModels,
  analyseTextYielding,
  indexDocuments,
  isCompleteVector,
  type NewDocument,
  readDocuments,
  removeDocuments,
  resolveAccountModel,
} from '../search-index/index.ts';
import { tryEmbedEach } from './embed.ts';
import { type MemoryRecord, referenceTimeOf, toDocumentAttributes } from './model.ts';
import { findUnerasedIds, findUnerasedMemories } from './store/checks.ts';
import { lockMemories } from './store/memories.ts';

const batchSize = 20;

/**
 * Rebuilds documents of memories, and their vectors if missing; an existing vector stays, because
 * it may be the caller's own. Returns the rebuilt ids: a memory that changes during the call gets
 * its document by that change. Throws embedding_failed.
 */
export async function reindexMemories(ctx: Ctx, ids: readonly string[]): Promise<Set<string>> {
  const rebuilt = new Set<string>();
  for (let from = 0; from < ids.length; from += batchSize) {
    const batch = ids.slice(from, from + batchSize);
    for (const id of await reindexBatch(ctx, batch)) rebuilt.add(id);
  }
  return rebuilt;
}

async function reindexBatch(ctx: Ctx, ids: readonly string[]): Promise<string[]> {
  const { accountId } = ctx.actor;
  const { db } = ctx.engine;
  const accountModel = await resolveAccountModel(ctx);
  const memories = await findUnerasedMemories(db, accountId, ids);
  const documents = await readDocuments(db, accountId, ids);
  const hasVector = ({ id }: MemoryRecord): boolean =>
    documents.get(id)?.vectors.some((vector) => isCompleteVector(vector, accountModel)) ?? false;
  const withoutVector = memories.filter((memory) => !hasVector(memory));
  const vectors = await vectorsOf(ctx, accountModel.model, withoutVector);
  const contents = new Map<string, NewDocument['content']>();
  for (const memory of memories) {
    const vector = vectors.get(memory.id);
    contents.set(memory.id, {
      terms: await analyseTextYielding(memory.content, referenceTimeOf(memory)),
      vectors: vector ? [{ model: accountModel.model, vector, isProvisional: false }] : [],
      models: [accountModel.model],
    });
  }
  const written = await writeUnchanged(ctx, memories, contents);
  const stillWithoutVector = new Set(
    withoutVector.map(({ id }) => id).filter((id) => !vectors.has(id)),
  );
  return written.filter((id) => !stillWithoutVector.has(id));
}

/** Without entries for texts that the model rejects, and empty if the model is unavailable. */
async function vectorsOf(
  ctx: Ctx,
  model: string,
  memories: readonly MemoryRecord[],
): Promise<Map<string, Float32Array>> {
  const embedder = await accountModels.of(ctx).getEmbedder(model);
  if (embedder === null || memories.length === 0) return new Map();
  const embedded = await tryEmbedEach(
    embedder,
    memories.map(({ content }) => content),
  );
  return new Map(
    memories.flatMap(({ id }, i): [string, Float32Array][] => {
      const vector = embedded[i];
      return vector ? [[id, vector]] : [];
    }),
  );
}

async function writeUnchanged(
  ctx: Ctx,
  memories: readonly MemoryRecord[],
  contents: ReadonlyMap<string, NewDocument['content']>,
): Promise<string[]> {
  return withTransaction(ctx, async (inTx) => {
    const unchanged = await lockUnchangedMemories(inTx, memories);
    indexDocuments(
      inTx,
      unchanged.flatMap((memory) => {
        const content = contents.get(memory.id);
        return content ? [{ ...toDocumentAttributes(memory), content }] : [];
      }),
    );
    return unchanged.map(({ id }) => id);
  });
}

/** Locks the memories; omits those that changed or were erased since they were read. */
export async function lockUnchangedMemories(
  { tx, actor }: Pick<TxCtx, 'tx' | 'actor'>,
  memories: readonly MemoryRecord[],
): Promise<MemoryRecord[]> {
  const revisions = new Map(memories.map(({ id, revision }) => [id, revision]));
  const locked = await lockMemories(tx, actor.accountId, [...revisions.keys()]);
  return locked.filter(({ id, revision }) => revisions.get(id) === revision);
}

/** Removes documents without a memory from the index. */
export async function removeOrphanDocuments(
  ctx: Ctx,
  ids: readonly string[],
): Promise<Set<string>> {
  return withTransaction(ctx, async (inTx) => {
    const present = await findUnerasedIds(inTx.tx, ctx.actor.accountId, ids);
    const orphans = ids.filter((id) => !present.has(id));
    removeDocuments(inTx, orphans);
    return new Set(orphans);
  });
}
