/**
 * Loaded into a server's process before anything else (`--import`, with --expose-gc), and so into
 * each of its threads: on SIGUSR2 every thread collects and writes what it holds to
 * `$BENCH_HEAP.<thread>.json`.
 */
import { writeFileSync } from 'node:fs';
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads';
import type { ThreadHeap } from './memory.ts';

const { gc } = globalThis as { gc?: () => void };
const place = process.env.BENCH_HEAP ?? '';
const channel = new BroadcastChannel('mneme-bench-heap');
channel.unref();
channel.onmessage = report;

if (isMainThread) {
  process.on('SIGUSR2', () => {
    channel.postMessage('report');
    report();
  });
}

function report(): void {
  gc?.();
  gc?.();
  const { heapUsed, external } = process.memoryUsage();
  const heap: ThreadHeap = { thread: threadId, heapBytes: heapUsed, externalBytes: external };
  writeFileSync(`${place}.${threadId}.json`, JSON.stringify(heap));
}
