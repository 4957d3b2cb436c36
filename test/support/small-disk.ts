import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createDataLocation, type DataLocation } from './server-process.ts';

/** A disk that a test can fill: a tmpfs that is mounted for one test. */
export interface SmallDisk extends Disposable {
  readonly place: DataLocation;
  /** Fills the disk with a file except for `leaveBytes`; replaces an earlier such file. */
  fill(leaveBytes: number): void;
  removeFill(): void;
  remount(mode: 'ro' | 'rw'): void;
}

const mb = 2 ** 20;

/** Requires `isAvailable('mount')`. */
export async function mountSmallDisk(sizeMb: number): Promise<SmallDisk> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mneme-disk-'));
  const run = (command: string, ...parameters: string[]): string | null => {
    const { status, error, stderr } = spawnSync(command, parameters, { encoding: 'utf8' });
    if (status === 0) return null;
    return error?.message ?? (stderr.trim() || `${command} ended with ${status}`);
  };
  const mountError = run(
    'mount',
    '-t',
    'tmpfs',
    '-o',
    `size=${sizeMb}m,mode=0700`,
    'tmpfs',
    folder,
  );
  if (mountError !== null) {
    fs.rmdirSync(folder);
    throw new Error(`cannot mount a disk: ${mountError}`);
  }
  const runOrThrow = (...command: [string, ...string[]]): void => {
    const message = run(...command);
    if (message !== null) throw new Error(message);
  };
  const filler = path.join(folder, 'filler');
  const template = await createDataLocation('embedded');
  const dataDir = path.join(folder, 'data');
  fs.cpSync(template.dataDir, dataDir, { recursive: true });
  await template.remove();
  const removeFill = (): void => fs.rmSync(filler, { force: true });
  return {
    place: { dataDir, databaseUrl: null, remove: async () => undefined },
    fill(leaveBytes) {
      removeFill();
      const { bavail, bsize } = fs.statfsSync(folder);
      const bytes = bavail * bsize - leaveBytes;
      if (bytes < 0) throw new Error(`only ${(bavail * bsize) / mb} MB are free`);
      runOrThrow('fallocate', '-l', String(bytes), filler);
    },
    removeFill,
    remount: (mode) => runOrThrow('mount', '-o', `remount,${mode}`, folder),
    [Symbol.dispose]() {
      runOrThrow('umount', '-l', folder);
      fs.rmdirSync(folder);
    },
  };
}
