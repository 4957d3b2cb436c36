import type { Embedder } from '../../../providers/embedding/index.ts';
import type { Ctx } from '../../ctx.ts';
import { tryEmbedEach } from '../../memories/index.ts';
import { insertModelVectors } from '../../search-index/index.ts';
import { segmentText } from './segments.ts';
import { segmentsById } from './store/segments.ts';

/**
 * Embeds segments with another model and keeps the vectors of the current model. The text of a
 * segment never changes, so only segments deleted in the meantime are skipped. As reembedMemories.
 */
export async function reembedSegments(
  ctx: Ctx,
  embedder: Embedder,
  ids: readonly string[],
): Promise<{ made: number; refused: string[] }> {
  const { accountId } = ctx.actor;
  const segments = await segmentsById(ctx.engine.db, accountId, ids);
  const vectors = await tryEmbedEach(embedder, segments.map(segmentText));
  const vectorsById = new Map(segments.map(({ id }, i) => [id, vectors[i] ?? null]));
  const written = await ctx.engine.transaction(async (tx) => {
    const existing = await segmentsById(tx, accountId, [...vectorsById.keys()]);
    const rows = existing.flatMap(({ id }) => {
      const vector = vectorsById.get(id);
      return vector ? [{ id, vector, passages: null }] : [];
    });
    await insertModelVectors(tx, accountId, embedder, rows);
    return rows.length;
  });
  return { made: written, refused: ids.filter((id) => !vectorsById.get(id)) };
}
