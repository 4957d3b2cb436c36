/** Dependencies of a client on its environment; tests replace them. */
export interface ClientRuntime {
  readonly fetch: typeof fetch;
  /** Resolves after `ms`, or rejects with the signal's reason. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** A number in [0, 1), for jitter. */
  readonly random: () => number;
  readonly uuid: () => string;
}

export const defaultClientRuntime: ClientRuntime = {
  fetch: (...args) => globalThis.fetch(...args),
  random: () => Math.random(),
  uuid,
  sleep,
};

/** The longest delay of setTimeout; a longer one would fire immediately. */
const timerMsMax = 2 ** 31 - 1;

/** A signal that aborts with a TimeoutError after `ms`, unless it is cleared before. */
export function createDeadline(ms: number): { readonly signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const abort = (): void =>
    controller.abort(new DOMException('The response did not arrive in time.', 'TimeoutError'));
  const timer = setTimeout(abort, Math.min(ms, timerMsMax));
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}

export const systemNow = (): Date => new Date();

/** A UUIDv4. Browsers restrict crypto.randomUUID to secure contexts; this works everywhere. */
function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
