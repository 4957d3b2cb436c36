import type { Owner } from '@mneme/contract';
import { sql } from 'kysely';
import type { Tx } from '../../../../database/index.ts';

/** A mail with the memories that it stands for, whether these exist or not. */
export interface LinkedMail extends Owner {
  readonly id: string;
  readonly command: string | null;
  readonly response_memory_id: string | null;
  readonly attached_memory_ids: readonly string[];
}

const columns = (
  accountId: string,
) => sql`id, user_id, agent_id, run_id, parsed_intent ->> 'command' as command,
  response_memory_id, array(
    select memory_id from email_attachments as attached
    where attached.account_id = ${accountId}::uuid
      and attached.mail_id = inbound_mails.id and memory_id is not null
  ) as attached_memory_ids`;

/** A page of all mails, in the order of ids. */
export async function linkedMailsAfter(
  tx: Tx,
  accountId: string,
  after: string | null,
  limit: number,
): Promise<LinkedMail[]> {
  const { rows } = await sql<LinkedMail>`
    select ${columns(accountId)} from inbound_mails
    where account_id = ${accountId}::uuid and (${after}::uuid is null or id > ${after}::uuid)
    order by id limit ${limit}::int`.execute(tx);
  return rows;
}

/** Locked in the order of ids. */
export async function lockLinkedMails(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<LinkedMail[]> {
  const { rows } = await sql<LinkedMail>`
    select ${columns(accountId)} from inbound_mails
    where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])
    order by id for update`.execute(tx);
  return rows;
}
