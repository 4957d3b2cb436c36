/** Whole rows of a table, in COPY's text format. */
export class RowBatch {
  readonly chunks: Uint8Array[] = [];
  bytes = 0;

  add(...chunks: readonly Uint8Array[]): void {
    for (const chunk of chunks) {
      this.chunks.push(chunk);
      this.bytes += chunk.length;
    }
  }
}

const NEWLINE = 0x0a;

/**
 * Cuts the output of a COPY, whose chunks end anywhere, at row ends into batches of at most
 * `bytesMax`; a row that is larger is a batch of its own. In text format a newline byte is always
 * the end of a row. Holds one batch at most.
 */
export async function* batchRows(
  output: AsyncIterable<Uint8Array>,
  bytesMax: number,
): AsyncGenerator<RowBatch> {
  let rows = new RowBatch();
  /** The begin of a row whose end is still to come. */
  let begun = new RowBatch();
  for await (const chunk of output) {
    for (let at = 0; at < chunk.length; ) {
      const rowEnd = chunk.indexOf(NEWLINE, at) + 1;
      const isWhole = rowEnd > 0;
      const more = begun.bytes + (isWhole ? rowEnd : chunk.length) - at;
      if (rows.bytes > 0 && rows.bytes + more > bytesMax) {
        yield rows;
        rows = new RowBatch();
      }
      if (!isWhole) {
        begun.add(chunk.subarray(at));
        break;
      }
      const left = bytesMax - rows.bytes - begun.bytes;
      const end = Math.max(rowEnd, left > 0 ? chunk.lastIndexOf(NEWLINE, at + left - 1) + 1 : 0);
      rows.add(...begun.chunks, chunk.subarray(at, end));
      begun = new RowBatch();
      at = end;
    }
  }
  if (begun.bytes > 0) throw new Error('The output of COPY ended within a row');
  if (rows.bytes > 0) yield rows;
}
