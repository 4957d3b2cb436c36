/** A position in the write-ahead log of one PostgreSQL cluster. */
export interface WalPosition {
  /** Identifier of the cluster: created by initdb, the same in every physical copy. */
  readonly systemId: string;
  /** Changes after a failover or a point-in-time recovery. */
  readonly timeline: number;
  readonly lsn: bigint;
  /** Position of the last checkpoint, from the control file. */
  readonly checkpointLsn: bigint;
}

/** PostgreSQL's notation: `0/1710598`. */
export const formatLsn = (lsn: bigint): string =>
  `${(lsn >> 32n).toString(16)}/${(lsn & 0xffffffffn).toString(16)}`.toUpperCase();

/** Null if the text is not an LSN. */
export function parseLsn(text: string): bigint | null {
  const [, high, low] = /^([0-9a-f]{1,8})\/([0-9a-f]{1,8})$/i.exec(text) ?? [];
  if (high === undefined || low === undefined) return null;
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

export type WalPositionMismatch =
  | 'missing_tail'
  | 'older_copy'
  | 'failover'
  | 'failover_missing_tail'
  | 'other_cluster';

/**
 * Compares the last acknowledged position with the current end of the WAL. Null: nothing is
 * missing.
 *
 * `isCleanlyShutDown`: the WAL ended with a shutdown, so nothing can be missing after it, and a
 * lower end means an older copy.
 */
export function compareWalPositions(
  recorded: WalPosition,
  found: WalPosition,
  { isCleanlyShutDown = false } = {},
): WalPositionMismatch | null {
  if (recorded.systemId !== found.systemId) return 'other_cluster';
  const isMissing = found.lsn < recorded.lsn;
  if (recorded.timeline !== found.timeline) {
    return isMissing ? 'failover_missing_tail' : 'failover';
  }
  if (!isMissing) return null;
  // Recovery never ends before a checkpoint: only another set of files has an older one.
  const isOlder = found.checkpointLsn < recorded.checkpointLsn;
  return isCleanlyShutDown || isOlder ? 'older_copy' : 'missing_tail';
}
