import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely';
import pg from 'pg';
import type { Engine, EngineDeps, EngineLog, ServerSettings } from '../engine.ts';
import { DatabaseUnsuitable, TransactionAborted } from '../errors.ts';
import { encodeParameter } from '../parameters.ts';
import type { Tables } from '../tables.ts';
import { runTransaction, TransactionScope } from '../transaction.ts';
import { textParser } from '../values.ts';
import { StatementNames } from './prepared.ts';

const VERSION_MIN = 16;
const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 30_000;
const LOCK_TIMEOUT_MS = 10_000;
/** After a statement's limit the server has so long to say so. */
const SILENCE_MS = 5_000;
/** How a migration takes the time that it takes. */
const WITHOUT_LIMIT = 'set local statement_timeout = 0';

/**
 * Opens a pool on a PostgreSQL server and asks for its version.
 *
 * Throws DatabaseUnsuitable below PostgreSQL 16, and where it cannot be reached or let in.
 */
export async function openServer(settings: ServerSettings, deps: EngineDeps): Promise<Engine> {
  const pool = new pg.Pool({
    connectionString: settings.url,
    max: settings.poolMax,
    application_name: 'mneme',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser: (type: number) => textParser(type) } as pg.CustomTypesConfig,
  });
  // An idle connection that breaks is replaced by the pool; without a listener it would throw.
  pool.on('error', (error) => deps.log.warn({ error: error.message }, 'idle connection lost'));
  const scope = new TransactionScope();
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: guardedPool(pool, scope, settings, deps.log) }),
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

const statementTimeoutOf = ({ statementTimeoutMs }: ServerSettings): number =>
  Math.trunc(statementTimeoutMs ?? STATEMENT_TIMEOUT_MS);

/** Sent once on each new connection; the forms of output are those that our parsers read. */
function sessionSettings(settings: ServerSettings): string {
  const statementTimeoutMs = statementTimeoutOf(settings);
  const lockTimeoutMs = Math.trunc(settings.lockTimeoutMs ?? LOCK_TIMEOUT_MS);
  return [
    `set statement_timeout = ${statementTimeoutMs}`,
    `set lock_timeout = ${lockTimeoutMs}`,
    "set timezone = 'UTC'",
    "set datestyle = 'ISO, MDY'",
    "set intervalstyle = 'postgres'",
    'set extra_float_digits = 1',
    "set bytea_output = 'hex'",
    // Statements are short: compiling one takes longer than running it.
    'set jit = off',
  ].join(';');
}

/** The pool as Kysely uses it, with our parameters, our commit and our guard against nesting. */
function guardedPool(
  pool: pg.Pool,
  scope: TransactionScope,
  settings: ServerSettings,
  log: EngineLog,
): PostgresPool {
  const setUp = sessionSettings(settings);
  const names = new StatementNames();
  const guarded = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  // One that breaks while it is used fails its statement, and says so a second time by an event
  // that would end the process if nobody listened. The pool listens to idle ones only.
  pool.on('connect', (client) => {
    client.on('error', (error) => log.warn({ error: error.message }, 'connection lost'));
  });
  return {
    connect: async () => {
      scope.assertOutside();
      const client = await pool.connect();
      const known = guarded.get(client);
      if (known) return known;
      try {
        await ask(client, { text: setUp, query_timeout: CONNECT_TIMEOUT_MS });
      } catch (error) {
        client.release(true);
        throw error;
      }
      const fresh = guardedClient(client, names, statementTimeoutOf(settings));
      guarded.set(client, fresh);
      return fresh;
    },
    end: () => pool.end(),
  };
}

function guardedClient(
  client: pg.PoolClient,
  names: StatementNames,
  limitMs: number,
): PostgresPoolClient {
  let lost = false;
  /** Until the end of its transaction. */
  let unlimited = false;
  async function query(text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    const values = parameters.map(encodeParameter).map((value) => {
      // pg sends a Buffer as bytes and would send a plain Uint8Array by way of a copy.
      if (value === null || typeof value === 'string') return value;
      return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    });
    // Several statements at once have no parameters, and cannot be prepared.
    const name = values.length === 0 ? undefined : names.of(text);
    if (text === WITHOUT_LIMIT) unlimited = true;
    // The server ends a statement itself; that it is gone, only our own watch can tell.
    const patience = unlimited ? {} : { query_timeout: limitMs + SILENCE_MS };
    const asked = { text, values, ...patience, ...(name ? { name } : {}) };
    // On a connection that is lost a rollback would wait as long as the statement did.
    if (lost) throw new Error('Connection terminated before');
    const result = await ask(client, asked).catch((error: unknown) => {
      lost ||= endsConnection(error);
      throw error;
    });
    if (text === 'commit' || text === 'rollback') unlimited = false;
    // PostgreSQL answers the commit of a failed transaction with a rollback and no error.
    if (text === 'commit' && result.command !== 'COMMIT') throw new TransactionAborted();
    return result;
  }
  return {
    query: query as unknown as PostgresPoolClient['query'],
    // One that is lost goes, before its end has even been seen: the next to ask gets another.
    release: () => client.release(lost),
  };
}

/**
 * By a callback: the promises that `pg` makes itself hold on to each other's results until the next
 * full collection, with pauses of 10 ms and more where answers are large.
 */
const ask = (
  client: pg.PoolClient,
  config: pg.QueryConfig & { query_timeout?: number },
): Promise<pg.QueryResult> =>
  new Promise((resolve, reject) => {
    void client.query(config, (error: Error | null, result) => {
      if (error) reject(error);
      else resolve(result);
    });
  });

/** "cached plan must not change result type": another version has changed a table meanwhile. */
const STALE_STATEMENT = '0A000';

/** The server's last word on a connection, no word at all, or statements that it must forget. */
const endsConnection = (error: unknown): boolean =>
  !(error instanceof pg.DatabaseError) ||
  error.severity === 'FATAL' ||
  error.code === STALE_STATEMENT;

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
