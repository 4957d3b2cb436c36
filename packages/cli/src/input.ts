import { Fault } from './faults.ts';

/** Far more than the service takes as one memory; it names its own limit. */
const inputBytesMax = 8 * 1024 * 1024;

/** All of a stream as UTF-8 text, without the line break that `echo` puts at its end. */
export async function readText(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > inputBytesMax) {
      throw new Fault('content_too_large', `The input has more than ${inputBytesMax} bytes.`);
    }
    chunks.push(chunk);
  }
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    return decoder.decode(Buffer.concat(chunks)).replace(/\r?\n$/, '');
  } catch {
    // The decoder's own message says no more than this one.
    throw new Fault('invalid_characters', 'The input is not valid UTF-8.');
  }
}
