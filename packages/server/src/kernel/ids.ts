import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';

/** Where identifiers and secrets come from. */
export interface Ids {
  /** UUIDv7 (RFC 9562): sorts by time, and within one process strictly by creation. */
  uuid(): string;
  bytes(count: number): Uint8Array;
  /** A number in [0, 1), for jitter. */
  fraction(): number;
}

const counterMax = 0xfff;
const pageBytes = 4_096;

/** Asking the system costs the same for eight bytes as for a page: a page is asked for at once. */
export function bufferRandomBytes(
  draw: (count: number) => Uint8Array,
): (count: number) => Uint8Array<ArrayBuffer> {
  let page = new Uint8Array(0);
  return (count) => {
    if (count > page.length) page = new Uint8Array(draw(Math.max(count, pageBytes)));
    const given = page.slice(0, count);
    // Each byte is given once, and not kept: it may become a secret.
    page.fill(0, 0, count);
    page = page.subarray(count);
    return given;
  };
}

/** The 12 bits after the version count within a millisecond, so that ids stay in order. */
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
        // The counter is spent: borrow the next millisecond rather than repeat an order.
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
