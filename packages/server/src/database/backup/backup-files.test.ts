import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DatabaseBackupInvalid } from '../errors.ts';
import { makeTestFolder } from '../testing.ts';
import { listDataFiles } from './data-files.ts';
import { type BackupEntry, toAsyncIterable } from './database-backup.ts';
import { readFileEntry } from './file-entry.ts';
import { restoreFiles } from './restore-files.ts';

let folder: string;
beforeEach(async () => {
  folder = await makeTestFolder();
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

function write(name: string, content: string | Uint8Array = ''): void {
  const target = path.join(folder, name);
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.writeFileSync(target, content);
}

describe('the files of a backup', () => {
  it('are those that pg_basebackup copies, with every folder', async () => {
    const copied = [
      'PG_VERSION',
      'base/5/1259',
      'base/5/1259.1',
      'base/5/1259_vm',
      'base/5/16400_init',
      'global/1262',
      'pg_xact/0000',
      'pg_multixact/members/0000',
    ];
    const leftOut = [
      'backup_label.old',
      'postmaster.pid',
      'base/5/16400',
      'base/5/16400.1',
      'base/5/16400_fsm',
      'base/5/pg_internal.init',
      'base/5/t3_16500',
      'base/pgsql_tmp/pgsql_tmp17.0',
      'global/pg_control',
      'pg_replslot/mneme_backup/state',
      'pg_stat_tmp/global.stat',
      'pg_subtrans/0000',
      'pg_wal/000000010000000000000001',
    ];
    for (const name of [...copied, ...leftOut]) write(name);
    for (const empty of ['pg_notify', 'pg_wal/archive_status', 'pg_tblspc']) {
      fs.mkdirSync(path.join(folder, empty), { recursive: true });
    }
    const listed: string[] = [];
    for await (const name of listDataFiles(folder)) listed.push(name);
    const isFolder = (name: string): boolean => name.endsWith('/');
    expect(listed.filter((name) => !isFolder(name)).sort()).toEqual(copied.sort());
    expect(listed.filter(isFolder).sort()).toEqual(
      [
        ...['base/', 'base/5/', 'global/', 'pg_multixact/', 'pg_multixact/members/', 'pg_notify/'],
        ...['pg_replslot/', 'pg_stat_tmp/', 'pg_subtrans/', 'pg_tblspc/', 'pg_wal/'],
        ...['pg_wal/archive_status/', 'pg_xact/'],
      ].sort(),
    );
  });

  const readEntries = (name: string) => readFileEntry(folder, name, () => undefined);

  it.each([
    ['grows', (file: string) => fs.appendFileSync(file, 'more'), 'x'.repeat(300_000)],
    [
      'shrinks',
      (file: string) => fs.truncateSync(file, 270_000),
      `${'x'.repeat(270_000)}${'\0'.repeat(30_000)}`,
    ],
    ['goes', (file: string) => fs.rmSync(file), 'x'.repeat(300_000)],
  ])('keep their initial size if a file %s during the backup', async (_, act, expected) => {
    write('file', 'x'.repeat(300_000));
    for await (const { size, content } of readEntries('file')) {
      expect(size).toBe(300_000);
      act(path.join(folder, 'file'));
      const chunks: Uint8Array[] = [];
      for await (const chunk of content) chunks.push(chunk);
      expect(Buffer.concat(chunks).toString() === expected).toBe(true);
    }
  });

  it('omit a file that was deleted before it was opened', async () => {
    for await (const { name } of readEntries('gone')) expect.unreachable(name);
  });
});

const entry = (name: string, content = '', size = content.length): BackupEntry => ({
  name,
  size,
  content: toAsyncIterable(Buffer.from(content)),
});
const whole = ['PG_VERSION', 'global/pg_control', 'backup_label'];

async function* entries(...all: readonly BackupEntry[]) {
  yield* all;
}

describe('restoring files', () => {
  const target = (): string => path.join(folder, 'data', 'pg');
  const restore = (...all: readonly BackupEntry[]) => restoreFiles(entries(...all), target());

  it('writes files that only their owner can read, and empty folders', async () => {
    fs.mkdirSync(`${target()}.new`, { recursive: true });
    fs.writeFileSync(path.join(`${target()}.new`, 'rest'), 'of a restore that was killed');
    await restore(entry('pg_wal/archive_status/'), ...whole.map((name) => entry(name, name)));
    const names = fs.readdirSync(target(), { recursive: true, encoding: 'utf8' }).sort();
    expect(names).toEqual([...whole, 'global', 'pg_wal', 'pg_wal/archive_status'].sort());
    expect(fs.readFileSync(path.join(target(), 'global/pg_control'), 'utf8')).toBe(whole[1]);
    const modes = ['', 'global', 'backup_label'].map(
      (name) => fs.statSync(path.join(target(), name)).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o700, 0o600]);
    expect(fs.readdirSync(path.dirname(target()))).toEqual(['pg']);
  });

  it.each([
    ['have no label', [entry('PG_VERSION'), entry('global/pg_control')], /has no backup_label/],
    ['are missing', [], /has no PG_VERSION, global\/pg_control, backup_label/],
    ['lead out of the folder', [entry('../evil')], /not a valid name of a database file/],
    ['lead out of it later', [entry('base/../../evil')], /not a valid name of a database file/],
    ['are absolute', [entry('/etc/evil')], /not a valid name of a database file/],
    ['occur twice', [entry('a', 'x'), entry('a', 'y')], /twice/],
    ['are too short', [entry('a', 'x', 2)], /has 1 bytes instead of 2/],
  ])('leaves no files of entries that %s', async (_, given, reason) => {
    const restoring = restore(...given);
    await expect(restoring).rejects.toThrow(reason);
    await expect(restoring).rejects.toThrow(DatabaseBackupInvalid);
    expect(fs.readdirSync(folder, { recursive: true })).toEqual(['data']);
  });

  it('does not change an existing folder', async () => {
    write('data/pg/PG_VERSION', '18');
    await expect(restore(...whole.map((name) => entry(name)))).rejects.toThrow('already exists');
    expect(fs.readdirSync(target())).toEqual(['PG_VERSION']);
  });
});
