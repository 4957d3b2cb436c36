import type { Embedder } from '../../../providers/embedding/index.ts';
import type { Ctx } from '../../ctx.ts';
import { tryEmbedEach } from '../../memories/index.ts';
import { insertModelVectors } from '../../search-index/index.ts';
import { segmentText } from './segments.ts';
import { segmentsById } from './store.ts';

/**
 * Embeds segments by another model, beside the vectors that they have: their words never change,
 * and one that goes meanwhile takes the vector along. As reembedMemories.
 */
export async function reembedSegments(
  ctx: Ctx,
  embedder: Embedder,
  ids: readonly string[],
): Promise<{ made: number; refused: string[] }> {
  const { accountId } = ctx.actor;
  const segments = await segmentsById(ctx.engine.db, accountId, ids);
  const vectors = await tryEmbedEach(embedder, segments.map(segmentText));
  const made = new Map(segments.map(({ id }, i) => [id, vectors[i] ?? null]));
  const written = await ctx.engine.transaction(async (tx) => {
    const there = await segmentsById(tx, accountId, [...made.keys()]);
    const rows = there.flatMap(({ id }) => {
      const vector = made.get(id);
      return vector ? [{ id, vector }] : [];
    });
    await insertModelVectors(tx, accountId, embedder, rows);
    return rows.length;
  });
  return { made: written, refused: ids.filter((id) => !made.get(id)) };
}
