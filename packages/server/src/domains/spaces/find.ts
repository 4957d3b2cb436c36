import type { Space } from '@mneme/contract';
import type { KeywordScorer } from '@mneme/text';
import { type Ctx, visibleSpaces } from '../ctx.ts';
import { presentSpace, type SpaceRecord } from './model.ts';
import { listSpacesAfter } from './store/spaces.ts';

const nilUuid = '00000000-0000-0000-0000-000000000000';

/** Names of spaces that the key may use, at most `limit`. */
export async function listUsableSpaceNames(ctx: Ctx, limit: number): Promise<string[]> {
  return (await listUsableSpaces(ctx, limit)).map(({ name }) => name);
}

/** Spaces that the key may use, at most `limit`. */
export async function listUsableSpaces(
  { engine, actor }: Pick<Ctx, 'engine' | 'actor'>,
  limit: number,
): Promise<{ readonly id: string; readonly name: string }[]> {
  const page = { after: nilUuid, limit };
  const rows = await listSpacesAfter(engine.db, actor.accountId, visibleSpaces(actor), page);
  return rows.map(({ id, name }) => ({ id, name }));
}

const pageRows = 500;
/**
 * Searches names and descriptions of the spaces that the key may use: best match first, ties by
 * name. Terms in the name count twice.
 */
export async function searchSpaces(
  ctx: Ctx,
  { weigh, limit }: { readonly weigh: KeywordScorer; readonly limit: number },
): Promise<{ items: Space[]; total: number }> {
  const matches: { space: SpaceRecord; weight: number }[] = [];
  let after = nilUuid;
  for (;;) {
    const page = { after, limit: pageRows };
    const { accountId } = ctx.actor;
    const rows = await listSpacesAfter(ctx.engine.db, accountId, visibleSpaces(ctx.actor), page);
    for (const space of rows) {
      const weight = weigh(`${space.name}\n${space.description ?? ''}`);
      if (weight > 0) matches.push({ space, weight: weight + weigh(space.name) });
    }
    const last = rows.at(-1);
    if (!last || rows.length < pageRows) break;
    after = last.id;
  }
  matches.sort((a, b) => b.weight - a.weight || (a.space.name < b.space.name ? -1 : 1));
  return {
    items: matches.slice(0, limit).map(({ space }) => presentSpace(space)),
    total: matches.length,
  };
}
