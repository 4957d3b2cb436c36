/** Smaller buffers may be slices of a pool that Node.js shares. */
const pooledMax = 16_384;

/**
 * Frees the memory of each chunk when the next one is requested: consumers must not keep chunks.
 * Without this, V8 leaves about 100 MB of a large upload uncollected. A chunk is freed only if it
 * is the whole ArrayBuffer, so that no other view shares the memory.
 */
export async function* releaseBuffers(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    yield chunk;
    releaseBuffer(chunk);
  }
}

function releaseBuffer({ buffer, byteLength }: Uint8Array): void {
  const ownsBuffer = byteLength === buffer.byteLength && byteLength > pooledMax;
  if (ownsBuffer && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
