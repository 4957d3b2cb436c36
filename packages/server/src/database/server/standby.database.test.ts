import { readdir, rm } from 'node:fs/promises';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { isAvailable } from '../../../../../test/support/requirements.ts';
import { IntegrityFindings } from '../durability/integrity-findings.ts';
import { isConnectionError } from '../errors.ts';
import { openEngine } from '../open.ts';
import { makeTestDatabase, makeTestFolder, silentLog } from '../testing.ts';
import { administer } from '../testing-cluster.ts';
import { LostWriteDetector } from './lost-write-detector.ts';

/** A database whose functions of the server can be replaced: as on a standby, or after it. */
async function makeDatabase() {
  const { url, drop } = await makeTestDatabase(process.env.MNEME_TEST_DATABASE_URL ?? '');
  const name = new URL(url).pathname.slice(1);
  await administer(
    url,
    'create schema replaced',
    `alter database ${name} set search_path = replaced, public, pg_catalog`,
  );
  return { url, [Symbol.asyncDispose]: drop };
}

describe.runIf(isAvailable('postgresql'))('a server that is a standby', () => {
  it('gets no connections until it is promoted', async () => {
    await using database = await makeDatabase();
    const { url } = database;
    const recovers = (is: boolean) =>
      administer(
        url,
        `create or replace function replaced.pg_is_in_recovery() returns boolean
          language sql as 'select ${is}'`,
      );
    const open = () => openEngine({ kind: 'server', url, poolMax: 1 }, { log: silentLog });
    await recovers(true);
    await expect(open()).rejects.toThrow('cannot be used (the server is a standby)');
    await recovers(false);
    await using engine = await open();
    const read = () => sql`select 1`.execute(engine.db);
    await read();

    await recovers(true);
    await administer(
      url,
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`,
    );
    // The first one may find that its connection is closed.
    await expect.poll(() => read().catch(({ code }) => code)).toBe('57P03');
    expect(await read().catch(isConnectionError)).toBe(true);
    await recovers(false);
    expect((await read()).rows).toHaveLength(1);
  });

  it('leaves the position of its log to the next commit', async () => {
    await using database = await makeDatabase();
    await using ending = new AsyncDisposableStack();
    const dataDir = await makeTestFolder();
    ending.defer(() => rm(dataDir, { recursive: true, force: true }));
    const { url } = database;
    await administer(
      url,
      `create function replaced.pg_current_wal_flush_lsn() returns pg_lsn language plpgsql as $$
        begin raise 'recovery is in progress' using errcode = '55000'; end $$`,
    );
    const warnings: string[] = [];
    const log = { ...silentLog, warn: (_: object, text: string) => void warnings.push(text) };
    await using detector = new LostWriteDetector({
      url,
      dataDir,
      integrity: new IntegrityFindings(null, silentLog, { engine: 'server' }),
      log,
    });
    await detector.start();
    expect(warnings).toEqual(['write-ahead log position not readable: the next commit retries']);
    await administer(url, 'drop function replaced.pg_current_wal_flush_lsn()');
    detector.recordPosition();
    await expect
      .poll(async () => (await readdir(dataDir)).join())
      .toContain('acknowledged-position');
    expect(warnings).toHaveLength(1);
  });
});
