/** Smaller ones may lie in a pool that Node shares among buffers. */
const pooledMax = 16_384;

/**
 * Frees the memory of each piece once the next is asked for: to be read by what keeps none. An
 * upload leaves gigabytes behind, of which V8 lets a hundred megabytes wait to be collected. A
 * piece is freed only where it is all of its memory, so that nobody else has a part of it.
 */
export async function* releaseBuffers(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    yield piece;
    releaseBuffer(piece);
  }
}

function releaseBuffer({ buffer, byteLength }: Uint8Array): void {
  const isAll = byteLength === buffer.byteLength && byteLength > pooledMax;
  if (isAll && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
