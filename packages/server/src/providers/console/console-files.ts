import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const consoleFolder = fileURLToPath(new URL('../../../../console', import.meta.url));
const builder = path.join(consoleFolder, 'bin/build.mjs');
const buildTimeoutMs = 120_000;

/** Encodings that the build stores in addition to each text file. */
const encodings = { br: '.br', gzip: '.gz', identity: '' } as const;
export type FileEncoding = keyof typeof encodings;

/** Reads a file of the built console; null if there is none. `name` is relative, without `..`. */
export async function readConsoleFile(
  name: string,
  encoding: FileEncoding = 'identity',
): Promise<Buffer | null> {
  const file = path.join(consoleFolder, 'dist', name) + encodings[encoding];
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

let building: Promise<void> | undefined;

/**
 * Builds the console if it is not built, in a process of its own; callers at the same time share
 * one build. Rejects if the build tools are not installed.
 */
export async function ensureConsoleBuilt(): Promise<void> {
  if ((await readConsoleFile('index.html')) !== null) return;
  building ??= runBuilder().finally(() => {
    building = undefined;
  });
  await building;
}

async function runBuilder(): Promise<void> {
  const options = { cwd: consoleFolder, env: {}, timeout: buildTimeoutMs };
  await promisify(execFile)(process.execPath, [builder], options);
}
