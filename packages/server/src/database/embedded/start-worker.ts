import { Worker } from 'node:worker_threads';
import { resolveScriptUrl } from '../../kernel/script-url.ts';
import type { WorkerData } from './protocol.ts';

const WORKER_URL = resolveScriptUrl(new URL('./worker.ts', import.meta.url));

let early: Worker | null = null;

/**
 * Starts the thread of the first database that this process opens. It compiles PostgreSQL, which
 * takes as long as it takes this thread to load the service. This file imports little, so that the
 * call can come first.
 */
export function startWorkerEarly(): Worker {
  if (early) return early;
  const worker = startWorker([], null);
  early = worker;
  // The next attempt reports why.
  worker.on('error', () => undefined);
  worker.once('exit', () => {
    if (early === worker) early = null;
  });
  return worker;
}

/** The thread that was started early, or a new one. */
export function takeWorker(execArgv: string[], program: object | null): Worker {
  const worker = early ?? startWorker(execArgv, program);
  early = null;
  return worker;
}

const startWorker = (execArgv: string[], program: object | null): Worker =>
  new Worker(WORKER_URL, {
    workerData: { program } satisfies WorkerData,
    execArgv,
    name: 'mneme-database',
    // Short-lived objects are small here; a larger limit would only waste memory.
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  });
