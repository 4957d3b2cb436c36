import { fork } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { resolveScriptUrl } from '../../kernel/script-url.ts';
import { EngineFailed } from '../errors.ts';
import { copyTree, syncPath, syncTree } from './sync-files.ts';

/**
 * Creates a database in a folder that does not exist, as a copy of a closed one. Throws on failure.
 */
export async function copyDatabase(template: string, folder: string): Promise<void> {
  // Written under another name first, so that a kill leaves either nothing or a complete database.
  const unfinished = `${folder}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  try {
    copyTree(template, unfinished);
    syncTree(unfinished);
  } catch (error) {
    // An incomplete database is useless and takes space that the next attempt needs.
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  }
  renameSync(unfinished, folder);
  syncPath(path.dirname(folder));
}

/**
 * Creates a new database in a folder that does not exist. Uses a child process, since initdb needs
 * 500 MB that a thread would not release. Throws EngineFailed on failure.
 */
export async function initialiseDatabase(folder: string): Promise<void> {
  const script = fileURLToPath(
    resolveScriptUrl(new URL('./initialise-process.ts', import.meta.url)),
  );
  const child = fork(script, {
    // Optimizing code that runs once needs another 500 MB.
    execArgv: ['--liftoff-only'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // The child needs no environment, and that of the server contains keys.
    env: {},
  });
  const { promise, resolve, reject } = Promise.withResolvers<number | string>();
  child.on('error', reject);
  child.send(folder, (error) => error && reject(error));
  child.on('close', (status, signal) => resolve(status ?? signal ?? 'unknown'));
  const [status, stderr] = await Promise.all([promise, child.stderr ? text(child.stderr) : '']);
  if (status !== 0) {
    // An incomplete database is useless and takes space that the next attempt needs.
    await rm(`${folder}.new`, { recursive: true, force: true });
    throw new EngineFailed(`The database could not be created (${status}): ${stderr.trim()}`);
  }
}
