import { sampleBytes, sampleRate } from './pcm.ts';
import { findQuietestPoint } from './silence.ts';

/** A window of a recording, and its first sample. */
export interface AudioWindow {
  readonly firstSample: number;
  readonly samples: Int16Array<ArrayBuffer>;
}

/** Maximum distance of a cut from the end of a window. */
const searchSeconds = 60;

/**
 * Splits a stream of samples (16 bits, little-endian) into windows of at most `secondsMax`, each
 * cut at the quietest point. Can resume at the sample where an earlier run stopped. Holds one
 * window in memory; the stream is not read while a window is processed.
 */
export async function* splitIntoWindows(
  stream: AsyncIterable<Uint8Array>,
  secondsMax: number,
  firstSample = 0,
): AsyncGenerator<AudioWindow> {
  const windowSamples = secondsMax * sampleRate;
  const search = Math.min(searchSeconds * sampleRate, windowSamples / 2);
  const buffer = Buffer.alloc(windowSamples * sampleBytes);
  let bufferedBytes = 0;
  let skipBytes = firstSample * sampleBytes;
  let begin = firstSample;
  const takeWindow = (count: number): AudioWindow => {
    const bytes = count * sampleBytes;
    // A copy, since the window outlives the buffer content.
    const samples = new Int16Array(count);
    buffer.copy(Buffer.from(samples.buffer), 0, 0, bytes);
    buffer.copy(buffer, 0, bytes, bufferedBytes);
    bufferedBytes -= bytes;
    const window = { firstSample: begin, samples };
    begin += count;
    return window;
  };
  for await (const chunk of stream) {
    const skipped = Math.min(skipBytes, chunk.length);
    skipBytes -= skipped;
    for (let at = skipped; at < chunk.length; ) {
      const count = Math.min(buffer.length - bufferedBytes, chunk.length - at);
      buffer.set(chunk.subarray(at, at + count), bufferedBytes);
      bufferedBytes += count;
      at += count;
      if (bufferedBytes < buffer.length) continue;
      const whole = new Int16Array(buffer.buffer, buffer.byteOffset, windowSamples);
      yield takeWindow(
        findQuietestPoint(whole, { from: windowSamples - search, until: windowSamples }),
      );
    }
  }
  const rest = Math.floor(bufferedBytes / sampleBytes);
  if (rest > 0) yield takeWindow(rest);
}
