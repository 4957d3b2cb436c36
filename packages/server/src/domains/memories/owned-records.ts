import { type EraseFilter, type OwnerFilter, ownerNames } from '@mneme/contract';
import { createRegistry } from '../../kernel/per-app.ts';
import type { App, Ctx } from '../ctx.ts';

/** Records besides memories that have an owner; later domains register theirs. */
export interface OwnedRecords {
  /** How many `erase` would erase once the owner's memories are erased. */
  count(ctx: Ctx, owner: OwnerFilter): Promise<number>;
  /**
   * Erases at most `limit` of those created until a time; returns how many, 0 at the end. A record
   * stays while a memory that it became is there.
   */
  erase(
    ctx: Ctx,
    owner: OwnerFilter,
    page: { readonly createdUntil: Date; readonly limit: number },
  ): Promise<number>;
  /** Memories that records created until a time became only afterwards. */
  listLaterMemories(ctx: Ctx, owner: OwnerFilter, createdUntil: Date): Promise<string[]>;
}

export const ownedRecordKinds = ['mails', 'uploads'] as const;
export type OwnedRecordCounts = Readonly<Record<(typeof ownedRecordKinds)[number], number>>;

export const ownedRecordRegistry = createRegistry<
  App,
  (typeof ownedRecordKinds)[number],
  OwnedRecords
>();

/** The owner, if the filter has no other condition: then everything of the owner is meant. */
export function onlyOwnerOf(filter: EraseFilter): OwnerFilter | null {
  const names: readonly string[] = ownerNames;
  const conditions = Object.entries(filter).filter(([, value]) => value !== undefined);
  if (!conditions.every(([name]) => names.includes(name))) return null;
  const { user_id, agent_id, run_id } = filter;
  return { user_id, agent_id, run_id };
}

/** The number of each kind; zeros without an owner. */
export async function countOwnedRecords(
  ctx: Ctx,
  owner: OwnerFilter | null,
): Promise<OwnedRecordCounts> {
  const count = async (kind: (typeof ownedRecordKinds)[number]): Promise<number> =>
    owner === null ? 0 : ((await ownedRecordRegistry.of(ctx, kind)?.count(ctx, owner)) ?? 0);
  return { mails: await count('mails'), uploads: await count('uploads') };
}
