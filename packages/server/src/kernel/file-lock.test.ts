import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tryAcquireFileLock } from './file-lock.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-lock-'));
  file = path.join(folder, 'lock');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The result of another process, which ends with its lock if it acquired one. */
const elsewhere = (): string => {
  const module = new URL('file-lock.ts', import.meta.url).href;
  const script = `import { tryAcquireFileLock } from ${JSON.stringify(module)};
    console.log(tryAcquireFileLock(${JSON.stringify(file)}) === null ? 'held' : 'free');`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  return stdout.trim();
};

describe('a file lock', () => {
  it('has one holder in all processes until it is released', () => {
    const lock = tryAcquireFileLock(file);
    expect(lock).not.toBeNull();
    expect(tryAcquireFileLock(file)).toBeNull();
    expect(elsewhere()).toBe('held');
    lock?.release();
    expect(elsewhere()).toBe('free');
    tryAcquireFileLock(file)?.release();
  });

  it('ends with its process, and leaves only an empty file', async () => {
    expect(elsewhere()).toBe('free');
    const lock = tryAcquireFileLock(file);
    expect(lock).not.toBeNull();
    expect(await readdir(folder)).toEqual(['lock']);
    lock?.release();
    expect((await stat(file)).size).toBe(0);
  });

  it('cannot be acquired in a folder that does not exist', () => {
    expect(() => tryAcquireFileLock(path.join(folder, 'none', 'lock'))).toThrow();
  });
});
