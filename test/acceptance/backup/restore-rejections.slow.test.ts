import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../../packages/server/src/commands/testing.ts';
import { isUserFacingError } from '../../../packages/server/src/commands/user-facing-errors.ts';
import {
  generateArchive,
  type Manifest,
  verifyArchive,
} from '../../../packages/server/src/providers/archive/index.ts';
import {
  buildForeignArchive,
  concatChunks,
} from '../../../packages/server/src/providers/archive/testing.ts';
import { runCount, testSeed } from '../../support/run-count.ts';
import { createDataLocation, startServerProcess } from '../../support/server-process.ts';
import { runCli } from '../cli/run-cli.ts';
import { createSeededRandom } from '../durability/seeded-random.ts';
import { createMemory } from '../memories/memory-requests.ts';
import { downloadBackup, passphrase } from './backup-commands.ts';

let folder: string;
let archive: Buffer;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-refusals-'));
  const place = await createDataLocation('embedded');
  try {
    await using server = await startServerProcess(place, {
      env: { MNEME_BACKUP_PASSPHRASE: passphrase },
    });
    await createMemory(server.client(), 'Ana drinks green tea.');
    await downloadBackup(server.client(), path.join(folder, 'good'));
  } finally {
    await place.remove();
  }
  archive = await readFile(path.join(folder, 'good'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A command of the server's program, in this process: what a start takes adds up. */
async function run(parameters: readonly string[], env: Record<string, string>) {
  try {
    const { code, printed } = await runCommand(parameters, env);
    return { code, stdout: printed, stderr: '' };
  } catch (error) {
    if (!isUserFacingError(error)) throw error;
    return { code: 1, stdout: '', stderr: `mneme: ${error.message}` };
  }
}

/** Into a folder with these files; says what is in it afterwards. */
async function restore(
  bytes: Uint8Array,
  settings: Readonly<Record<string, string>> = { MNEME_BACKUP_PASSPHRASE: passphrase },
  present: readonly string[] = [],
) {
  const own = await mkdtemp(path.join(folder, 'case-'));
  const [file, dataDir] = [path.join(own, 'file'), path.join(own, 'data')];
  await writeFile(file, bytes);
  await mkdir(dataDir);
  for (const name of present) await writeFile(path.join(dataDir, name), 'present');
  const env = { MNEME_DATA_DIR: dataDir, ...settings };
  const { code, stderr } = await run(['restore', file], env);
  return { code, stderr, files: await readdir(dataDir) };
}

/** Checks an archive without a server, and without settings but these. */
async function verify(bytes: Uint8Array, settings: Readonly<Record<string, string>> = {}) {
  const file = path.join(await mkdtemp(path.join(folder, 'case-')), 'file');
  await writeFile(file, bytes);
  return { file, ...(await run(['verify-backup', file, '--json'], { ...settings })) };
}

/** A whole archive that says something else of itself. */
async function archiveWith(database: Partial<Manifest['database']>): Promise<Buffer> {
  const { manifest } = await verifyArchive(path.join(folder, 'good'));
  const changed = { ...manifest, database: { ...manifest.database, ...database } };
  const entries = (async function* () {})();
  return concatChunks(generateArchive({ manifest: changed, secretKey: null, entries }));
}

const newerFormat = (): Promise<Buffer> =>
  buildForeignArchive([
    {
      header: { name: 'manifest.json' },
      content: '{"format":"mneme-backup","format_version":2,"program_version":"9.1.0"}',
    },
  ]);

const newerSchema = (): Promise<Buffer> =>
  archiveWith({ migrations: new Array(999).fill({ name: 'x', checksum: 'y' }) });

function flipByte(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ 0xff;
  return changed;
}

/** The end of a zip file without files. */
const emptyZip = Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(18)]);

