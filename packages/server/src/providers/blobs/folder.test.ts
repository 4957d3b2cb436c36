import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { createIds } from '../../kernel/ids.ts';
import {
  BlobChecksumMismatch,
  type BlobStore,
  BlobTooLarge,
  createFolderBlobStore,
} from './index.ts';

async function* pieces(...all: string[]): AsyncGenerator<Uint8Array> {
  for (const one of all) yield Buffer.from(one);
}

async function read(blobs: BlobStore, name: string): Promise<string> {
  const found: Uint8Array[] = [];
  for await (const chunk of blobs.read(name)) found.push(chunk);
  return Buffer.concat(found).toString();
}

describe('a blob in the folder', () => {
  let root: string;
  let blobs: BlobStore;
  beforeEach(async () => {
    root = path.join(await mkdtemp(path.join(os.tmpdir(), 'mneme-blobs-')), 'blobs');
    blobs = createFolderBlobStore(root, { ids: createIds(systemClock), clock: systemClock });
  });
  afterEach(() => rm(path.dirname(root), { recursive: true, force: true }));

  const bytesMax = 100;

  it('is read as it was written, and is stored two levels deep', async () => {
    const stored = await blobs.write(pieces('one ', 'two'), { bytesMax });
    expect(stored.bytes).toBe(7);
    expect(Buffer.from(stored.sha256).toString('hex')).toBe(
      '8ab63e29a4ba14e4e1688f9c15e5af90895421358c945b0431f85d66977bd3d2',
    );
    expect(await read(blobs, stored.name)).toBe('one two');
    const filePath = path.join(root, stored.name.slice(0, 2), stored.name.slice(2, 4), stored.name);
    expect(await readFile(filePath, 'utf8')).toBe('one two');
  });

  it('that is too large, or breaks off, leaves nothing behind', async () => {
    const large = blobs.write(pieces('x'.repeat(60), 'x'.repeat(60)), { bytesMax });
    await expect(large).rejects.toThrow(BlobTooLarge);
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('begun');
      throw new Error('cut off');
    }
    await expect(blobs.write(broken(), { bytesMax })).rejects.toThrow('cut off');
    expect(await readdir(root)).toEqual(['new']);
    expect(await readdir(path.join(root, 'new'))).toEqual([]);
  });

  it('can be removed twice without an error', async () => {
    const { name } = await blobs.write(pieces('x'), { bytesMax });
    await blobs.remove(name);
    await blobs.remove(name);
    await expect(read(blobs, name)).rejects.toThrow(/ENOENT/);
  });

  it('rejects invalid names, such as paths', () => {
    expect(() => blobs.read('../../etc/passwd')).toThrow('invalid blob name');
    expect(() => blobs.remove('..')).toThrow('invalid blob name');
  });

  it('can be restored under its name, and replaces the existing blob', async () => {
    const name = '0123456789abcdef'.repeat(2);
    const sha256 = createHash('sha256').update('one two').digest();
    const stored = { name, bytes: 7, sha256 };
    expect(await blobs.put(name, pieces('one ', 'two'), { sha256 })).toEqual(stored);
    expect(await read(blobs, name)).toBe('one two');
    expect(await blobs.put(name, pieces('other'))).toMatchObject({ name, bytes: 5 });
    expect(await read(blobs, name)).toBe('other');
    const filePath = path.join(root, '01', '23', name);
    expect(((await stat(filePath)).mode & 0o777).toString(8)).toBe('600');
    expect(await readdir(path.join(root, 'new'))).toEqual([]);
  });

  it('that is restored with other bytes is rejected, and changes nothing', async () => {
    const { name, sha256 } = await blobs.write(pieces('whole'), { bytesMax });
    await expect(blobs.put(name, pieces('other'), { sha256 })).rejects.toThrow(
      BlobChecksumMismatch,
    );
    await expect(blobs.put('../secret', pieces('x'))).rejects.toThrow('invalid blob name');
    expect(await read(blobs, name)).toBe('whole');
    expect(await readdir(path.join(root, 'new'))).toEqual([]);
  });

  it('is listed with its size, without other files', async () => {
    const listed = async () => (await Array.fromAsync(blobs.list())).flat();
    expect(await listed()).toEqual([]);
    await blobs.getOrClaimOwner('an owner');
    const one = await blobs.write(pieces('one'), { bytesMax });
    const other = await blobs.write(pieces(), { bytesMax });
    await writeFile(path.join(root, one.name.slice(0, 2), one.name.slice(2, 4), 'other'), 'x');
    const expected = [one, other].map(({ name, bytes }) => ({ name, bytes }));
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    await mkdir(path.join(root, 'ab'), { recursive: true });
    for (const stray of ['.DS_Store', 'notes.txt', 'ab/Thumbs.db']) {
      await writeFile(path.join(root, stray), 'stray');
    }
    expect((await listed()).toSorted(byName)).toEqual(expected.toSorted(byName));
  });

  it('is found by its age, and unfinished drafts are removed', async () => {
    const old = await blobs.write(pieces('old'), { bytesMax });
    const recent = await blobs.write(pieces('recent'), { bytesMax });
    const filePath = path.join(root, old.name.slice(0, 2), old.name.slice(2, 4), old.name);
    const draft = path.join(root, 'new', 'left');
    await writeFile(draft, 'half');
    const long = new Date('2020-01-01T00:00:00Z');
    await utimes(filePath, long, long);
    await utimes(draft, long, long);
    const before = new Date('2021-01-01T00:00:00Z');
    const names: string[] = [];
    for await (const some of blobs.listNamesBefore(before)) names.push(...some);
    expect(names).toEqual([old.name]);
    await blobs.removeDrafts(before);
    expect(existsSync(draft)).toBe(false);
    expect(await read(blobs, recent.name)).toBe('recent');
  });

  it('has its age by the clock of the server', async () => {
    const then = new Date('2001-02-03T04:05:06Z');
    const ids = createIds(systemClock);
    const long = createFolderBlobStore(root, { ids, clock: { ...systemClock, now: () => then } });
    const { name } = await long.write(pieces('x'), { bytesMax });
    const namesBefore = async (ms: number): Promise<string[]> => {
      const names: string[] = [];
      for await (const some of blobs.listNamesBefore(new Date(ms))) names.push(...some);
      return names;
    };
    expect(await namesBefore(then.getTime())).toEqual([]);
    expect(await namesBefore(then.getTime() + 1_000)).toEqual([name]);
  });

  it('that is being written is not removed as a leftover, at any time', async () => {
    async function* slow(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('one ');
      await blobs.removeDrafts(new Date('2999-01-01T00:00:00Z'));
      yield Buffer.from('two');
    }
    const { name } = await blobs.write(slow(), { bytesMax });
    expect(await read(blobs, name)).toBe('one two');
  });

  it('is in a store owned by the first caller', async () => {
    const { name } = await blobs.write(pieces('kept'), { bytesMax });
    expect(await blobs.getOrClaimOwner('first')).toBe('first');
    expect(await blobs.getOrClaimOwner('second')).toBe('first');
    const names: string[] = [];
    for await (const some of blobs.listNamesBefore(new Date('2999-01-01'))) names.push(...some);
    expect(names).toContain(name);
    expect(names).not.toContain('owner');
  });
});
