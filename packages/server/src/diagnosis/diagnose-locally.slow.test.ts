import fs from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Diagnosis } from '@mneme/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAvailable } from '../../../../test/support/requirements.ts';
import {
  acknowledgedWalOffset,
  flipBit,
  newestWalSegment,
  writeAndKill,
} from '../database/fixtures/damage.ts';
import { type Engine, openEngine } from '../database/index.ts';
import {
  makeTestDatabase,
  makeTestDataDir,
  makeTestFolder,
  silentLog,
} from '../database/testing.ts';
import { setInstanceSetting } from '../instance/instance-settings.ts';
import { pauseQueue } from '../jobs/job-queues.ts';
import { systemClock } from '../kernel/clock.ts';
import { createIds } from '../kernel/ids.ts';
import type { DatabaseCheckOptions } from './database.ts';
import { diagnoseLocally } from './diagnose-locally.ts';

const migrations = fileURLToPath(new URL('../../migrations', import.meta.url));
const ids = createIds(systemClock);
const hour = 3_600_000;

const plain: DatabaseCheckOptions = {
  clock: systemClock,
  ids,
  isQuick: true,
  acknowledge: false,
  onProgress: () => undefined,
};

const kindsOf = ({ findings }: Diagnosis) => findings.map(({ kind }) => kind);

/** Puts jobs of each stuck kind, and some that are well, into the queue. */
async function queueJobs({ db }: Engine): Promise<void> {
  const at = (hours: number) => new Date(Date.now() + hours * hour);
  const job = (kind: string, status: string, times: object) => ({
    id: ids.uuid(),
    kind,
    status,
    payload: '{}',
    run_at: at(0),
    created_at: at(-48),
    ...times,
  });
  const jobs = [
    job('late', 'queued', { run_at: at(-2) }),
    job('late', 'queued', { run_at: at(-3) }),
    job('soon', 'queued', { run_at: at(-0.5) }),
    job('left', 'running', { lease_until: at(-1) }),
    job('runs', 'running', { lease_until: at(0.1) }),
    job('dead', 'failed', { finished_at: at(-1) }),
    job('long-dead', 'failed', { finished_at: at(-30) }),
    job('done', 'completed', { finished_at: at(-1) }),
  ];
  await db
    .insertInto('jobs')
    .values(jobs as never)
    .execute();
}

const stuckJobs = [
  {
    kind: 'jobs_due',
    message: expect.stringMatching(/^Jobs have been due since .*Z: 2 late\.$/),
    action: expect.stringMatching(/^Start the server/),
  },
  {
    kind: 'jobs_abandoned',
    message: expect.stringMatching(/^Jobs have been leased by dead processes since .*Z: 1 left\.$/),
  },
  { kind: 'jobs_failed', message: 'Jobs failed permanently in the last 24 hours: 1 dead.' },
];

const newerVersion = ({ db }: Engine): Promise<unknown> =>
  sql`insert into schema_migrations (version, name, checksum) values (9999, 'next', 'x')`.execute(
    db,
  );
const olderVersion = ({ db }: Engine): Promise<unknown> =>
  sql`delete from schema_migrations
    where version = (select max(version) from schema_migrations)`.execute(db);

