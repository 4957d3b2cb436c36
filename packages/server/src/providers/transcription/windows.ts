import { sampleBytes, sampleRate } from './pcm.ts';
import { findQuietestPoint } from './silence.ts';

/** A stretch of a recording, and where it begins in it. */
export interface AudioWindow {
  readonly firstSample: number;
  readonly samples: Int16Array<ArrayBuffer>;
}

/** How far before its end a window may be cut, at most. */
const searchSeconds = 60;

/**
 * Cuts a stream of samples (16 bits, little end first) into windows of at most `secondsMax`, each
 * where it is quietest. Begins anew at a sample where an earlier run has left off. One window is
 * held in memory; the stream is read no further while it is worked on.
 */
export async function* splitIntoWindows(
  stream: AsyncIterable<Uint8Array>,
  secondsMax: number,
  firstSample = 0,
): AsyncGenerator<AudioWindow> {
  const most = secondsMax * sampleRate;
  const search = Math.min(searchSeconds * sampleRate, most / 2);
  const held = Buffer.alloc(most * sampleBytes);
  let heldBytes = 0;
  let skipBytes = firstSample * sampleBytes;
  let begin = firstSample;
  const take = (count: number): AudioWindow => {
    const bytes = count * sampleBytes;
    // Of its own: the window outlives what is read meanwhile.
    const samples = new Int16Array(count);
    held.copy(Buffer.from(samples.buffer), 0, 0, bytes);
    held.copy(held, 0, bytes, heldBytes);
    heldBytes -= bytes;
    const window = { firstSample: begin, samples };
    begin += count;
    return window;
  };
  for await (const piece of stream) {
    const skipped = Math.min(skipBytes, piece.length);
    skipBytes -= skipped;
    for (let at = skipped; at < piece.length; ) {
      const room = Math.min(held.length - heldBytes, piece.length - at);
      held.set(piece.subarray(at, at + room), heldBytes);
      heldBytes += room;
      at += room;
      if (heldBytes < held.length) continue;
      const whole = new Int16Array(held.buffer, held.byteOffset, most);
      yield take(findQuietestPoint(whole, { from: most - search, until: most }));
    }
  }
  const rest = Math.floor(heldBytes / sampleBytes);
  if (rest > 0) yield take(rest);
}
