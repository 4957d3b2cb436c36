import { Kysely, PostgresDialect, sql } from 'kysely';
import { dumpTables } from '../backup/dump-tables.ts';
import { isDistributedDatabase } from '../distribution/is-distributed.ts';
import { IntegrityFindings } from '../durability/integrity-findings.ts';
import type { Engine, EngineDeps, ServerSettings } from '../engine.ts';
import { DatabaseUnsuitable } from '../errors.ts';
import { statementDialect } from '../record-statements.ts';
import type { Tables } from '../tables.ts';
import { statementTracing } from '../trace-statements.ts';
import { runTransaction, TransactionScope } from '../transaction.ts';
import { openCopyConnection } from './copy-connection.ts';
import { LostWriteDetector } from './lost-write-detector.ts';
import { openPool } from './pool.ts';
import { ProcessConnection } from './process-connection.ts';
import { SchemaFence } from './schema-fence.ts';

const VERSION_MIN = 16;

/**
 * Opens a connection pool on a PostgreSQL server and reads its version.
 *
 * Throws DatabaseUnsuitable below PostgreSQL 16, and if the server is unreachable or rejects the
 * connection.
 */
export async function openServer(settings: ServerSettings, deps: EngineDeps): Promise<Engine> {
  const scope = new TransactionScope();
  const { dataDir = null, url } = settings;
  const { log } = deps;
  const integrity = new IntegrityFindings(dataDir, log, { engine: 'server' });
  const lostWrites =
    dataDir === null ? null : new LostWriteDetector({ url, dataDir, integrity, log });
  const fence = new SchemaFence(log);
  const processes = new ProcessConnection({
    url,
    log,
    random: deps.random ?? (() => 0.5),
    readVersion: () => fence.version,
  });
  const onCommit = (): void => lostWrites?.recordPosition();
  const pool = openPool(settings, scope, { log, integrity, fence, onCommit });
  const db = new Kysely<Tables>({
    dialect: statementDialect(new PostgresDialect({ pool })),
    ...statementTracing(scope, deps),
  });
  try {
    await checkVersion(db);
    pool.nodes.isDistributed = await isDistributedDatabase(db);
  } catch (error) {
    await db.destroy();
    await lostWrites?.[Symbol.asyncDispose]();
    throw toUnsuitable(error, url);
  }
  const { isDistributed } = pool.nodes;
  log.info({ poolMax: settings.poolMax, isDistributed }, 'connected to PostgreSQL');
  integrity.onOwnershipConfirmed(async () => lostWrites?.start());
  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    await processes[Symbol.asyncDispose]();
    await db.destroy();
    await lostWrites?.[Symbol.asyncDispose]();
  }
  const engine: Engine = {
    kind: 'server',
    isDistributed,
    processes,
    db,
    transaction: (fn, options) => runTransaction(db, scope, deps, fn, options),
    ping: () => pool.ping(),
    backup: () => dumpTables(engine),
    async openCopyConnection() {
      scope.assertOutside();
      return openCopyConnection(url, log);
    },
    isDiskFull: false,
    requireSchema: (version) => fence.require(version),
    get schemaChanged() {
      return fence.change;
    },
    get canWrite() {
      return fence.change === null;
    },
    get connections() {
      return pool.connections;
    },
    get unavailableNodes() {
      return pool.nodes.names;
    },
    integrity,
    [Symbol.asyncDispose]: () => (closing ??= close()),
  };
  return engine;
}

/** An error of the first statements as DatabaseUnsuitable. */
function toUnsuitable(error: unknown, url: string): unknown {
  if (error instanceof DatabaseUnsuitable || !(error instanceof Error)) return error;
  const { host } = new URL(url);
  // For a host name with several addresses, each has its own error, and the aggregate has no
  // message.
  const reason = error.message || (error as NodeJS.ErrnoException).code || error.name;
  return new DatabaseUnsuitable(
    `PostgreSQL at ${host} cannot be used (${reason}): start it, or correct MNEME_DATABASE_URL.`,
    { cause: error },
  );
}

async function checkVersion(db: Kysely<Tables>): Promise<void> {
  const version = sql<{ number: number; text: string }>`
    select current_setting('server_version_num')::int as number,
      current_setting('server_version') as text`;
  const row = (await version.execute(db)).rows[0];
  if (row && row.number >= VERSION_MIN * 10_000) return;
  throw new DatabaseUnsuitable(
    `PostgreSQL ${VERSION_MIN} or newer is required; this server has ` +
      (row?.text ?? 'an unknown version'),
  );
}
