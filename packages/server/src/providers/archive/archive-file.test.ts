import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { tryAcquireFileLock } from '../../kernel/file-lock.ts';
import { createIds } from '../../kernel/ids.ts';
import { ArchiveFileNotWritable, removePartialFiles, writeArchiveFile } from './index.ts';
import { createTestFolder } from './testing.ts';

let folder: Awaited<ReturnType<typeof createTestFolder>>;
let file: string;
beforeEach(async () => {
  folder = await createTestFolder();
  file = path.join(folder.path, 'backup');
});
afterEach(() => folder[Symbol.asyncDispose]());

const ids = createIds(systemClock);
const names = (): Promise<string[]> => readdir(folder.path);
async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}
const write = (source: AsyncIterable<Uint8Array>, replace = false): Promise<number> =>
  writeArchiveFile(file, source, { replace, ids });

describe('the file of an archive', () => {
  it('appears complete, and only its owner can read it', async () => {
    let during: string[] = [];
    const source = async function* (): AsyncGenerator<Uint8Array> {
      yield* pieces('first ');
      during = await names();
      yield* pieces('second');
    };
    expect(await write(source())).toBe(12);
    expect(during).toContainEqual(expect.stringMatching(/^backup\.[0-9a-f]{16}\.partial$/));
    expect(during).not.toContain('backup');
    expect(await readFile(file, 'utf8')).toBe('first second');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await names()).toEqual(['backup']);
  });

  it('does not exist if its source fails', async () => {
    const source = async function* (): AsyncGenerator<Uint8Array> {
      yield* pieces('first');
      throw new Error('no more');
    };
    await expect(write(source())).rejects.toThrow('no more');
    expect(await names()).toEqual([]);
  });

  it('is replaced only on request, and then atomically', async () => {
    await write(pieces('old'));
    await expect(write(pieces('new'))).rejects.toThrow(ArchiveFileNotWritable);
    expect(await readFile(file, 'utf8')).toBe('old');
    const source = async function* (): AsyncGenerator<Uint8Array> {
      yield* pieces('new');
      expect(await readFile(file, 'utf8')).toBe('old');
    };
    await write(source(), true);
    expect(await readFile(file, 'utf8')).toBe('new');
    expect(await names()).toEqual(['backup']);
  });

  it('does not replace a file that was created in the meantime', async () => {
    const source = async function* (): AsyncGenerator<Uint8Array> {
      yield* pieces('ours');
      await writeFile(file, 'theirs');
    };
    await expect(write(source())).rejects.toThrow(`${file} already exists`);
    expect(await readFile(file, 'utf8')).toBe('theirs');
    expect(await names()).toEqual(['backup']);
  });

  it('cannot be a folder, or be in a missing folder', async () => {
    await mkdir(file);
    await expect(write(pieces('x'), true)).rejects.toThrow(`${file} is not a file`);
    file = path.join(folder.path, 'none', 'backup');
    const message = `${file} cannot be written: its folder does not exist.`;
    await expect(write(pieces('x'))).rejects.toThrow(new ArchiveFileNotWritable(message));
  });
});

describe('the leftover of a killed process', () => {
  const leave = async (name: string, random: string): Promise<string> => {
    const partial = path.join(folder.path, `${name}.${random.repeat(16)}.partial`);
    await writeFile(partial, 'half');
    await writeFile(`${partial}.lock`, '');
    return partial;
  };

  it('for the same file is removed by the next run, and no other file', async () => {
    const left = await leave('backup', 'a');
    const other = await leave('other', 'b');
    const unlocked = path.join(folder.path, 'backup.0123456789abcdef.partial');
    await writeFile(unlocked, 'made by nobody knows whom');
    const alike = path.join(folder.path, 'backup.partial.lock');
    await writeFile(alike, 'of somebody else');
    await write(pieces('new'));
    expect([left, `${left}.lock`].some((name) => existsSync(name))).toBe(false);
    expect([other, `${other}.lock`, unlocked, alike].every((name) => existsSync(name))).toBe(true);
  });

  it('is not removed while its process runs', async () => {
    const partial = await leave('backup', 'a');
    const lock = tryAcquireFileLock(`${partial}.lock`);
    await write(pieces('new'));
    expect(existsSync(partial)).toBe(true);
    lock?.release();
    await rm(file);
    await write(pieces('new'));
    expect(await names()).toEqual(['backup']);
  });

  it('can be removed for all files of a folder', async () => {
    await leave('one', 'a');
    await leave('two', 'b');
    const source = async function* (): AsyncGenerator<Uint8Array> {
      yield* pieces('first ');
      await removePartialFiles(folder.path, null);
      yield* pieces('second');
    };
    await write(source());
    expect(await names()).toEqual(['backup']);
    expect(await readFile(file, 'utf8')).toBe('first second');
  });
});
