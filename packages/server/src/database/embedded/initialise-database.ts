import { fork } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { resolveScriptUrl } from '../../kernel/script-url.ts';
import { EngineFailed } from '../errors.ts';

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