describe('the doctor of an embedded database', () => {
  let dataDir: string;
  let remove: () => Promise<void>;
  beforeEach(async () => {
    ({ dataDir, remove } = await makeTestDataDir({ migrations }));
  });
  afterEach(() => remove());

  const diagnose = (env: Record<string, string> = {}, wishes: Partial<DatabaseCheckOptions> = {}) =>
    diagnoseLocally({ MNEME_DATA_DIR: dataDir, ...env }, { ...plain, ...wishes });

  async function withEngine<T>(use: (engine: Engine) => Promise<T>): Promise<T> {
    await using engine = await openEngine({ kind: 'embedded', dataDir }, { log: silentLog });
    return await use(engine);
  }

  /** The names of all files, and the content of those that are not the database's. */
  async function readFiles() {
    const names = (await fs.readdir(dataDir)).sort();
    const own = names.filter((name) => !['pg', 'lock.db', 'acknowledged-position'].includes(name));
    return [names, await Promise.all(own.map((name) => fs.readFile(path.join(dataDir, name))))];
  }

  it('finds nothing where all is well, lists what it looked at, and changes no file', async () => {
    const progress: number[] = [];
    const onProgress = (megabytes: number): void => void progress.push(megabytes);
    await diagnose();
    const before = await readFiles();
    const diagnosis = await diagnose({}, { isQuick: false, onProgress });
    expect(await readFiles()).toEqual(before);
    expect(before[0]).toEqual(['acknowledged-position', 'lock.db', 'pg']);
    expect(diagnosis).toEqual({
      status: 'ok',
      checks: {
        settings: { ok: true },
        folder: { ok: true, detail: dataDir },
        secrets: { ok: true },
        disk: { ok: true, detail: expect.stringMatching(/GB free, \d+ MB used/) },
        blobs: { ok: true },
        database: { ok: true },
        versions: {
          ok: true,
          detail: expect.stringMatching(/^Node .*, PostgreSQL 1.*, schema version \d+$/),
        },
        pages: { ok: true, detail: expect.stringMatching(/^\d{3,} pages read$/) },
        integrity: { ok: true },
        jobs: { ok: true },
        queues: { ok: true },
        backups: { ok: true, detail: 'No backups are scheduled.' },
      },
      data_dir: dataDir,
      findings: [],
    });
    expect(progress.at(-1)).toBeGreaterThan(1);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  });

  it('names values that are ignored, and queues that are paused', async () => {
    const ignored = await diagnose({ OTEL_TRACES_SAMPLER: 'sometimes' });
    expect(ignored.findings).toMatchObject([
      {
        kind: 'invalid_setting',
        severity: 'warning',
        message: expect.stringMatching(/^OTEL_TRACES_SAMPLER .*: parentbased_always_on is used/),
      },
    ]);
    const since = new Date('2026-11-29T03:00:00Z');
    await withEngine(({ db }) => pauseQueue(db, 'default', since));
    const { status, checks } = await diagnose();
    expect(status).toBe('ok');
    expect(checks.queues?.detail).toMatch(
      /^The queue default .* 2026-11-29T03:00:00.000Z: erasures/,
    );
  });

  it('names settings that are wrong, and those that there are not', async () => {
    const env = { MNEME_PORT: 'many', MNEME_ADMIN_KEYS: 'x' };
    const wrong = await diagnose(env);
    expect(wrong).toMatchObject({ status: 'unavailable', checks: { settings: { ok: false } } });
    expect(wrong.findings).toMatchObject([
      { kind: 'invalid_setting', severity: 'error', message: expect.stringContaining('"many"') },
      { kind: 'unknown_setting', severity: 'warning', message: expect.stringMatching(/Did you/) },
    ]);
    expect(kindsOf(await diagnose({ MNEME_ADMIN_KEYS: 'x' }))).toEqual(['unknown_setting']);
  });

  it.each([
    [
      'there is none',
      () => fs.rm(dataDir, { recursive: true }),
      'unusable_folder',
      /data folder .* does not exist/,
    ],
    [
      'it is a file',
      async () => {
        await fs.rm(dataDir, { recursive: true });
        await fs.writeFile(dataDir, '');
      },
      'unusable_folder',
      /is not a folder/,
    ],
    [
      'it has no database',
      () => fs.rm(path.join(dataDir, 'pg'), { recursive: true }),
      'unusable_folder',
      /contains no database/,
    ],
    [
      'it is of a server database',
      async () => {
        const owner = { engine: 'server', database_id: 'a' };
        await fs.writeFile(path.join(dataDir, 'database.json'), JSON.stringify(owner));
      },
      'foreign_folder',
      /belongs to a server database/,
    ],
    [
      'it is of another database',
      async () => {
        const owner = { engine: 'embedded', database_id: 'a' };
        await fs.writeFile(path.join(dataDir, 'database.json'), JSON.stringify(owner));
      },
      'foreign_folder',
      /belongs to another database/,
    ],
    [
      'a file is missing',
      () => fs.rm(path.join(dataDir, 'pg/global/pg_control')),
      'missing_file',
      /global\/pg_control is missing/,
    ],
    [
      'the control file is damaged',
      async () => flipBit(dataDir, 'global/pg_control', 48),
      'unusable_database',
      /does not open \(.*checksum/,
    ],
  ] as const)('says of a data folder that %s', async (_, change, kind, message) => {
    await change();
    const { status, findings } = await diagnose();
    expect(status).toBe('unavailable');
    expect(findings).toMatchObject([{ kind, severity: 'error' }]);
    expect(findings[0]?.message).toMatch(message);
    expect(findings[0]?.action).toMatch(/^[A-Z].*\.$/);
    await fs.rm(dataDir, { recursive: true, force: true });
  });

  it('names what a process that was ended has left half made', async () => {
    await fs.mkdir(path.join(dataDir, 'pg.new'));
    const { status, findings } = await diagnose();
    expect(status).toBe('degraded');
    expect(findings).toMatchObject([
      { kind: 'unfinished_files', message: expect.stringContaining('pg.new') },
    ]);
  });

  it('names damaged pages, until they are acknowledged', async () => {
    const file = await withEngine(async ({ db }) => {
      await sql`create table filled as select n, repeat('x', 100) as text
        from generate_series(1, 1000) as n`.execute(db);
      await sql`checkpoint`.execute(db);
      const query = sql<{ file: string }>`select pg_relation_filepath('filled') as file`;
      return (await query.execute(db)).rows[0]?.file ?? '';
    });
    flipBit(dataDir, file, 3 * 8_192 + 5_000);
    const found = await diagnose({}, { isQuick: false });
    expect(found).toMatchObject({
      status: 'degraded',
      checks: {
        pages: { detail: expect.stringMatching(/, 1 damaged$/) },
        integrity: { ok: false },
      },
    });
    expect(found.findings).toMatchObject([
      {
        id: expect.any(String),
        kind: 'damaged_page',
        severity: 'error',
        message: expect.stringMatching(/page 3 of filled cannot be read/),
      },
    ]);
    // As the service finds it, so the quick check knows it from then on.
    expect(kindsOf(await diagnose())).toEqual(['damaged_page']);
    const { status, findings } = await diagnose({}, { acknowledge: true });
    expect([status, findings[0]?.acknowledged_at]).toEqual(['ok', expect.any(String)]);
  });

  it('does not look into a database that a server uses', async () => {
    const diagnosis = await withEngine(() => diagnose());
    expect(diagnosis).toMatchObject({ status: 'unavailable', checks: { database: { ok: false } } });
    expect(kindsOf(diagnosis)).toEqual(['database_in_use']);
  });

  it('names a disk that is full, and does not open the database', async () => {
    const { checks, findings } = await diagnose({ MNEME_DISK_FREE_MIN_MB: '1000000' });
    expect(checks.database).toEqual({ ok: false, detail: 'not opened: the disk is full' });
    expect(findings).toMatchObject([{ kind: 'disk_full', severity: 'error' }]);
  });

  it('names a schema that is newer, and one that the next start upgrades', async () => {
    await withEngine(olderVersion);
    const older = await diagnose();
    expect(older.findings).toEqual([]);
    expect(older.checks.versions?.detail).toMatch(
      /schema version \d+ \(the next start upgrades it to \d+\)$/,
    );
    await withEngine(newerVersion);
    const { status, findings } = await diagnose();
    expect(status).toBe('unavailable');
    expect(findings).toMatchObject([
      {
        kind: 'newer_schema',
        message: expect.stringMatching(/schema version 9999 \(next\), but this version of Mneme/),
        action: expect.stringMatching(/^Start the version of Mneme that upgraded the database/),
      },
    ]);
  });

  it('names a migration that was changed, and jobs that nobody runs', async () => {
    await withEngine(async (engine) => {
      await queueJobs(engine);
      await sql`update schema_migrations set checksum = checksum || 'x'`.execute(engine.db);
    });
    expect(kindsOf(await diagnose())).toEqual(['changed_migration']);
    await withEngine(({ db }) =>
      sql`update schema_migrations set checksum = rtrim(checksum, 'x')`.execute(db),
    );
    expect((await diagnose()).findings).toMatchObject(stuckJobs);
  });

  it('names a folder of files, or a bucket, that is out of reach', async () => {
    await fs.writeFile(path.join(dataDir, 'blobs'), '');
    expect(kindsOf(await diagnose())).toEqual(['unreachable_blobs']);
    const { findings } = await diagnose({
      MNEME_S3_BUCKET: 'files',
      MNEME_S3_ENDPOINT: 'http://127.0.0.1:1',
      MNEME_S3_ACCESS_KEY_ID: 'id',
      MNEME_S3_SECRET_ACCESS_KEY: 'secret',
    });
    expect(findings).toMatchObject([
      { kind: 'unreachable_blobs', action: expect.stringContaining('MNEME_S3_BUCKET') },
    ]);
  });

  it('names the last backup, and the reason of one that failed', async () => {
    const note = (name: string, value: object) =>
      withEngine(({ db }) => setInstanceSetting(db, name, JSON.stringify(value)));
    const schedule = { MNEME_BACKUP_SCHEDULE: '0 * * * *' };
    expect((await diagnose(schedule)).checks.backups).toEqual({
      ok: true,
      detail: 'No backup has been created yet.',
    });
    const made = { location: '/backups/one', bytes: 1, seconds: 1 };
    await note('backup_last', { at: new Date().toISOString(), ...made });
    const last = await diagnose(schedule);
    expect(last.checks.backups).toEqual({
      ok: true,
      detail: expect.stringMatching(/^The last backup is of .*Z: \/backups\/one\.$/),
    });
    await note('backup_last', { at: '2026-01-01T00:00:00.000Z', ...made });
    expect(kindsOf(await diagnose(schedule))).toEqual(['backup_missing']);
    await note('backup_failure', { at: '2026-01-01T01:00:00.000Z', step: 'write', reason: 'full' });
    expect((await diagnose(schedule)).findings).toMatchObject([
      { kind: 'backup_failed', message: expect.stringMatching(/01:00:00\.000Z failed: full\. /) },
    ]);
    expect(await diagnose()).toMatchObject({ status: 'ok', checks: { backups: { ok: true } } });
  });

  it('names the newest backup also where the database cannot be opened', async () => {
    flipBit(dataDir, 'global/pg_control', 48);
    const folder = path.join(dataDir, 'backups');
    const schedule = { MNEME_BACKUP_SCHEDULE: '0 * * * *' };
    const detailOf = async (env: Record<string, string>) =>
      (await diagnose(env)).checks.backups?.detail;
    expect(await detailOf({})).toBe('No backups are scheduled.');
    expect(await detailOf(schedule)).toBe(`No backups found in ${folder}.`);
    await fs.mkdir(folder);
    const newest = 'mneme-00000000-2026-03-02T00-00-00Z.backup';
    for (const name of [newest, 'mneme-ffffffff-2026-03-01T00-00-00Z.backup', 'mneme-x.backup']) {
      await fs.writeFile(path.join(folder, name), '');
    }
    expect(await detailOf(schedule)).toBe(`The newest backup is ${path.join(folder, newest)}.`);
  });
});

describe.runIf(isAvailable('postgresql'))('the doctor of a server database', () => {
  let dataDir: string;
  let url: string;
  let drop: () => Promise<void>;
  beforeEach(async () => {
    dataDir = await makeTestFolder();
    const server = process.env.MNEME_TEST_DATABASE_URL ?? '';
    ({ url, drop } = await makeTestDatabase(server, { migrations }));
  });
  afterEach(async () => {
    await drop();
    await fs.rm(dataDir, { recursive: true });
  });

  const diagnose = (env: Record<string, string> = {}) =>
    diagnoseLocally(
      { MNEME_DATA_DIR: dataDir, MNEME_DATABASE_URL: url, ...env },
      { ...plain, isQuick: false },
    );
  async function withEngine<T>(use: (engine: Engine) => Promise<T>): Promise<T> {
    await using engine = await openEngine({ kind: 'server', url, poolMax: 2 }, { log: silentLog });
    return await use(engine);
  }

  it('finds nothing where all is well, also beside processes that use it', async () => {
    const diagnosis = await withEngine(() => diagnose());
    expect(diagnosis).toMatchObject({ status: 'ok', findings: [] });
    expect(Object.keys(diagnosis.checks)).toContain('pages');
  });

  it('says that it cannot be reached', async () => {
    const { status, findings } = await diagnose({
      MNEME_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    });
    expect(status).toBe('unavailable');
    expect(findings).toMatchObject([
      {
        kind: 'unusable_database',
        message: expect.stringMatching(/^PostgreSQL at 127\.0\.0\.1:1 cannot be used/),
        action: expect.stringMatching(/MNEME_DATABASE_URL/),
      },
    ]);
  });

  it('refuses the folder of another database, and writes nothing to it', async () => {
    const owner = JSON.stringify({ engine: 'server', database_id: 'another' });
    await fs.writeFile(path.join(dataDir, 'database.json'), owner);
    expect(kindsOf(await diagnose())).toEqual(['foreign_folder']);
    expect(await fs.readdir(dataDir)).toEqual(['database.json']);
  });

  it('names a newer schema, and jobs that nobody runs', async () => {
    await withEngine(queueJobs);
    expect((await diagnose()).findings).toMatchObject(stuckJobs);
    await withEngine(newerVersion);
    expect(kindsOf(await diagnose())).toEqual(['newer_schema']);
  });
});

it('the doctor names acknowledged writes that are missing from the write-ahead log', async () => {
  const { dataDir, remove } = await makeTestDataDir({ onDisk: true });
  const diagnose = () => diagnoseLocally({ MNEME_DATA_DIR: dataDir }, plain);
  await writeAndKill(dataDir, 60);
  const copy = `${dataDir}.copy`;
  await fs.cp(dataDir, copy, { recursive: true });
  expect((await diagnose()).findings).toEqual([]);
  await fs.rm(dataDir, { recursive: true });
  await fs.rename(copy, dataDir);
  flipBit(dataDir, newestWalSegment(dataDir), acknowledgedWalOffset(dataDir) - 9);
  for (const _ of ['found', 'kept']) {
    expect((await diagnose()).findings).toMatchObject([
      {
        kind: 'missing_tail',
        severity: 'error',
        message: expect.stringMatching(/^Acknowledged writes are missing/),
        action: expect.stringMatching(/restore a backup/),
      },
    ]);
  }
  await remove();
});
