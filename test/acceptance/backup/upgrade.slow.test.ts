import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  listAppliedMigrations,
  migrate,
  openEngine,
  readMigrations,
} from '../../../packages/server/src/database/index.ts';
import { makeTestDataDir, silentLog } from '../../../packages/server/src/database/testing.ts';
import { readDeliveriesPausedAt } from '../../../packages/server/src/events/delivery-pause.ts';
import { migrationsFolder } from '../../../packages/server/src/instance/open-database.ts';
import { verifyArchive } from '../../../packages/server/src/providers/archive/index.ts';
import {
  copyDataLocation,
  createDataLocation,
  type DataLocation,
  launchServer,
  startServerProcess,
} from '../../support/server-process.ts';
import { engines } from '../../support/service.ts';
import { createMemory } from '../memories/memory-requests.ts';
import { runRestore } from './backup-commands.ts';

const newest = (await readMigrations(migrationsFolder)).length;

const open = ({ dataDir, databaseUrl }: DataLocation) =>
  openEngine(
    databaseUrl === null
      ? { kind: 'embedded', dataDir }
      : { kind: 'server', url: databaseUrl, poolMax: 1 },
    { log: silentLog },
  );

async function versionOf(place: DataLocation): Promise<number> {
  await using engine = await open(place);
  return (await listAppliedMigrations(engine)).length;
}

/** A database without tables; that of the embedded engine is a copy, since initdb takes seconds. */
async function createEmptyDatabase(kind: (typeof engines)[number]): Promise<DataLocation> {
  if (kind === 'PostgreSQL') return createDataLocation(kind, { migrated: false });
  return { databaseUrl: null, ...(await makeTestDataDir({ onDisk: true })) };
}

async function createDatabaseOf(
  kind: (typeof engines)[number],
  version: number,
): Promise<DataLocation> {
  const place = await createEmptyDatabase(kind);
  await using engine = await open(place);
  await migrate(engine, migrationsFolder, { log: silentLog, upTo: version });
  return place;
}

describe.each(engines)('a database of an earlier version on %s', (kind) => {
  let last: DataLocation;
  let place: DataLocation;
  let backups: string;
  beforeAll(async () => {
    last = await createDatabaseOf(kind, newest - 1);
  });
  afterAll(() => last.remove());
  afterEach(() => place.remove());
  const prepare = async (version: number): Promise<void> => {
    place = await (version === newest - 1
      ? copyDataLocation(last)
      : createDatabaseOf(kind, version));
    backups = path.join(place.dataDir, 'backups');
  };

  /** Starts this version on an earlier one; returns its backup. */
  async function upgrade(from: number): Promise<string> {
    await prepare(from);
    await using server = await startServerProcess(place, { env: { MNEME_LOG_LEVEL: 'info' } });
    await createMemory(server.client(), 'Stored after the upgrade.');
    await server.kill('SIGTERM');
    const [name = '', ...others] = await readdir(backups);
    expect(others).toEqual([]);
    expect(name).toMatch(new RegExp(`^before-upgrade-${from}-to-${newest}-[\\dT-]+Z\\.backup$`));
    const file = path.join(backups, name);
    expect(server.output()).toContain(file);
    expect((await verifyArchive(file)).manifest.database.schema_version).toBe(from);
    return file;
  }

  it('is backed up before an upgrade from the first one, and can be restored', async () => {
    const file = await upgrade(1);
    const target = await createDataLocation(kind, { migrated: false });
    try {
      const { code, output } = await runRestore(target, file, {
        MNEME_SECRET_KEY: 'k'.repeat(32),
      });
      expect({ code, output }).toMatchObject({ code: 0 });
      expect(await versionOf(target)).toBe(newest);
      await using engine = await open(target);
      expect(await readDeliveriesPausedAt(engine.db)).not.toBeNull();
    } finally {
      await target.remove();
    }
  }, 120_000);

  it('is backed up before an upgrade from the last one, and not again', async () => {
    const file = await upgrade(newest - 1);
    await using again = await startServerProcess(place);
    await again.kill('SIGTERM');
    expect(await readdir(backups)).toEqual([path.basename(file)]);
  }, 120_000);

  it('is upgraded without one where the setting says so', async () => {
    await prepare(newest - 1);
    await using server = await startServerProcess(place, {
      env: { MNEME_BACKUP_BEFORE_UPGRADE: 'off' },
    });
    await server.kill('SIGTERM');
    expect(await readdir(place.dataDir)).not.toContain('backups');
    expect(await versionOf(place)).toBe(newest);
  });

  it('is not upgraded where the backup fails', async () => {
    await prepare(newest - 1);
    await writeFile(backups, 'a file');
    await using server = launchServer(place, {});
    expect((await server.ended).code).toBe(1);
    expect(server.output()).toMatch(
      /The backup before the database upgrade failed \(.*\): free disk space, choose/,
    );
    expect(await versionOf(place)).toBe(newest - 1);
  });
});
