import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';

/** The source of ids and random bytes. */
export interface Ids {
  /** UUIDv7 (RFC 9562): sorts by time, and strictly by creation within a process. */
  uuid(): string;
  bytes(count: number): Uint8Array;
  /** A number in [0, 1), for jitter. */
  fraction(): number;
}

const counterMax = 0xfff;
const poolBytes = 4_096;

/** Reads random bytes in pools: a system call costs the same for eight bytes as for a pool. */
export function bufferRandomBytes(
  randomSource: (count: number) => Uint8Array,
): (count: number) => Uint8Array<ArrayBuffer> {
  let pool = new Uint8Array(0);
  return (count) => {
    if (count > pool.length) pool = new Uint8Array(randomSource(Math.max(count, poolBytes)));
    const bytes = pool.slice(0, count);
    // Each byte is used once and then overwritten, because it may become a secret.
    pool.fill(0, 0, count);
    pool = pool.subarray(count);
    return bytes;
  };
}

/** The 12 bits after the version are a counter per millisecond, so that ids are ordered. */
export function createIds(
  clock: Clock,
  bytes: (count: number) => Uint8Array = bufferRandomBytes(randomBytes),
): Ids {
  let lastMs = 0;
  let counter = 0;
  return {
    bytes,
    fraction: () => new DataView(bytes(4).slice().buffer).getUint32(0) / 2 ** 32,
    uuid() {
      const nowMs = clock.now().getTime();
      if (nowMs > lastMs) {
        lastMs = nowMs;
        counter = 0;
      } else if (counter === counterMax) {
        // The counter is exhausted: use the next millisecond.
        lastMs += 1;
        counter = 0;
      } else {
        counter += 1;
      }
      const tail = Buffer.from(bytes(8));
      tail[0] = ((tail[0] ?? 0) & 0x3f) | 0x80;
      const time = lastMs.toString(16).padStart(12, '0');
      const middle = (0x7000 | counter).toString(16);
      const end = tail.toString('hex');
      return `${time.slice(0, 8)}-${time.slice(8)}-${middle}-${end.slice(0, 4)}-${end.slice(4)}`;
    },
  };
}
