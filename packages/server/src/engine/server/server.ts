import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Engine, EngineDeps, ServerSettings } from '../engine.ts';
import { DatabaseUnsuitable } from '../errors.ts';
import type { Tables } from '../tables.ts';
import { runTransaction, TransactionScope } from '../transaction.ts';
import { openPool } from './pool.ts';

const VERSION_MIN = 16;

/**
 * Opens a pool on a PostgreSQL server and asks for its version.
 *
 * Throws DatabaseUnsuitable below PostgreSQL 16, and where it cannot be reached or let in.
 */
export async function openServer(settings: ServerSettings, deps: EngineDeps): Promise<Engine> {
  const scope = new TransactionScope();
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: openPool(settings, scope, deps.log) }),
  });
  try {
    await checkVersion(db);
  } catch (error) {
    await db.destroy();
    if (error instanceof DatabaseUnsuitable || !(error instanceof Error)) throw error;
    const { host } = new URL(settings.url);
    // Of a name with several addresses each has its own error, and the whole no message.
    const reason = error.message || (error as NodeJS.ErrnoException).code || error.name;
    throw new DatabaseUnsuitable(
      `PostgreSQL at ${host} cannot be used (${reason}): start it, or mend MNEME_DATABASE_URL.`,
      { cause: error },
    );
  }
  deps.log.info({ poolMax: settings.poolMax }, 'connected to PostgreSQL');
  let closing: Promise<void> | undefined;
  return {
    kind: 'server',
    db,
    transaction: (fn) => runTransaction(db, scope, deps, fn),
    ping: async () => {
      await sql`select 1`.execute(db);
    },
    lacksRoom: false,
    [Symbol.asyncDispose]: () => {
      closing ??= db.destroy();
      return closing;
    },
  };
}

async function checkVersion(db: Kysely<Tables>): Promise<void> {
  const version = sql<{ number: number; text: string }>`
    select current_setting('server_version_num')::int as number,
      current_setting('server_version') as text`;
  const row = (await version.execute(db)).rows[0];
  if (row && row.number >= VERSION_MIN * 10_000) return;
  throw new DatabaseUnsuitable(
    `PostgreSQL ${VERSION_MIN} or newer is needed; this server is ${row?.text ?? 'unknown'}`,
  );
}
