import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEmbedded } from './embedded/embedded.ts';
import { listAppliedMigrations, readMigrations } from './migrate.ts';
import {
  ensureDatabaseTemplate,
  findDatabaseTemplate,
  removeOtherDatabaseTemplates,
} from './template.ts';
import { makeTestFolder, silentLog } from './testing.ts';

const migrations = fileURLToPath(new URL('../../migrations', import.meta.url));

describe('the template of the embedded database', () => {
  let folder = '';
  let template = '';
  beforeAll(async () => {
    folder = await makeTestFolder();
    const ensure = () => ensureDatabaseTemplate(folder, migrations, silentLog);
    const [first, second] = await Promise.all([ensure(), ensure()]);
    expect(second).toBe(first);
    template = first;
  });
  afterAll(() => fs.rm(folder, { recursive: true, force: true }));

  const openCopy = (dataDir: string) =>
    openEmbedded({ kind: 'embedded', dataDir, template }, { log: silentLog });

  it('is created once, also by two processes at the same time', async () => {
    expect(await fs.readdir(folder)).toEqual([path.basename(path.dirname(template))]);
    expect(await findDatabaseTemplate(folder, migrations)).toBe(template);
  });

  it('becomes a migrated database of a new data folder, and is not changed by it', async () => {
    const dataDir = await makeTestFolder();
    {
      await using engine = await openCopy(dataDir);
      const applied = await listAppliedMigrations(engine);
      expect(applied.map(({ name }) => name)).toEqual(
        (await readMigrations(migrations)).map(({ name }) => name),
      );
      await sql`create table mine (x int)`.execute(engine.db);
      expect((await fs.stat(path.join(dataDir, 'pg'))).mode & 0o777).toBe(0o700);
    }
    {
      // It is the own database of the folder from then on.
      await using engine = await openCopy(dataDir);
      expect((await sql`select * from mine`.execute(engine.db)).rows).toEqual([]);
    }
    const other = await makeTestFolder();
    {
      await using engine = await openCopy(other);
      await expect(sql`select * from mine`.execute(engine.db)).rejects.toThrow('mine');
    }
    for (const used of [dataDir, other]) await fs.rm(used, { recursive: true });
  });

  it('replaces what a killed start has left', async () => {
    const dataDir = await makeTestFolder();
    await fs.mkdir(path.join(dataDir, 'pg.new/base'), { recursive: true });
    await fs.writeFile(path.join(dataDir, 'pg.new/base/half'), 'x');
    {
      await using engine = await openCopy(dataDir);
      expect(await listAppliedMigrations(engine)).not.toEqual([]);
    }
    expect(existsSync(path.join(dataDir, 'pg.new'))).toBe(false);
    expect(existsSync(path.join(dataDir, 'pg/base/half'))).toBe(false);
    await fs.rm(dataDir, { recursive: true });
  });

  it('is not used for other migrations or if files are missing', async () => {
    const others = await makeTestFolder();
    await fs.copyFile(
      path.join(migrations, '0001_foundation.sql'),
      path.join(others, '0001_foundation.sql'),
    );
    expect(await findDatabaseTemplate(folder, others)).toBe(null);
    await removeOtherDatabaseTemplates(folder, migrations);
    expect(await findDatabaseTemplate(folder, migrations)).toBe(template);
    await fs.rm(path.join(template, 'global/pg_control'));
    expect(await findDatabaseTemplate(folder, migrations)).toBe(null);
    const [now, before] = ['unfinished-now', 'unfinished-before'];
    for (const name of [now, before]) await fs.mkdir(path.join(folder, name));
    await fs.utimes(path.join(folder, before), 0, 0);
    await removeOtherDatabaseTemplates(folder, others);
    expect(await fs.readdir(folder)).toEqual([now]);
    await fs.rm(others, { recursive: true });
  });
});
