/** From `start` to `end`, both within the bytes. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * RFC 9110, 14: a single range of bytes. Null: all of them are to be sent, since there is no range,
 * several, or one of another kind; `unsatisfiable`: it begins after the last byte.
 */
export function parseRange(
  header: string | undefined,
  bytes: number,
): ByteRange | null | 'unsatisfiable' {
  const found = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '');
  if (!found) return null;
  const [first, last] = [found[1] ?? '', found[2] ?? ''];
  if (first === '' && last === '') return null;
  if (first === '') {
    const length = Math.min(Number(last), bytes);
    return length === 0 ? 'unsatisfiable' : { start: bytes - length, end: bytes - 1 };
  }
  const start = Number(first);
  const end = last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  // An end before the start is no range at all, and is let be.
  if (last !== '' && Number(last) < start) return null;
  return start >= bytes ? 'unsatisfiable' : { start, end };
}
