import fs from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openEngine } from '../database/index.ts';
import { makeTestDataDir, makeTestFolder, silentLog } from '../database/testing.ts';
import {
  hubRevision,
  startFakeHub,
  tinyFiles,
} from '../providers/embedding/models/install/testing.ts';
import { runCommand as run } from './testing.ts';
import { isUserFacingError } from './user-facing-errors.ts';

const migrations = fileURLToPath(new URL('../../migrations', import.meta.url));

describe("the server's program", () => {
  it('rejects unknown commands and options', async () => {
    await expect(run(['doctr'])).rejects.toThrow("unknown command 'doctr'");
    await expect(run(['doctor', '--jsn'])).rejects.toThrow("unknown option '--jsn'");
    await expect(run(['--version'])).rejects.toMatchObject({ exitCode: 0, message: '1.2.3' });
  });

  it('prints the findings of the doctor as text and as JSON, with an exit code', async () => {
    const folder = await makeTestFolder();
    const env = { MNEME_DATA_DIR: path.join(folder, 'none') };
    const shown = await run(['doctor'], env);
    expect(shown.code).toBe(1);
    expect(shown.printed).toMatch(/^status {4}unavailable\nsettings {2}ok\nfolder {4}failing\n/);
    expect(shown.printed).toMatch(
      /\n\nerror: unusable_folder\n {2}The data folder .* not exist\.\n {2}What to do: Set MNEME_/,
    );
    const { printed } = await run(['doctor', '--json'], env);
    expect(JSON.parse(printed)).toMatchObject({ findings: [{ kind: 'unusable_folder' }] });
    await fs.rm(folder, { recursive: true });
  });

  it('installs a model from a folder, and says why another one is not installed', async () => {
    const folder = await makeTestFolder();
    const env = { MNEME_DATA_DIR: path.join(folder, 'data') };
    const source = path.join(folder, 'source');
    for (const [name, bytes] of Object.entries(tinyFiles())) {
      await fs.mkdir(path.dirname(path.join(source, name)), { recursive: true });
      await fs.writeFile(path.join(source, name), bytes);
    }
    const { printed } = await run(['models', 'install', 'tiny', '--from', source], env);
    expect(printed).toMatch(/^Installed tiny \(q8, 0.3 MB\) from source\.\n/);
    expect(printed).toContain('mneme models use tiny');
    const again = ['models', 'install', 'other', '--from', source, '--json'];
    expect(JSON.parse((await run(again, env)).printed)).toMatchObject({ name: 'other' });
    const error = await run(['models', 'install', 'nonsense'], env).catch((thrown) => thrown);
    expect(String(error)).toContain('Unknown model: nonsense');
    expect(isUserFacingError(error)).toBe(true);
    await fs.rm(folder, { recursive: true });
  });

  it('downloads a model from the hub of the settings', async () => {
    const folder = await makeTestFolder();
    await using hub = await startFakeHub(tinyFiles());
    const env = { MNEME_DATA_DIR: folder, MNEME_MODEL_HUB: `${hub.deps.hub}/` };
    const { printed } = await run(['models', 'install', 'own/tiny'], env);
    expect(printed).toContain(`from own/tiny at ${hubRevision}.`);
    await fs.rm(folder, { recursive: true });
  });

  it('does not reset the admin key of a database that a newer version has migrated', async () => {
    const { dataDir, remove } = await makeTestDataDir({ migrations });
    const engine = await openEngine({ kind: 'embedded', dataDir }, { log: silentLog });
    await sql`insert into schema_migrations (version, name, checksum)
      values (9999, 'next', 'x')`.execute(engine.db);
    await engine[Symbol.asyncDispose]();
    const error = await run(['reset-admin'], { MNEME_DATA_DIR: dataDir }).catch((thrown) => thrown);
    expect(String(error)).toMatch(/^DatabaseTooNew: .*start the version of Mneme/);
    expect(isUserFacingError(error)).toBe(true);
    await remove();
  });

  it('does not reset the admin key of a database that is not upgraded yet', async () => {
    const { dataDir, remove } = await makeTestDataDir({ migrations });
    const engine = await openEngine({ kind: 'embedded', dataDir }, { log: silentLog });
    await sql`delete from schema_migrations
      where version = (select max(version) from schema_migrations)`.execute(engine.db);
    await engine[Symbol.asyncDispose]();
    const error = await run(['reset-admin'], { MNEME_DATA_DIR: dataDir }).catch((thrown) => thrown);
    expect(String(error)).toMatch(/requires \d+: start the server once, which upgrades/);
    expect(isUserFacingError(error)).toBe(true);
    await remove();
  });
});
