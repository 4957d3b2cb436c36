import type { Embedder } from '../../providers/embedding/index.ts';
import type { Ctx } from '../ctx.ts';
import { insertModelVectors } from '../search-index/index.ts';
import { tryEmbedEach } from './embed.ts';
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
  const written = await ctx.engine.transaction(async (tx) => {
    const unchanged = await lockUnchangedMemories({ tx, actor: ctx.actor }, memories);
    const rows = unchanged.flatMap(({ id }) => {
      const vector = vectorsById.get(id);
      return vector ? [{ id, vector }] : [];
    });
    await insertModelVectors(tx, accountId, embedder, rows);
    return rows.length;
  });
  return { made: written, refused: ids.filter((id) => !vectorsById.get(id)) };
}
