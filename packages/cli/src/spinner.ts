import { monotonicMs, repeatAfter } from './kernel.ts';
import type { ProgressOutput } from './progress.ts';

const frames = ['|', '/', '-', '\\'];
const firstFrameMs = 1_000;
const frameMs = 200;

/**
 * Shows on a terminal that work continues, once it takes more than a second, and removes it at the
 * end.
 *
 * @param repeat starts a timer and returns what stops it
 */
export async function withSpinner<T>(
  { isTerminal, write }: ProgressOutput,
  work: Promise<T>,
  repeat: typeof repeatAfter = repeatAfter,
  clock: () => number = monotonicMs,
): Promise<T> {
  if (!isTerminal) return work;
  const startMs = clock();
  let shown = 0;
  const stop = repeat(firstFrameMs, frameMs, () => {
    const seconds = Math.floor((clock() - startMs) / 1_000);
    write(`\r${frames[shown % frames.length]} ${seconds} s\u001b[K`);
    shown += 1;
  });
  try {
    return await work;
  } finally {
    stop();
    if (shown > 0) write('\r\u001b[K');
  }
}
