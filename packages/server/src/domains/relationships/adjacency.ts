import { type Ctx, visibleSpaces } from '../ctx.ts';
import { visibleIds } from '../memories/index.ts';
import { decayWeight, toStrength } from './model.ts';
import { type FrontierFilter, hyphenated, readFrontier, withoutHyphens } from './store/frontier.ts';
import type { Adjacency, Edge } from './walk.ts';

/** So many relationships in one statement hold others up for about 50 ms. */
const edgesPerStatement = 5_000;
const [nodesMin, nodesMax] = [10, 64];

/** How many memories of a frontier one statement takes: fewer, the more hangs on those before. */
export const nodesPerStatement = (looked: {
  readonly nodes: number;
  readonly edges: number;
}): number =>
  Math.max(
    nodesMin,
    Math.min(Math.floor((edgesPerStatement * looked.nodes) / Math.max(1, looked.edges)), nodesMax),
  );

/** What walks go over: the account's relationships as they are at `now`, ids without hyphens. */
export function createAdjacency(
  ctx: Ctx,
  filter: FrontierFilter & { readonly min_weight?: number | undefined },
  now: Date,
): Adjacency {
  const { accountId } = ctx.actor;
  const [nowMs, least] = [now.getTime(), filter.min_weight ?? 0];
  const looked = { nodes: 0, edges: 0 };
  return {
    async edges(frontier, within) {
      const viewed = { accountId, visible: visibleSpaces(ctx.actor) };
      const [edges, seen]: [Edge[], Set<string>] = [[], new Set()];
      const expand = async (some: readonly string[]): Promise<void> => {
        const found = await readFrontier(ctx.engine.db, viewed, some, filter, within);
        looked.nodes += some.length;
        looked.edges += found.steps.length;
        for (const id of found.seen) seen.add(id);
        for (const { id, from, to, weight, decayRate, weightSetAtMs } of found.steps) {
          const left = decayWeight(weight, decayRate, nowMs - weightSetAtMs);
          if (left >= least) edges.push({ id, from, to, strength: toStrength(left) });
        }
      };
      // By one statement, 300 memories of 600 relationships each held up others for 3 s.
      for (let done = 0; done < frontier.length; ) {
        const some = frontier.slice(done, done + nodesPerStatement(looked));
        done += some.length;
        await expand(some);
      }
      return { edges, visible: seen };
    },
    async filterVisible(ids) {
      return new Set([...(await visibleIds(ctx, ids.map(hyphenated)))].map(withoutHyphens));
    },
  };
}
