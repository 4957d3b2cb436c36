import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createDataLocation, type DataLocation } from './server-process.ts';

/** A disk that a test may fill: a file system in memory, mounted for the test alone. */
export interface SmallDisk extends Disposable {
  readonly place: DataLocation;
  /** Fills it with a file of zeros, but for so many bytes; an earlier such file goes first. */
  fill(leaveBytes: number): void;
  /** Takes that file away. */
  removeFill(): void;
  /** From now on it can be read only, or written again. */
  remount(mode: 'ro' | 'rw'): void;
}

const mb = 2 ** 20;

/** For tests that `isAvailable('mount')` lets run. */
export async function mountSmallDisk(sizeMb: number): Promise<SmallDisk> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mneme-disk-'));
  const run = (command: string, ...parameters: string[]): string | null => {
    const { status, error, stderr } = spawnSync(command, parameters, { encoding: 'utf8' });
    if (status === 0) return null;
    return error?.message ?? (stderr.trim() || `${command} ended with ${status}`);
  };
  const fault = run('mount', '-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=0700`, 'tmpfs', folder);
  if (fault !== null) {
    fs.rmdirSync(folder);
    throw new Error(`cannot mount a disk: ${fault}`);
  }
  const must = (...command: [string, ...string[]]): void => {
    const why = run(...command);
    if (why !== null) throw new Error(why);
  };
  const filler = path.join(folder, 'filler');
  const made = await createDataLocation('embedded');
  const dataDir = path.join(folder, 'data');
  fs.cpSync(made.dataDir, dataDir, { recursive: true });
  await made.remove();
  const clear = (): void => fs.rmSync(filler, { force: true });
  return {
    place: { dataDir, databaseUrl: null, remove: async () => undefined },
    fill(leaveBytes) {
      clear();
      const { bavail, bsize } = fs.statfsSync(folder);
      const bytes = bavail * bsize - leaveBytes;
      if (bytes < 0) throw new Error(`only ${(bavail * bsize) / mb} MB are free`);
      must('fallocate', '-l', String(bytes), filler);
    },
    removeFill: clear,
    remount: (mode) => must('mount', '-o', `remount,${mode}`, folder),
    [Symbol.dispose]() {
      must('umount', '-l', folder);
      fs.rmdirSync(folder);
    },
  };
}
