import { getHeapStatistics } from 'node:v8';
import type { Clock } from './clock.ts';

/** The heap of this thread; tests pass their own. */
export interface HeapControl {
  /** The share of the time since the last call in which the thread worked, 0 to 1. */
  readUtilization(): number;
  /** Of all its pages, also of those that hold nothing. */
  readBytes(): number;
  /** Collects all garbage, moves the rest together and returns empty pages to the system. */
  compact(): void;
}

/** A compaction takes 2 ms for each MB in use. Null without `--expose-gc` of `bin/start.mjs`. */
export function threadHeap(): HeapControl | null {
  const { gc } = globalThis;
  if (!gc) return null;
  let last = performance.eventLoopUtilization();
  return {
    readUtilization() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
    readBytes: () => getHeapStatistics().total_physical_size,
    // Any other flavor leaves half-empty pages as they are.
    compact: () => void gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
  };
}

const checkMs = 5_000;
/** So many checks in a row find the thread idle. */
const idleChecks = 3;
const idleUtilization = 0.05;
/** Less is not worth a pause. */
const growthMin = 24 * 2 ** 20;

/**
 * Returns memory to the system whenever this thread has been idle for 15 s and its heap has grown
 * since the last time: V8 keeps the pages that a burst of requests filled. A request that comes
 * during the pause waits about a tenth of a second.
 */
export function releaseIdleMemory(
  clock: Pick<Clock, 'after'>,
  heap: HeapControl | null = threadHeap(),
): void {
  if (!heap) return;
  let [idle, least] = [0, 0];
  const check = (): void => {
    idle = heap.readUtilization() < idleUtilization ? idle + 1 : 0;
    if (idle >= idleChecks && heap.readBytes() >= least + growthMin) {
      heap.compact();
      least = heap.readBytes();
    }
    clock.after(checkMs, check);
  };
  clock.after(checkMs, check);
}
