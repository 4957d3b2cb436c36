import { sql } from 'kysely';
import type { Db, Tx } from '../../../database/index.ts';

export interface ClientRecord {
  readonly id: string;
  readonly name: string | null;
  readonly redirect_uris: string[];
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

/** False if `unusedMax` clients are registered that nobody has allowed anything yet. */
export async function insertClient(
  db: Db,
  client: ClientRecord,
  unusedMax: number,
): Promise<boolean> {
  const { rows } = await sql`
    insert into oauth_clients (id, name, redirect_uris, created_at)
    select ${client.id}, ${client.name}, ${client.redirect_uris}::text[], ${client.created_at}
    where (select count(*) from oauth_clients where last_used_at is null) < ${unusedMax}
    returning id
  `.execute(db);
  return rows.length > 0;
}

export const findClient = (db: Db, id: string): Promise<ClientRecord | undefined> =>
  db.selectFrom('oauth_clients').selectAll().where('id', '=', id).executeTakeFirst();

export async function updateClientLastUsed(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.updateTable('oauth_clients').set({ last_used_at: now }).where('id', '=', id).execute();
}

/** Deletes clients without a grant that were registered and last used before `before`. */
export async function pruneClients(db: Db, before: Date): Promise<void> {
  await db
    .deleteFrom('oauth_clients')
    .where('created_at', '<', before)
    .where((or) => or.or([or('last_used_at', 'is', null), or('last_used_at', '<', before)]))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('oauth_grants')
            .select('oauth_grants.id')
            .whereRef('oauth_grants.client_id', '=', 'oauth_clients.id'),
        ),
      ),
    )
    .execute();
}
