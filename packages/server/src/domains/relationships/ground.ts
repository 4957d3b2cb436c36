import { Pace } from '../../kernel/pace.ts';
import { type Ctx, visibleSpaces } from '../ctx.ts';
import { visibleIds } from '../memories/index.ts';
import { decayed, strengthOf } from './model.ts';
import { bare, type FrontierFilter, hyphenated, readFrontier } from './store/frontier.ts';
import type { Edge, Ground } from './walk.ts';

/** What walks go over: the account's relationships as they are at `now`, ids without hyphens. */
export function groundOf(
  ctx: Ctx,
  filter: FrontierFilter & { readonly min_weight?: number | undefined },
  now: Date,
): Ground {
  const { accountId } = ctx.actor;
  const [nowMs, least] = [now.getTime(), filter.min_weight ?? 0];
  // By one statement, 300 memories of 600 relationships each held up others for 3 s, so for 0.4 s.
  const pace = new Pace(ctx.clock);
  return {
    async edges(frontier, within) {
      const viewed = { accountId, visible: visibleSpaces(ctx.actor) };
      const [edges, seen]: [Edge[], Set<string>] = [[], new Set()];
      const expand = async (some: readonly string[]): Promise<void> => {
        const found = await readFrontier(ctx.engine.db, viewed, some, filter, within);
        for (const id of found.seen) seen.add(id);
        for (const { id, from, to, weight, decayRate, weightSetAtMs } of found.steps) {
          const left = decayed(weight, decayRate, nowMs - weightSetAtMs);
          if (left >= least) edges.push({ id, from, to, strength: strengthOf(left) });
        }
      };
      for (let done = 0; done < frontier.length; ) {
        await pace.step((count) => {
          const some = frontier.slice(done, done + count);
          done += some.length;
          return expand(some);
        });
      }
      return { edges, seen };
    },
    async seen(ids) {
      return new Set([...(await visibleIds(ctx, ids.map(hyphenated)))].map(bare));
    },
  };
}
