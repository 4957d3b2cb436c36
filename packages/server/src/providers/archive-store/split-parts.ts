import { Readable } from 'node:stream';
import { partsMax, type UploadPart } from '../s3/index.ts';

/** Goes to the connection at once, which may make a copy of it. */
const sliceBytes = 256 * 1_024;

/**
 * A stream as parts of an object, which has 10,000 at most: those of the second half are twice as
 * large. A part is used up when the next but one is asked for: its bytes are overwritten then.
 */
export async function* splitIntoParts(
  source: AsyncIterable<Uint8Array>,
  partBytes: number,
  signal: AbortSignal,
): AsyncGenerator<UploadPart> {
  let [filling, other] = [Buffer.allocUnsafe(partBytes), Buffer.allocUnsafe(partBytes)];
  let used = 0;
  let count = 0;
  for await (const piece of source) {
    signal.throwIfAborted();
    for (let from = 0; from < piece.length; ) {
      if (used === filling.length) {
        yield partOf(filling, false);
        count += 1;
        [filling, other] = [other, filling];
        const isTooSmall = count >= partsMax / 2 && filling.length === partBytes;
        if (isTooSmall) filling = Buffer.allocUnsafe(2 * partBytes);
        used = 0;
      }
      const some = piece.subarray(from, from + filling.length - used);
      filling.set(some, used);
      used += some.length;
      from += some.length;
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
