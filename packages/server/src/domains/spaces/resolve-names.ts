import type { NamesSpace } from '@mneme/contract';
import type { Ctx } from '../ctx.ts';
import { canReadSpace } from '../ctx.ts';
import { findSpaceIdsByName } from './store/spaces.ts';

/** Of no space: the verb treats it as any other id that it does not know. */
const unknownSpaceId = '00000000-0000-0000-0000-000000000000';

/**
 * Replaces the names of spaces by `space_id`, in place. A name that the account does not have, and
 * a name that the actor may not know, become an id that does not exist: names can be guessed, so
 * that an answer must not tell them apart.
 */
export async function resolveSpaceNames(
  { engine, actor }: Pick<Ctx, 'engine' | 'actor'>,
  parts: readonly NamesSpace[],
): Promise<void> {
  if (parts.length === 0) return;
  const names = new Set(parts.flatMap(({ space }) => (space === undefined ? [] : [space])));
  const ids = await findSpaceIdsByName(engine.db, actor.accountId, [...names]);
  for (const part of parts) {
    const id = ids.get(part.space ?? '');
    const isUsable = id !== undefined && canReadSpace(actor, id);
    replaceName(part, isUsable ? id : unknownSpaceId);
  }
}

/** Keeps the order of the fields: cursors have a hash of them. */
function replaceName(part: NamesSpace, id: string): void {
  const fields = Object.entries(part);
  for (const [name] of fields) delete (part as Record<string, unknown>)[name];
  for (const [name, value] of fields) {
    if (name === 'space') part.space_id = id;
    else (part as Record<string, unknown>)[name] = value;
  }
}
