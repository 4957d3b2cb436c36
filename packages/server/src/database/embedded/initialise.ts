import { fork } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { resolveScriptUrl } from '../../kernel/script-url.ts';
import { EngineFailed } from '../errors.ts';

/**
 * Makes a new database in a folder that does not exist yet. In a process of its own, since initdb
 * takes 500 MB that a thread would leave behind. Throws EngineFailed when it fails.
 */
export async function initialise(folder: string): Promise<void> {
  const script = fileURLToPath(
    resolveScriptUrl(new URL('./initialise-process.ts', import.meta.url)),
  );
  const child = fork(script, {
    // Optimising code that runs once costs another 500 MB.
    execArgv: ['--liftoff-only'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // It needs none, and ours holds keys.
    env: {},
  });
  const { promise, resolve, reject } = Promise.withResolvers<number | string>();
  child.on('error', reject);
  child.send(folder, (error) => error && reject(error));
  child.on('close', (status, signal) => resolve(status ?? signal ?? 'unknown'));
  const [status, said] = await Promise.all([promise, child.stderr ? text(child.stderr) : '']);
  if (status !== 0) {
    // Half a database is of no use, and takes the room that the next attempt needs.
    await rm(`${folder}.new`, { recursive: true, force: true });
    throw new EngineFailed(`The database could not be made (${status}): ${said.trim()}`);
  }
}
