import type { Clock } from '../../kernel/clock.ts';
import type { FairSemaphore } from '../../kernel/fair-semaphore.ts';

/** No permit was available in time; the caller may retry. */
export class FfmpegBusy extends Error {
  override readonly name = 'FfmpegBusy';
  constructor() {
    super('Too many recordings are being processed. Retry later.');
  }
}

/** Timeout of the queue; default: none. */
export interface QueueOptions {
  readonly queueTimeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Dispose the result to release the permit. Throws FfmpegBusy and the signal's reason. */
export async function acquirePermit(
  semaphore: FairSemaphore,
  clock: Clock,
  { queueTimeoutMs, signal }: QueueOptions,
): Promise<Disposable> {
  const timeout = new AbortController();
  using _timer =
    queueTimeoutMs === undefined
      ? undefined
      : clock.after(queueTimeoutMs, () => timeout.abort(new FfmpegBusy()));
  const release = await semaphore.acquire(
    signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
  );
  return { [Symbol.dispose]: release };
}
