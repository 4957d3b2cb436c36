import { type Ctx, visibilityOf } from '../ctx.ts';
import { visibleMemoryIds } from '../memories/index.ts';
import { decayWeight, toStrength } from './model.ts';
import { type FrontierFilter, hyphenated, readFrontier, withoutHyphens } from './store/frontier.ts';
import type { AdjacencyReader, Edge } from './walk.ts';

/** This many relationships in one statement block other statements for about 50 ms. */
const edgesPerStatement = 5_000;
const [nodesMin, nodesMax] = [10, 64];

/** Frontier memories per statement: fewer if the previous ones had many relationships. */
export const nodesPerStatement = (read: {
  readonly nodes: number;
  readonly edges: number;
}): number =>
  Math.max(
    nodesMin,
    Math.min(Math.floor((edgesPerStatement * read.nodes) / Math.max(1, read.edges)), nodesMax),
  );

/** Reads the account's relationships for a walk, decayed at `now`; ids without hyphens. */
export function createAdjacencyReader(
  ctx: Ctx,
  filter: FrontierFilter & { readonly min_weight?: number | undefined },
  now: Date,
): AdjacencyReader {
  const { accountId } = ctx.actor;
  const [nowMs, minWeight] = [now.getTime(), filter.min_weight ?? 0];
  const read = { nodes: 0, edges: 0 };
  return {
    async edges(frontier, within) {
      const visibility = { accountId, visible: visibilityOf(ctx.actor) };
      const [edges, seen]: [Edge[], Set<string>] = [[], new Set()];
      const expand = async (batch: readonly string[]): Promise<void> => {
        const found = await readFrontier(ctx.engine.db, visibility, batch, filter, within);
        read.nodes += batch.length;
        read.edges += found.steps.length;
        for (const id of found.seen) seen.add(id);
        for (const { id, from, to, weight, decayRate, weightSetAtMs } of found.steps) {
          const weightNow = decayWeight(weight, decayRate, nowMs - weightSetAtMs);
          if (weightNow >= minWeight) edges.push({ id, from, to, strength: toStrength(weightNow) });
        }
      };
      // As one statement, 300 memories with 600 relationships each blocked others for 3 s.
      for (let position = 0; position < frontier.length; ) {
        const batch = frontier.slice(position, position + nodesPerStatement(read));
        position += batch.length;
        await expand(batch);
      }
      return { edges, visible: seen };
    },
    async filterVisible(ids) {
      return new Set([...(await visibleMemoryIds(ctx, ids.map(hyphenated)))].map(withoutHyphens));
    },
  };
}