describe('mneme backup verify', () => {
  it('reports what a whole archive has, and that this version can restore it', async () => {
    const { manifest } = await verifyArchive(path.join(folder, 'good'));
    const file = path.join(await mkdtemp(path.join(folder, 'case-')), 'file');
    await writeFile(file, archive);
    const { code, stdout } = await runCli(['backup', 'verify', file, '--json'], {});
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      created_at: manifest.created_at,
      program_version: manifest.program_version,
      schema_version: manifest.database.migrations.length,
      postgres_version: manifest.database.postgres_version,
      database_bytes: expect.any(Number),
      files: 0,
      file_bytes: 0,
      has_secret_key: true,
      secret_key_opened: null,
    });
    expect(await readdir(path.dirname(file))).toEqual(['file']);
    const text = await runCli(['backup', 'verify', file], { MNEME_BACKUP_PASSPHRASE: passphrase });
    expect(text.stdout).toContain(`The backup of ${manifest.created_at} (Mneme `);
    expect(text.stdout).toContain('MNEME_BACKUP_PASSPHRASE decrypts its secret key.');
  });

  it('checks that the passphrase opens the secret key', async () => {
    const right = await verify(archive, { MNEME_BACKUP_PASSPHRASE: passphrase });
    expect(JSON.parse(right.stdout)).toMatchObject({ secret_key_opened: true });
    const wrong = await verify(archive, { MNEME_BACKUP_PASSPHRASE: 'another passphrase' });
    expect(wrong).toMatchObject({ code: 1, stdout: '' });
    expect(wrong.stderr).toContain('The passphrase does not decrypt the secret key');
  });

  it.each([
    ['a changed byte', async () => flipByte(archive, archive.length >> 1), /is damaged|incomplete/],
    ['a missing end', async () => archive.subarray(0, -1), /The backup is incomplete/],
    ['a newer schema', newerSchema, /with a newer schema .*install that version or a later one/],
    ['another format version', () => newerFormat(), /install Mneme 9\.1\.0 or later/],
    ['another file', async () => emptyZip, /not a backup of Mneme/],
  ])('fails for %s with the reason', async (_, make, reason) => {
    const { code, stdout, stderr } = await verify(await make());
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(reason);
  });

  it('says that a file does not exist', async () => {
    const { code, stderr } = await runCli(['backup', 'verify', path.join(folder, 'none')], {});
    expect(code).toBe(1);
    expect(stderr).toMatch(/^mneme: .*none.* does not exist/m);
  });
});

describe('mneme restore', () => {
  it('ends with 1 and the reason, and writes nothing', async () => {
    const own = await mkdtemp(path.join(folder, 'case-'));
    const [file, dataDir] = [path.join(own, 'file'), path.join(own, 'data')];
    await writeFile(file, archive.subarray(0, -1));
    await mkdir(dataDir);
    const { code, stderr } = await runCli(['restore', file], { MNEME_DATA_DIR: dataDir });
    expect({ code, files: await readdir(dataDir) }).toEqual({ code: 1, files: [] });
    expect(stderr).toMatch(/^mneme: .*The backup is incomplete/m);
  });

  it('refuses an archive of which any one bit was changed, and writes nothing', async () => {
    const chance = createSeededRandom(testSeed);
    for (let i = 0; i < runCount(6, 60); i += 1) {
      const damaged = Buffer.from(archive);
      const at = chance.integer(0, damaged.length - 1);
      damaged[at] = (damaged[at] ?? 0) ^ (1 << chance.integer(0, 7));
      const { code, stderr, files } = await restore(damaged);
      expect({ at, code, files }).toEqual({ at, code: 1, files: [] });
      expect(stderr).toMatch(/^mneme: .*(?:is damaged|is incomplete|not a backup of Mneme)/m);
    }
  }, 300_000);

  it('refuses an archive that was cut anywhere, and writes nothing', async () => {
    const chance = createSeededRandom(testSeed + 1);
    const lengths = Array.from({ length: runCount(4, 40) }, () =>
      chance.integer(20, archive.length),
    );
    for (const length of [...lengths, archive.length - 1]) {
      const { code, stderr, files } = await restore(archive.subarray(0, length));
      expect({ length, code, files }).toEqual({ length, code: 1, files: [] });
      expect(stderr).toMatch(/^mneme: .*The backup is incomplete/m);
    }
  }, 300_000);

  it.each([
    ['an empty file', async () => Buffer.alloc(0), 'file is empty.'],
    ['a zip', async () => emptyZip, 'file is not a gzip file.'],
    ['a plain tar', async () => gunzipSync(archive), 'file is not a gzip file.'],
    ['another format version', newerFormat, 'has format version 2, but this version of Mneme'],
    ['a newer schema', newerSchema, 'created the backup with a newer schema'],
    [
      'changed migrations',
      () => archiveWith({ migrations: [{ name: '0001_foundation.sql', checksum: 'y' }] }),
      'The migration 0001_foundation.sql of the backup differs from that of this program',
    ],
  ])('refuses %s with the reason, and writes nothing', async (_, make, reason) => {
    const { code, stderr, files } = await restore(await make());
    expect({ code, files }).toEqual({ code: 1, files: [] });
    expect(stderr).toContain(reason);
  });

  it('refuses a wrong passphrase and a missing one, and writes nothing', async () => {
    const wrong = await restore(archive, { MNEME_BACKUP_PASSPHRASE: 'another passphrase' });
    expect(wrong).toMatchObject({ code: 1, files: [] });
    expect(wrong.stderr).toContain(
      'The passphrase does not decrypt the secret key of this backup.',
    );
    const missing = await restore(archive, {});
    expect(missing).toMatchObject({ code: 1, files: [] });
    expect(missing.stderr).toContain('set MNEME_BACKUP_PASSPHRASE, or MNEME_SECRET_KEY');
  });

  it('refuses a folder that is not empty, and leaves it as it was', async () => {
    const { code, stderr, files } = await restore(archive, undefined, ['notes.txt']);
    expect({ code, files }).toEqual({ code: 1, files: ['notes.txt'] });
    expect(stderr).toContain('is not empty (it has notes.txt)');
  });
});
