import { execFile } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Log } from '../kernel/log.ts';
import { lowerPriority } from '../kernel/process-priority.ts';
import { canMakeProgramBundle } from './program-bundle.ts';

const program = fileURLToPath(new URL('../../bin/prepare.mjs', import.meta.url));
const timeoutMs = 600_000;
/** The preparation takes 0.9 GB at its peak (measured), beside the service. */
const availableBytesMin = 1.5e9;

/**
 * Prepares what `npm ci --ignore-scripts` leaves out, for the next starts: in a process of its own,
 * so that a service has the memory for itself, and with the lowest priority. An installation that
 * is not writable stays as it is.
 */
export async function prepareInBackground(log: Log): Promise<void> {
  if (process.availableMemory() < availableBytesMin || !(await canMakeProgramBundle())) return;
  const running = promisify(execFile)(process.execPath, [program], { env: {}, timeout: timeoutMs });
  lowerPriority(constants.priority.PRIORITY_LOW, running.child.pid);
  await running.then(
    () => log.info('installation prepared'),
    (error: unknown) => log.debug({ err: error }, 'installation not prepared'),
  );
}
