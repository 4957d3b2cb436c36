import { sql } from 'kysely';
import type { Db } from '../../../database/index.ts';

/** A question with a memory that answers it. */
export interface SampleQuestion {
  readonly question: string;
  readonly answerId: string;
  /** The memory that the question is the content of; null: it is none. */
  readonly sourceId: string | null;
}

/** Longer texts are no questions. */
const questionCharactersMax = 500;

/** Queries of helpful feedback, newest first. */
export async function listFeedbackQuestions(
  db: Db,
  accountId: string,
  limit: number,
): Promise<SampleQuestion[]> {
  const { rows } = await sql<SampleQuestion>`
    select distinct on (feedback.memory_id, query) query as question,
      feedback.memory_id as "answerId", null as "sourceId"
    from feedback join memories on memories.account_id = feedback.account_id
      and memories.id = feedback.memory_id
    where feedback.account_id = ${accountId}::uuid and helpful
      and query is not null and length(query) between 3 and ${questionCharactersMax}::int
      and memories.deleted_at is null and memories.erased_at is null
    limit ${limit}::int
  `.execute(db);
  return rows;
}

/** Questions of users in sessions, with the turn that follows. */
export async function listSessionQuestions(
  db: Db,
  accountId: string,
  limit: number,
): Promise<SampleQuestion[]> {
  const { rows } = await sql<SampleQuestion>`
    select asked.content as question, reply.id as "answerId", asked.id as "sourceId"
    from memories as asked join memories as reply
      on reply.account_id = asked.account_id and reply.session_id = asked.session_id
      and reply.session_ordinal = asked.session_ordinal + 1
    where asked.account_id = ${accountId}::uuid and asked.session_id is not null
      and asked.metadata->>'role' = 'user'
      and coalesce(reply.metadata->>'role', 'assistant') <> 'user'
      and asked.content like '%?'
      and length(asked.content) between 10 and ${questionCharactersMax}::int
      and asked.deleted_at is null and asked.erased_at is null
      and reply.deleted_at is null and reply.erased_at is null
    order by asked.created_at desc, asked.id limit ${limit}::int
  `.execute(db);
  return rows;
}

/** The newest memories besides some. */
export async function listNewestExcept(
  db: Db,
  accountId: string,
  except: readonly string[],
  limit: number,
): Promise<{ id: string; content: string }[]> {
  return db
    .selectFrom('memories')
    .select(['id', 'content'])
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .where('erased_at', 'is', null)
    .where(sql<boolean>`not (id = any(${except}::uuid[]))`)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute();
}
