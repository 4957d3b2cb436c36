import { type Owner, type OwnerFilter, ownerNames } from '@mneme/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../../../database/index.ts';
import type { MemoryVisibility } from '../../../ctx.ts';
import { remainingMemoryCondition } from '../../../memories/index.ts';

/** A sender whose mail a rule gives to an owner. */
export type ClaimedSender = Owner & { readonly sender: string };

/** Which mails are those of an owner. */
export interface OwnedMailFilter {
  readonly owner: OwnerFilter;
  /** Mail of these senders is the owner's, too, while its sender is not proven. */
  readonly claimed: readonly ClaimedSender[];
  readonly visible: MemoryVisibility;
  readonly createdUntil?: Date;
}

/** Statuses of mail without the owner that a rule gives it: nothing has proven its sender. */
const unprovenStatuses = ['received', 'processing', 'rejected', 'rate_limited'];

/** The senders of all mail that is not proven. */
export async function listUnprovenSenders(db: Db, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ sender: string }>`
    select distinct sender from inbound_mails
    where account_id = ${accountId}::uuid and status = any(${unprovenStatuses}::text[])
    `.execute(db);
  return rows.map(({ sender }) => sender);
}

/** The mail has each name of the owner. */
const isOwned = (owner: OwnerFilter): RawBuilder<boolean> =>
  sql.join(
    ownerNames.flatMap((name) =>
      owner[name] === undefined ? [] : [sql`inbound_mails.${sql.ref(name)} = ${owner[name]}`],
    ),
    sql` and `,
  );

/** The mail is not of another owner, and with the names of the rule it has each of the owner. */
function isClaimed({ owner, claimed }: OwnedMailFilter): RawBuilder<boolean> {
  const conditions = ownerNames.flatMap((name) => {
    const [mail, rule] = [sql`inbound_mails.${sql.ref(name)}`, sql`claim.${sql.ref(name)}`];
    const isCompatible = sql`(${mail} is null or ${rule} is null or ${mail} = ${rule})`;
    const id = owner[name];
    return id === undefined
      ? [isCompatible]
      : [isCompatible, sql`coalesce(${mail}, ${rule}) = ${id}`];
  });
  return sql<boolean>`
    status = any(${unprovenStatuses}::text[]) and (${isOwned(owner)}) is not true and exists (
      select from json_to_recordset(${JSON.stringify(claimed)}::json)
        as claim (sender text, user_id text, agent_id text, run_id text)
      where claim.sender = inbound_mails.sender and ${sql.join(conditions, sql` and `)}
    )`;
}

/** Limited keys see mail only with the account level, and with the space of its memory. */
const isVisible = ({ spaces }: MemoryVisibility): RawBuilder<boolean> =>
  spaces === null
    ? sql<boolean>`true`
    : sql<boolean>`'default' = any(${spaces}::text[])
        and coalesce(space_id::text, 'default') = any(${spaces}::text[])`;

/** The memories that the mail and its attachments became. */
const memoryIds = (accountId: string) => sql`
  select response_memory_id as id
  union all select memory_id from email_attachments as attached
  where attached.account_id = ${accountId}::uuid and attached.mail_id = inbound_mails.id`;

/** Subqueries with the ids: the first one reads an index, the second one all mail. */
function selectOwned(
  accountId: string,
  filter: OwnedMailFilter,
  remains: RawBuilder<boolean>,
): RawBuilder<unknown>[] {
  const { owner, claimed, visible, createdUntil } = filter;
  const isInTime =
    createdUntil === undefined ? sql`true` : sql`created_at <= ${createdUntil}::timestamptz`;
  const select = (condition: RawBuilder<boolean>) => sql`
    select id from inbound_mails
    where account_id = ${accountId}::uuid and ${condition} and ${isInTime}
      and ${isVisible(visible)} and not ${remains}`;
  return claimed.length === 0
    ? [select(isOwned(owner))]
    : [select(isOwned(owner)), select(isClaimed(filter))];
}

/** How many can be erased once the owner's memories are erased. */
export async function countOwnedMails(
  db: Db,
  accountId: string,
  filter: OwnedMailFilter,
): Promise<number> {
  const remains = remainingMemoryCondition(accountId, memoryIds(accountId), filter);
  const owned = sql.join(selectOwned(accountId, filter, remains), sql` union all `);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${owned}) as owned`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Locks mails that became no memory, or only memories that are erased; none at the end. */
export async function lockErasableMails(
  tx: Tx,
  accountId: string,
  filter: OwnedMailFilter,
  limit: number,
): Promise<string[]> {
  const remains = remainingMemoryCondition(accountId, memoryIds(accountId), null);
  const owned = sql.join(selectOwned(accountId, filter, remains), sql` union all `);
  for (;;) {
    const locked = await sql<{ id: string }>`
      select id from inbound_mails
      where account_id = ${accountId}::uuid and id in (${owned} limit ${limit}::int)
      order by id for update`.execute(tx);
    const ids = locked.rows.map(({ id }) => id);
    if (ids.length === 0) return [];
    // Without those whose processing ended in between: a new statement sees their memories.
    const { rows } = await sql<{ id: string }>`
      select id from inbound_mails
      where account_id = ${accountId}::uuid and id = any(${ids}::uuid[]) and not ${remains}
      `.execute(tx);
    if (rows.length > 0) return rows.map(({ id }) => id);
  }
}

/** The memories that mails created until a time became after it. */
export async function listMemoriesOfMailsSince(
  db: Db,
  accountId: string,
  owner: OwnerFilter,
  createdUntil: Date,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select became.id from inbound_mails, lateral (${memoryIds(accountId)}) as became
    where account_id = ${accountId}::uuid and ${isOwned(owner)}
      and created_at <= ${createdUntil}::timestamptz
      and processed_at > ${createdUntil}::timestamptz and became.id is not null`.execute(db);
  return rows.map(({ id }) => id);
}

interface DeletedMails {
  readonly ids: readonly string[];
  readonly blobs: readonly string[];
}

/** Deletes mails with their attachments and confirmations, and the replies to them. */
export async function deleteMailsWithReplies(
  tx: Tx,
  accountId: string,
  mailIds: readonly string[],
): Promise<DeletedMails> {
  await sql`
    delete from outbound_mails
    where account_id = ${accountId}::uuid and mail_id = any(${mailIds}::uuid[])`.execute(tx);
  await sql`
    delete from email_confirmations
    where account_id = ${accountId}::uuid and mail_id = any(${mailIds}::uuid[])`.execute(tx);
  const attached = await sql<{ blob: string }>`
    delete from email_attachments
    where account_id = ${accountId}::uuid and mail_id = any(${mailIds}::uuid[])
    returning blob`.execute(tx);
  const { rows } = await sql<{ id: string; raw_blob: string | null }>`
    delete from inbound_mails
    where account_id = ${accountId}::uuid and id = any(${mailIds}::uuid[])
    returning id, raw_blob`.execute(tx);
  return {
    ids: rows.map(({ id }) => id),
    blobs: [
      ...rows.flatMap(({ raw_blob: name }) => name ?? []),
      ...attached.rows.map(({ blob }) => blob),
    ],
  };
}
