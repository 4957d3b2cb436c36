import type { Space } from '@mneme/contract';
import type { KeywordScorer } from '../../text/keywords.ts';
import { type Ctx, visibleSpaces } from '../ctx.ts';
import { presentSpace, type SpaceRecord } from './model.ts';
import { listSpacesAfter } from './store/spaces.ts';

const pageRows = 500;
const beforeAll = '00000000-0000-0000-0000-000000000000';

/**
 * Spaces that the key may use, by name and description: those that match best first, equals by
 * name. What the name says counts twice.
 */
export async function findSpaces(
  ctx: Ctx,
  { weigh, limit }: { readonly weigh: KeywordScorer; readonly limit: number },
): Promise<{ items: Space[]; total: number }> {
  const found: { space: SpaceRecord; weight: number }[] = [];
  let after = beforeAll;
  for (;;) {
    const page = { after, limit: pageRows };
    const { accountId } = ctx.actor;
    const rows = await listSpacesAfter(ctx.engine.db, accountId, visibleSpaces(ctx.actor), page);
    for (const space of rows) {
      const weight = weigh(`${space.name}\n${space.description ?? ''}`);
      if (weight > 0) found.push({ space, weight: weight + weigh(space.name) });
    }
    const last = rows.at(-1);
    if (!last || rows.length < pageRows) break;
    after = last.id;
  }
  found.sort((a, b) => b.weight - a.weight || (a.space.name < b.space.name ? -1 : 1));
  return {
    items: found.slice(0, limit).map(({ space }) => presentSpace(space)),
    total: found.length,
  };
}
