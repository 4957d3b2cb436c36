/** A place in the write-ahead log of one PostgreSQL cluster. */
export interface WalPosition {
  /** Of the cluster: made by initdb, and kept by every physical copy. */
  readonly systemId: string;
  /** Changes with a failover and a point-in-time recovery. */
  readonly timeline: number;
  readonly lsn: bigint;
  /** Where the cluster's last checkpoint is, as its control file says. */
  readonly checkpointLsn: bigint;
}

/** As PostgreSQL writes it: `0/1710598`. */
export const formatLsn = (lsn: bigint): string =>
  `${(lsn >> 32n).toString(16)}/${(lsn & 0xffffffffn).toString(16)}`.toUpperCase();

/** Null for what is no LSN. */
export function parseLsn(text: string): bigint | null {
  const [, high, low] = /^([0-9a-f]{1,8})\/([0-9a-f]{1,8})$/i.exec(text) ?? [];
  if (high === undefined || low === undefined) return null;
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

export type PositionMismatch =
  | 'missing_tail'
  | 'older_copy'
  | 'failover'
  | 'failover_missing_tail'
  | 'other_cluster';

/**
 * Compares the last position that was acknowledged with where the log ends now. Null: nothing is
 * missing.
 *
 * `isCleanlyShutDown`: the log ended with a shutdown, after which nothing can be missing from it,
 * so that a lower end is that of an older copy.
 */
export function comparePositions(
  recorded: WalPosition,
  found: WalPosition,
  { isCleanlyShutDown = false } = {},
): PositionMismatch | null {
  if (recorded.systemId !== found.systemId) return 'other_cluster';
  const isMissing = found.lsn < recorded.lsn;
  if (recorded.timeline !== found.timeline) {
    return isMissing ? 'failover_missing_tail' : 'failover';
  }
  if (!isMissing) return null;
  // Recovery never goes back behind a checkpoint: only another set of files has an older one.
  const isOlder = found.checkpointLsn < recorded.checkpointLsn;
  return isCleanlyShutDown || isOlder ? 'older_copy' : 'missing_tail';
}
