import { getHeapStatistics } from 'node:v8';
import type { Worker } from 'node:worker_threads';

const running = new Map<Worker, string>();

/** Adds a thread to the metrics until it ends. */
export function trackThread(name: string, worker: Worker): void {
  running.set(worker, name);
  worker.once('exit', () => running.delete(worker));
}

/** Used heap in bytes by name of the thread. */
export async function readThreadHeaps(): Promise<Map<string, number>> {
  const heaps = new Map([['main', getHeapStatistics().used_heap_size]]);
  for (const [worker, name] of [...running]) {
    // It may end meanwhile.
    const statistics = await worker.getHeapStatistics().catch(() => null);
    if (statistics !== null) heaps.set(name, (heaps.get(name) ?? 0) + statistics.used_heap_size);
  }
  return heaps;
}
