/** The default of initdb. */
export const WAL_SEGMENT_BYTES = 2n ** 24n;
const SEGMENTS_OF_A_LOG = 2n ** 32n / WAL_SEGMENT_BYTES;

/** Name of the WAL file of a segment: timeline and segment number, in hex. */
export function walSegmentName(timeline: number, segment: bigint): string {
  return [BigInt(timeline), segment / SEGMENTS_OF_A_LOG, segment % SEGMENTS_OF_A_LOG]
    .map((part) => part.toString(16).toUpperCase().padStart(8, '0'))
    .join('');
}

export const walSegmentOf = (lsn: bigint): bigint => lsn / WAL_SEGMENT_BYTES;

/** The files that contain the WAL from one LSN up to, but excluding, another. */
export function walSegmentNames(timeline: number, from: bigint, to: bigint): string[] {
  const first = walSegmentOf(from);
  const count = Number(walSegmentOf(to - 1n) - first) + 1;
  return Array.from({ length: count }, (_, index) =>
    walSegmentName(timeline, first + BigInt(index)),
  );
}
