/** Moments, in ms of the process, at which the event loop should have turned and did not. */
export interface Stall {
  readonly fromMs: number;
  readonly toMs: number;
}

const tickMs = 2;
/** Timers are never quite on time; less than this is no stall. */
const lateMinMs = 0.5;

/** A tick that came late, as the stall before it; null for one in time. */
export function detectStall(tickAtMs: number, lastTickMs: number): Stall | null {
  const fromMs = lastTickMs + tickMs;
  return tickAtMs - fromMs > lateMinMs ? { fromMs, toMs: tickAtMs } : null;
}

/** Collects stalls of this process until it is disposed. */
export class StallMonitor implements Disposable {
  readonly stalls: Stall[] = [];
  readonly #timer: NodeJS.Timeout;
  #last = performance.now();

  constructor() {
    this.#timer = setInterval(() => {
      const now = performance.now();
      const stall = detectStall(now, this.#last);
      if (stall) this.stalls.push(stall);
      this.#last = now;
    }, tickMs);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

/** How much of the time between two moments fell into stalls, which are in order, in ms. */
export function stalledMs(stalls: readonly Stall[], fromMs: number, toMs: number): number {
  let sum = 0;
  for (let i = firstEndingAfter(stalls, fromMs); i < stalls.length; i += 1) {
    const stall = stalls[i];
    if (!stall || stall.fromMs >= toMs) break;
    sum += Math.min(toMs, stall.toMs) - Math.max(fromMs, stall.fromMs);
  }
  return sum;
}

function firstEndingAfter(stalls: readonly Stall[], ms: number): number {
  let [low, high] = [0, stalls.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((stalls[middle]?.toMs ?? Number.POSITIVE_INFINITY) > ms) high = middle;
    else low = middle + 1;
  }
  return low;
}
