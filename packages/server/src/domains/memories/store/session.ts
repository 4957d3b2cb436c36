import { type Owner, type OwnerFilter, ownerNames } from '@mneme/contract';
import { type Db, readPage, type Tx } from '../../../database/index.ts';
import type { PageRequest } from '../../../kernel/pagination.ts';
import type { MemoryVisibility } from '../../ctx.ts';
import type { MemoryRecord } from '../model.ts';
import {
  isUnexpired,
  mayBeOutdated,
  memoryColumns,
  selectUnerasedMemories,
  whereVisible,
} from './memories.ts';

/** Locks the memories of a session, including soft-deleted ones, before it ends or is deleted. */
export const lockSessionMemories = (
  tx: Tx,
  accountId: string,
  sessionId: string,
): Promise<
  Pick<MemoryRecord, 'id' | 'space_id' | keyof Owner | 'protection_level' | 'is_pinned'>[]
> =>
  selectUnerasedMemories(tx, accountId)
    .select(['id', 'space_id', ...ownerNames, 'protection_level', 'is_pinned'])
    .where('session_id', '=', sessionId)
    .orderBy('id')
    .forUpdate()
    .execute();

export async function findErasedInSession(
  db: Db,
  accountId: string,
  sessionId: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('memories')
    .select('id')
    .where('account_id', '=', accountId)
    .where('session_id', '=', sessionId)
    .where('erased_at', 'is not', null)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Active memories in the session's order. */
export function listSessionMemoryRows(
  db: Db,
  accountId: string,
  sessionId: string,
  {
    visible,
    owner,
    now,
  }: {
    readonly visible: MemoryVisibility;
    readonly owner: OwnerFilter;
    readonly now: Date;
  },
  page: PageRequest,
): Promise<{ rows: MemoryRecord[]; total: number }> {
  let query = whereVisible(selectUnerasedMemories(db, accountId), visible)
    .select(memoryColumns)
    .select(mayBeOutdated(accountId).as('may_be_outdated'))
    .where('session_id', '=', sessionId)
    .where(isUnexpired(now))
    .where('deleted_at', 'is', null);
  for (const name of ownerNames) {
    const id = owner[name];
    if (id !== undefined) query = query.where(name, '=', id);
  }
  return readPage(query.orderBy('session_ordinal'), page);
}
