/** From PostgreSQL's src/include/access/xlog_internal.h, in the version that PGlite uses. */
export const PAGE_BYTES = 8_192;
const SHORT_HEADER_BYTES = 24;
const LONG_HEADER_BYTES = 40;
const FIRST_IS_CONTINUATION = 0x0001;
const LONG_HEADER = 0x0002;
const FIRST_IS_OVERWRITTEN = 0x0008;
const RECORD_HEADER_BYTES = 24;

/**
 * The end of the last complete record in pages of the write-ahead log, as an LSN. Everything before
 * it is on disk once these pages are. Null if no record ends in them.
 */
export function findEndOfWalRecords(pages: Buffer): bigint | null {
  for (let at = pages.length - PAGE_BYTES; at >= 0; at -= PAGE_BYTES) {
    const end = endInPage(pages.subarray(at, at + PAGE_BYTES));
    if (end !== null) return end;
  }
  return null;
}

function endInPage(page: Buffer): bigint | null {
  const info = page.readUInt16LE(2);
  const address = page.readBigUInt64LE(8);
  let at = info & LONG_HEADER ? LONG_HEADER_BYTES : SHORT_HEADER_BYTES;
  let end: number | null = null;
  if (info & FIRST_IS_CONTINUATION) {
    at += align(page.readUInt32LE(16));
    if (at > PAGE_BYTES) return null;
    end = at;
  }
  while (at < PAGE_BYTES) {
    const length = page.readUInt32LE(at);
    // Zero: end of the records. A record that continues on the next page is incomplete.
    if (length < RECORD_HEADER_BYTES || at + length > PAGE_BYTES) break;
    at += align(length);
    end = at;
  }
  return end === null ? null : address + BigInt(end);
}

/**
 * The end of the WAL that a recovery found: the position where recovery's own records begin. If the
 * first of them replaces an incomplete record, it is the start of the page. `page` contains
 * `begin`.
 */
export const findWalEndBeforeRecovery = (begin: bigint, page: Buffer): bigint =>
  page.readUInt16LE(2) & FIRST_IS_OVERWRITTEN ? begin - (begin % BigInt(PAGE_BYTES)) : begin;

const align = (bytes: number): number => (bytes + 7) & ~7;
