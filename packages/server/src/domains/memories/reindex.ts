import { AppError } from '../../kernel/errors.ts';
import { type Ctx, withTransaction } from '../ctx.ts';
import {
  analyseInTurns,
  indexDocuments,
  isWhole,
  type NewDocument,
  readDocuments,
  removeDocuments,
  type StoredDocument,
} from '../index/index.ts';
import { embedTexts, isFaultOfText } from './embed.ts';
import { factsOf, type MemoryRecord, saidAt } from './model.ts';
import { presentIds, presentMemories } from './store/checks.ts';
import { lockMemories } from './store.ts';

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
  const memories = await presentMemories(db, accountId, ids);
  const documents = await readDocuments(db, accountId, ids);
  const contents = new Map<string, NewDocument['content']>();
  const refused = new Set<string>();
  for (const memory of memories) {
    const terms = await analyseInTurns(memory.content, saidAt(memory));
    const vectors = await vectorsOf(ctx, memory, documents.get(memory.id));
    if (vectors === null) refused.add(memory.id);
    contents.set(memory.id, { terms, vectors: vectors ?? [] });
  }
  return withTransaction(ctx, async (inTx) => {
    const locked = await lockMemories(inTx.tx, accountId, [...contents.keys()]);
    const read = new Map(memories.map(({ id, revision }) => [id, revision]));
    const unchanged = locked.filter(({ id, revision }) => read.get(id) === revision);
    indexDocuments(
      inTx,
      unchanged.flatMap((memory) => {
        const content = contents.get(memory.id);
        return content ? [{ ...factsOf(memory), content }] : [];
      }),
    );
    return unchanged.map(({ id }) => id).filter((id) => !refused.has(id));
  });
}

/** What has to be written beside what is there; null where the model refuses the text. */
async function vectorsOf(
  ctx: Ctx,
  { content }: MemoryRecord,
  document: StoredDocument | undefined,
): Promise<NewDocument['content']['vectors'] | null> {
  const { embedder } = ctx;
  if (document?.vectors.some((vector) => isWhole(vector, embedder))) return [];
  try {
    const [vector] = await embedTexts(ctx, [content], 'document');
    if (!vector) throw new AppError('embedding_failed');
    return [{ model: embedder.model, vector }];
  } catch (error) {
    if (isFaultOfText(error)) return null;
    throw error;
  }
}

/** Takes documents out of the index that no memory belongs to. */
export async function buryStrays(ctx: Ctx, ids: readonly string[]): Promise<Set<string>> {
  return withTransaction(ctx, async (inTx) => {
    const present = await presentIds(inTx.tx, ctx.actor.accountId, ids);
    const strays = ids.filter((id) => !present.has(id));
    removeDocuments(inTx, strays);
    return new Set(strays);
  });
}
