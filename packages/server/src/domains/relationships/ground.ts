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
  return {
    async edges(frontier, within) {
      const viewed = { accountId, visible: visibleSpaces(ctx.actor) };
      const { steps, seen } = await readFrontier(ctx.engine.db, viewed, frontier, filter, within);
      const edges = steps.flatMap(({ id, from, to, weight, decayRate, weightSetAtMs }): Edge[] => {
        const left = decayed(weight, decayRate, nowMs - weightSetAtMs);
        return left < least ? [] : [{ id, from, to, strength: strengthOf(left) }];
      });
      return { edges, seen };
    },
    async seen(ids) {
      return new Set([...(await visibleIds(ctx, ids.map(hyphenated)))].map(bare));
    },
  };
}
