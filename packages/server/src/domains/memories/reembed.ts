import type { Embedder } from '../../providers/embedding/index.ts';
import type { Ctx } from '../ctx.ts';
import {
  hasSeveralPassages,
  insertModelVectors,
  readDocumentTerms,
  textsOfPassages,
} from '../search-index/index.ts';
import { tryEmbedEach } from './embed.ts';
import type { MemoryRecord } from './model.ts';
import { lockUnchangedMemories } from './reindex.ts';
import { findUnerasedMemories } from './store/checks.ts';

/**
 * Embeds memories with another model, in addition to their existing vectors. Memories that change
 * during the call are left to the next pass. Returns the number of new vectors, and the ids that
 * never get one: the model rejects the text, or the memory is gone. Throws embedding_failed.
 */
export async function reembedMemories(
  ctx: Ctx,
  embedder: Embedder,
  ids: readonly string[],
): Promise<{ made: number; refused: string[] }> {
  const { accountId } = ctx.actor;
  const memories = await findUnerasedMemories(ctx.engine.db, accountId, ids);
  const vectors = await tryEmbedEach(
    embedder,
    memories.map(({ content }) => content),
  );
  const vectorsById = new Map(memories.map(({ id }, i) => [id, vectors[i] ?? null]));
  const passages = await embedPassages(ctx, embedder, memories);
  const written = await ctx.engine.transaction(async (tx) => {
    const unchanged = await lockUnchangedMemories({ tx, actor: ctx.actor }, memories);
    const terms = await readDocumentTerms(accountId, tx, [...passages.keys()]);
    const rows = unchanged.flatMap(({ id }) => {
      const vector = vectorsById.get(id);
      const own = passages.get(id);
      // Analysed again meanwhile: the encoding worker makes them of the new passages.
      const isSame = own !== undefined && own.terms === terms.get(id);
      return vector ? [{ id, vector, passages: isSame ? own.vectors : null }] : [];
    });
    await insertModelVectors(tx, accountId, embedder, rows);
    return rows.length;
  });
  return { made: written, refused: ids.filter((id) => !vectorsById.get(id)) };
}

interface PassageVectors {
  /** Of the document: they are of its passages. */
  readonly terms: string;
  readonly vectors: readonly (Float32Array | null)[];
}

/** Of the memories of several passages, by id. */
async function embedPassages(
  ctx: Ctx,
  embedder: Embedder,
  memories: readonly MemoryRecord[],
): Promise<Map<string, PassageVectors>> {
  const ids = memories.map(({ id }) => id);
  const terms = await readDocumentTerms(ctx.actor.accountId, ctx.engine.db, ids);
  const all = new Map<string, PassageVectors>();
  for (const { id, content } of memories) {
    const own = terms.get(id);
    if (own === undefined || !hasSeveralPassages(own)) continue;
    const vectors = await tryEmbedEach(embedder, textsOfPassages(content, own));
    all.set(id, { terms: own, vectors });
  }
  return all;
}
