import { type Ctx, type TxCtx, withTransaction } from '../ctx.ts';
import {
  analyseYielding,
  indexDocuments,
  isCompleteVector,
  modelRegistry,
  type NewDocument,
  readDocuments,
  removeDocuments,
  resolveAccountModel,
} from '../search-index/index.ts';
import { tryEmbedEach } from './embed.ts';
import { type MemoryRecord, referenceTimeOf, toDocumentFacts } from './model.ts';
import { findUnerasedIds, findUnerasedMemories } from './store/checks.ts';
import { lockMemories } from './store/memories.ts';

const stepMemories = 20;

/**
 * Makes the documents of memories anew from the memories, and vectors where there is none; one
 * that is there stays, since it may be the caller's own. Returns the ids of those that were made:
 * a memory that changed meanwhile has its document by that change. Throws embedding_failed.
 */
export async function reindexMemories(ctx: Ctx, ids: readonly string[]): Promise<Set<string>> {
  const done = new Set<string>();
  for (let from = 0; from < ids.length; from += stepMemories) {
    const step = ids.slice(from, from + stepMemories);
    for (const id of await reindexStep(ctx, step)) done.add(id);
  }
  return done;
}

async function reindexStep(ctx: Ctx, ids: readonly string[]): Promise<string[]> {
  const { accountId } = ctx.actor;
  const { db } = ctx.engine;
  const own = await resolveAccountModel(ctx);
  const memories = await findUnerasedMemories(db, accountId, ids);
  const documents = await readDocuments(db, accountId, ids);
  const hasVector = ({ id }: MemoryRecord): boolean =>
    documents.get(id)?.vectors.some((vector) => isCompleteVector(vector, own)) ?? false;
  const lacking = memories.filter((memory) => !hasVector(memory));
  const vectors = await vectorsOf(ctx, own.model, lacking);
  const contents = new Map<string, NewDocument['content']>();
  for (const memory of memories) {
    const vector = vectors.get(memory.id);
    contents.set(memory.id, {
      terms: await analyseYielding(memory.content, referenceTimeOf(memory)),
      vectors: vector ? [{ model: own.model, vector }] : [],
      models: [own.model],
    });
  }
  const written = await writeUnchanged(ctx, memories, contents);
  const unmade = new Set(lacking.map(({ id }) => id).filter((id) => !vectors.has(id)));
  return written.filter((id) => !unmade.has(id));
}

/** None of a text that the model refuses, or of a model that cannot be made any more. */
async function vectorsOf(
  ctx: Ctx,
  model: string,
  memories: readonly MemoryRecord[],
): Promise<Map<string, Float32Array>> {
  const embedder = await modelRegistry.of(ctx).getEmbedder(model);
  if (embedder === null || memories.length === 0) return new Map();
  const made = await tryEmbedEach(
    embedder,
    memories.map(({ content }) => content),
  );
  return new Map(
    memories.flatMap(({ id }, i): [string, Float32Array][] => {
      const vector = made[i];
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
    const unchanged = await lockUnchanged(inTx, memories);
    indexDocuments(
      inTx,
      unchanged.flatMap((memory) => {
        const content = contents.get(memory.id);
        return content ? [{ ...toDocumentFacts(memory), content }] : [];
      }),
    );
    return unchanged.map(({ id }) => id);
  });
}

/** Locks them; those that were changed or erased since they were read are left out. */
export async function lockUnchanged(
  { tx, actor }: Pick<TxCtx, 'tx' | 'actor'>,
  memories: readonly MemoryRecord[],
): Promise<MemoryRecord[]> {
  const read = new Map(memories.map(({ id, revision }) => [id, revision]));
  const locked = await lockMemories(tx, actor.accountId, [...read.keys()]);
  return locked.filter(({ id, revision }) => read.get(id) === revision);
}

/** Takes documents out of the index that no memory belongs to. */
export async function removeOrphanDocuments(
  ctx: Ctx,
  ids: readonly string[],
): Promise<Set<string>> {
  return withTransaction(ctx, async (inTx) => {
    const present = await findUnerasedIds(inTx.tx, ctx.actor.accountId, ids);
    const strays = ids.filter((id) => !present.has(id));
    removeDocuments(inTx, strays);
    return new Set(strays);
  });
}
