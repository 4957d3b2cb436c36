import { Readable } from 'node:stream';
import { partsMax, type UploadPart } from '../s3/index.ts';

/** Size of the slices passed to the connection, which may copy them. */
const sliceBytes = 256 * 1_024;

/**
 * Splits a stream into parts of an object, which has at most 10,000: the parts of the second half
 * are twice as large. A part is valid until the next but one is requested, which overwrites its
 * bytes.
 */
export async function* splitIntoParts(
  source: AsyncIterable<Uint8Array>,
  partBytes: number,
  signal: AbortSignal,
): AsyncGenerator<UploadPart> {
  let [filling, other] = [Buffer.allocUnsafe(partBytes), Buffer.allocUnsafe(partBytes)];
  let used = 0;
  let count = 0;
  for await (const chunk of source) {
    signal.throwIfAborted();
    for (let from = 0; from < chunk.length; ) {
      if (used === filling.length) {
        yield partOf(filling, false);
        count += 1;
        [filling, other] = [other, filling];
        const isTooSmall = count >= partsMax / 2 && filling.length === partBytes;
        if (isTooSmall) filling = Buffer.allocUnsafe(2 * partBytes);
        used = 0;
      }
      const slice = chunk.subarray(from, from + filling.length - used);
      filling.set(slice, used);
      used += slice.length;
      from += slice.length;
    }
  }
  yield partOf(filling.subarray(0, used), true);
}

const partOf = (content: Buffer, isLast: boolean): UploadPart => ({
  bytes: content.length,
  isLast,
  open: () => Readable.from(slicesOf(content), { objectMode: false }),
});

function* slicesOf(content: Buffer): Generator<Buffer> {
  for (let from = 0; from < content.length; from += sliceBytes) {
    yield content.subarray(from, from + sliceBytes);
  }
}
