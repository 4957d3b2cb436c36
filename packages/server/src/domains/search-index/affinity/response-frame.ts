import type { Clock } from '../../../kernel/clock.ts';
import { isSignedResponse, macBytes, signResponse } from './search-signature.ts';

/** Says that the search still runs. */
const progressByte = 0;
/** The signature and the payload follow. */
const endByte = 1;
/** Less than the caller waits between two parts of a response. */
const progressMs = 1_000;

/**
 * The response to a forwarded search: a byte at once and each second, then the signed outcome.
 * @param outcome must not reject
 */
export async function* frameResponse(
  {
    clock,
    key,
    nonce,
  }: { readonly clock: Clock; readonly key: Uint8Array; readonly nonce: string },
  outcome: Promise<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield Uint8Array.of(progressByte);
  for (;;) {
    const payload = await withTimeout(clock, outcome);
    if (payload !== null) {
      yield Buffer.concat([Uint8Array.of(endByte), signResponse(key, nonce, payload), payload]);
      return;
    }
    yield Uint8Array.of(progressByte);
  }
}

/** Null if the outcome is not there in time. */
async function withTimeout<T>(clock: Clock, outcome: Promise<T>): Promise<T | null> {
  const late = Promise.withResolvers<null>();
  using _timer = clock.after(progressMs, () => late.resolve(null));
  return await Promise.race([outcome, late.promise]);
}

/** The payload of a complete response; null if it is incomplete or its signature is not valid. */
export function openResponse(key: Uint8Array, nonce: string, body: Buffer): Buffer | null {
  const end = body.findIndex((byte) => byte !== progressByte);
  if (end < 0 || body[end] !== endByte) return null;
  const mac = body.subarray(end + 1, end + 1 + macBytes);
  const payload = body.subarray(end + 1 + macBytes);
  return isSignedResponse(key, nonce, { mac, payload }) ? payload : null;
}
