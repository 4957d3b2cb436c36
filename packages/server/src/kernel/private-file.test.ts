import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readFileIfExists, readOrCreatePrivateFile, writePrivateFile } from './private-file.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'mneme-test-'));
  file = path.join(folder, 'secret');
});
afterEach(() => fs.rm(folder, { recursive: true, force: true }));

const modeOf = async (target: string): Promise<number> => (await fs.stat(target)).mode & 0o777;

describe.each([
  ['writePrivateFile', writePrivateFile],
  ['readOrWritePrivateFile', readOrCreatePrivateFile],
])('%s', (_name, write) => {
  it('creates a file that only its owner may read', async () => {
    await write(file, 'the text\n');
    expect(await fs.readFile(file, 'utf8')).toBe('the text\n');
    expect(await modeOf(file)).toBe(0o600);
  });

  it('leaves no other file', async () => {
    await write(file, 'one');
    await write(file, 'two');
    expect(await fs.readdir(folder)).toEqual(['secret']);
  });

  it('reports a folder with the name of the file', async () => {
    await fs.mkdir(file);
    const refused = { name: 'DataFolderUnusable', message: `${file} is a folder` };
    const expected = { ...refused, message: expect.stringContaining(refused.message) };
    await expect(write(file, 'x')).rejects.toMatchObject(expected);
    await expect(readFileIfExists(file)).rejects.toMatchObject(expected);
    expect(await fs.readdir(folder)).toEqual(['secret']);
  });

  it('throws if the folder does not exist', async () => {
    await expect(write(path.join(folder, 'none', 'secret'), 'x')).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });
});

describe('writePrivateFile', () => {
  it('replaces the text and the mode of an existing file', async () => {
    await fs.writeFile(file, 'a longer text of before', { mode: 0o644 });
    await writePrivateFile(file, 'new');
    expect(await fs.readFile(file, 'utf8')).toBe('new');
    expect(await modeOf(file)).toBe(0o600);
  });
});

describe('readOrCreatePrivateFile', () => {
  it('returns the text of an existing file and does not change it', async () => {
    expect(await readOrCreatePrivateFile(file, 'first')).toBe('first');
    const before = await fs.stat(file);
    expect(await readOrCreatePrivateFile(file, 'second')).toBe('first');
    expect(await fs.stat(file)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
  });

  it('returns the same text to concurrent callers, in one process and in several', async () => {
    for (let round = 0; round < 20; round += 1) {
      const target = path.join(folder, `round-${round}`);
      const texts = Array.from({ length: 8 }, (_, i) => `${round}.${i} `.repeat(1_000));
      const read = await Promise.all(texts.map((text) => readOrCreatePrivateFile(target, text)));
      expect(new Set([...read, await fs.readFile(target, 'utf8')]).size).toBe(1);
      expect(texts).toContain(read[0]);
    }
  });
});
