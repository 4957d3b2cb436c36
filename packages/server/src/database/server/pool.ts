import { setTimeout as delay } from 'node:timers/promises';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import type { PoolConnections, ServerSettings } from '../engine.ts';
import type { TransactionScope } from '../transaction.ts';
import { getTextParser } from '../value-parsers.ts';
import { GuardedClient, type GuardedClientDeps, runQuery } from './guarded-client.ts';
import { PartialStatements } from './partial-statements.ts';
import { runApart } from './run-apart.ts';
import { sessionSettings } from './session-settings.ts';
import { StatementNames } from './statement-names.ts';
import { UnavailableNodes } from './unavailable-nodes.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 30_000;
const LOCK_TIMEOUT_MS = 10_000;
const CLOSE_MS = 1_000;

export type PoolDeps = Omit<
  GuardedClientDeps,
  'names' | 'nodes' | 'partialStatements' | 'limitMs' | 'lockTimeoutMs'
>;

export interface Pool extends PostgresPool {
  /** Resolves when the server responds, regardless of the schema version. */
  ping(): Promise<void>;
  readonly connections: PoolConnections;
  readonly nodes: UnavailableNodes;
}

/** Connections for Kysely with parameter encoding, commit detection, timeouts and no nesting. */
export function openPool(settings: ServerSettings, scope: TransactionScope, deps: PoolDeps): Pool {
  const { log } = deps;
  const pool = new pg.Pool({
    connectionString: settings.url,
    max: settings.poolMax,
    application_name: 'mneme',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser: (type: number) => getTextParser(type) } as pg.CustomTypesConfig,
  });
  // The pool replaces a broken idle connection; without a listener the event would throw.
  pool.on('error', (error) => log.warn({ error: error.message }, 'idle connection lost'));
  // A connection that breaks during use fails its statement and also emits an event, which would
  // end the process without a listener. The pool listens on idle connections only.
  const open = new Set<Promise<void>>();
  pool.on('connect', (client) => {
    const closed = new Promise<void>((resolve) => client.once('end', resolve));
    open.add(closed);
    void closed.then(() => open.delete(closed));
    client.on('error', (error) => log.warn({ error: error.message }, 'connection lost'));
    deps.onCommit();
  });
  const limitMs = Math.trunc(settings.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS);
  const sessionSql = sessionSettings({
    statementTimeoutMs: limitMs,
    lockTimeoutMs: LOCK_TIMEOUT_MS,
  });
  const names = new StatementNames();
  const nodes = new UnavailableNodes({ log, runApart: (query) => runApart(settings.url, query) });
  const partialStatements = new PartialStatements(nodes);
  const guarded = new WeakMap<pg.PoolClient, GuardedClient>();
  async function connect(): Promise<GuardedClient> {
    scope.assertOutside();
    const client = await pool.connect();
    const known = guarded.get(client);
    if (known) return known;
    try {
      await runQuery(client, { text: sessionSql, query_timeout: CONNECT_TIMEOUT_MS });
    } catch (error) {
      client.release(true);
      throw error;
    }
    const own = { names, nodes, partialStatements, limitMs, lockTimeoutMs: LOCK_TIMEOUT_MS };
    const fresh = new GuardedClient(client, { ...own, ...deps });
    guarded.set(client, fresh);
    return fresh;
  }
  return {
    nodes,
    connect: connect as unknown as () => Promise<PostgresPoolClient>,
    get connections() {
      const { totalCount, idleCount: idle, waitingCount: waiting } = pool;
      return { busy: totalCount - idle, idle, waiting, max: settings.poolMax };
    },
    async ping() {
      const client = await connect();
      try {
        await client.ping();
      } finally {
        client.release();
      }
    },
    async end() {
      await pool.end();
      // The pool only requests its connections to close; one with a lost server never does.
      await Promise.race([Promise.all(open), delay(CLOSE_MS, undefined, { ref: false })]);
    },
  };
}
