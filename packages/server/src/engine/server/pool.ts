import { setTimeout as delay } from 'node:timers/promises';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import type { Integrity } from '../durability/integrity.ts';
import type { EngineLog, ServerSettings } from '../engine.ts';
import { isDamaged, TransactionAborted } from '../errors.ts';
import { encodeParameter } from '../parameters.ts';
import { type TransactionScope, WITHOUT_LIMIT } from '../transaction.ts';
import { textParser } from '../values.ts';
import { StatementNames } from './prepared.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 30_000;
const LOCK_TIMEOUT_MS = 10_000;
/** After a statement's limit the server has so long to say so. */
const SILENCE_MS = 5_000;
const CLOSE_MS = 1_000;

export interface PoolDeps {
  readonly log: EngineLog;
  readonly integrity: Integrity;
  /** Called after whatever may have been a commit, and on each new connection. */
  readonly onCommit: () => void;
}

/** Connections as Kysely uses them, with our parameters, our commit, our limits and no nesting. */
export function openPool(
  settings: ServerSettings,
  scope: TransactionScope,
  deps: PoolDeps,
): PostgresPool {
  const { log } = deps;
  const pool = new pg.Pool({
    connectionString: settings.url,
    max: settings.poolMax,
    application_name: 'mneme',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser: (type: number) => textParser(type) } as pg.CustomTypesConfig,
  });
  // An idle connection that breaks is replaced by the pool; without a listener it would throw.
  pool.on('error', (error) => log.warn({ error: error.message }, 'idle connection lost'));
  // One that breaks while it is used fails its statement, and says so a second time by an event
  // that would end the process if nobody listened. The pool listens to idle ones only.
  const open = new Set<Promise<void>>();
  pool.on('connect', (client) => {
    const closed = new Promise<void>((resolve) => client.once('end', resolve));
    open.add(closed);
    void closed.then(() => open.delete(closed));
    client.on('error', (error) => log.warn({ error: error.message }, 'connection lost'));
    deps.onCommit();
  });
  const limitMs = Math.trunc(settings.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS);
  const setUp = sessionSettings(limitMs);
  const names = new StatementNames();
  const guarded = new WeakMap<pg.PoolClient, PostgresPoolClient>();
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
      const fresh = guardedClient(client, { names, limitMs, ...deps });
      guarded.set(client, fresh);
      return fresh;
    },
    async end() {
      await pool.end();
      // The pool only asks its connections to close; one whose server is gone never does.
      await Promise.race([Promise.all(open), delay(CLOSE_MS, undefined, { ref: false })]);
    },
  };
}

/** Sent once on each new connection; the forms of output are those that our parsers read. */
function sessionSettings(statementTimeoutMs: number): string {
  return [
    `set statement_timeout = ${statementTimeoutMs}`,
    `set lock_timeout = ${LOCK_TIMEOUT_MS}`,
    // A process that is gone without a word must not hold its locks until TCP notices, in hours.
    `set idle_in_transaction_session_timeout = ${statementTimeoutMs}`,
    "set timezone = 'UTC'",
    "set datestyle = 'ISO, MDY'",
    "set intervalstyle = 'postgres'",
    'set extra_float_digits = 1',
    "set bytea_output = 'hex'",
    // Statements are short: compiling one takes longer than running it.
    'set jit = off',
  ].join(';');
}

/** Commands that commit nothing; of others, those outside of a transaction are commits. */
const READS = new Set(['SELECT', 'BEGIN', 'ROLLBACK', 'SET', 'SHOW']);

/** What Kysely reads of a result. */
type Answer = Pick<pg.QueryResult, 'command' | 'rowCount' | 'rows'>;

function guardedClient(
  client: pg.PoolClient,
  { names, limitMs, integrity, onCommit }: PoolDeps & { names: StatementNames; limitMs: number },
): PostgresPoolClient {
  let lost = false;
  /** Until the end of its transaction. */
  let unlimited = false;
  async function query(text: string, parameters: readonly unknown[]): Promise<Answer> {
    if (lost) {
      // Its end takes everything back, and the caller's own error is the one to see.
      if (text === 'rollback') return { command: 'ROLLBACK', rowCount: null, rows: [] };
      throw new Error('Connection terminated before');
    }
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
    const result = await ask(client, asked).catch((error: unknown) => {
      lost ||= endsConnection(error);
      if (isDamaged(error)) integrity.noteDamagedPage(error.message);
      throw error;
    });
    if (text === 'commit' || text === 'rollback') unlimited = false;
    // PostgreSQL answers the commit of a failed transaction with a rollback and no error.
    if (text === 'commit' && result.command !== 'COMMIT') throw new TransactionAborted();
    if (!READS.has(result.command)) onCommit();
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
