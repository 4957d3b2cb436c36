import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { CopyConnection } from '../backup/copy-connection.ts';
import type { EngineLog } from '../engine-log.ts';
import { getTextParser } from '../value-parsers.ts';
import { sessionSettings } from './session-settings.ts';

const CONNECT_TIMEOUT_MS = 10_000;
/** Keep-alive detects a lost server, since the statements have no timeout. */
const KEEP_ALIVE_AFTER_MS = 10_000;
const CLOSE_MS = 1_000;

/**
 * `transaction_timeout` exists from PostgreSQL 17 on, so the query sets it only if it exists. An
 * operator may have set these limits for the role.
 */
const NO_OTHER_LIMITS = `select set_config(name, '0', false) from pg_settings
  where name in ('transaction_timeout', 'idle_session_timeout')`;

/** Opens a connection outside the pool, without timeouts. */
export async function openCopyConnection(url: string, log: EngineLog): Promise<CopyConnection> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'mneme',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types: { getTypeParser: (type: number) => getTextParser(type) } as pg.CustomTypesConfig,
  });
  // A lost connection also fails its statement; without a listener the event would throw.
  client.on('error', (error) => log.warn({ error: error.message }, 'connection lost'));
  await client.connect();
  const connection = new ServerCopyConnection(client);
  try {
    await client.query(sessionSettings({ statementTimeoutMs: 0, lockTimeoutMs: 0 }));
    await client.query(NO_OTHER_LIMITS);
    return connection;
  } catch (error) {
    await connection[Symbol.asyncDispose]();
    throw error;
  }
}

class ServerCopyConnection implements CopyConnection {
  readonly #client: pg.Client;
  #ending: Promise<void> | undefined;

  constructor(client: pg.Client) {
    this.#client = client;
  }

  async query<R extends object>(sql: string): Promise<R[]> {
    const { rows } = await this.#client.query<R>(sql);
    return rows;
  }

  async *copyOut(sql: string): AsyncGenerator<Uint8Array> {
    const output = this.#client.query(copyTo(sql));
    // If the reader stopped early, closing the connection emits another error.
    output.on('error', () => undefined);
    yield* output;
  }

  async copyIn(sql: string, content: AsyncIterable<Uint8Array>): Promise<number> {
    const input = this.#client.query(copyFrom(sql));
    await pipeline(content, input);
    return input.rowCount;
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    // During a COPY this closes the socket; a lost server never responds.
    const ended = this.#client.end();
    await Promise.race([ended, delay(CLOSE_MS, undefined, { ref: false })]);
    this.#client.connection.stream.destroy();
  }
}
