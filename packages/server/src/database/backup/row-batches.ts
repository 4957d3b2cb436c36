/** Complete rows of a table, in COPY's text format. */
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
 * Splits the output of a COPY, whose chunk boundaries are arbitrary, into batches of complete rows
 * of at most `bytesMax`. A larger row is a batch of its own. In text format a newline byte always
 * ends a row. Holds at most one batch in memory.
 */
export async function* batchRows(
  output: AsyncIterable<Uint8Array>,
  bytesMax: number,
): AsyncGenerator<RowBatch> {
  let rows = new RowBatch();
  /** The start of a row whose end has not arrived. */
  let partialRow = new RowBatch();
  for await (const chunk of output) {
    for (let at = 0; at < chunk.length; ) {
      const rowEnd = chunk.indexOf(NEWLINE, at) + 1;
      const isWhole = rowEnd > 0;
      const more = partialRow.bytes + (isWhole ? rowEnd : chunk.length) - at;
      if (rows.bytes > 0 && rows.bytes + more > bytesMax) {
        yield rows;
        rows = new RowBatch();
      }
      if (!isWhole) {
        partialRow.add(chunk.subarray(at));
        break;
      }
      const remaining = bytesMax - rows.bytes - partialRow.bytes;
      const end = Math.max(
        rowEnd,
        remaining > 0 ? chunk.lastIndexOf(NEWLINE, at + remaining - 1) + 1 : 0,
      );
      rows.add(...partialRow.chunks, chunk.subarray(at, end));
      partialRow = new RowBatch();
      at = end;
    }
  }
  if (partialRow.bytes > 0) throw new Error('The COPY output ended in the middle of a row');
  if (rows.bytes > 0) yield rows;
}
