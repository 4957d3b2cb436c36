import { membershipBytes, pointBytes } from '../store/maps.ts';

/** The index of points that are in no cluster. */
export const noCluster = 0xffff;
const idBytes = 16;

/** A map in columns; the same index in each is the same point. */
export interface MapColumns {
  readonly count: number;
  /** 16 bytes for each point. */
  readonly ids: Buffer;
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly cluster: Uint16Array;
  /** By cluster: how many points it has. */
  readonly clusterCounts: readonly number[];
}

/**
 * Reads points and memberships as the store returns them. A point is in the first of its clusters;
 * clusters without points are left out of the indexes.
 * @returns the columns, and for each of their clusters its index before
 */
export function toColumns(
  points: Uint8Array,
  memberships: Uint8Array,
): { readonly columns: MapColumns; readonly clusters: readonly number[] } {
  const bytes = Buffer.from(points.buffer, points.byteOffset, points.byteLength);
  const count = bytes.length / pointBytes;
  const firstClusters = firstClusterByMemory(memberships);
  const ids = Buffer.alloc(count * idBytes);
  const [x, y] = [new Float32Array(count), new Float32Array(count)];
  const own = new Int32Array(count).fill(-1);
  for (let i = 0; i < count; i += 1) {
    const at = i * pointBytes;
    bytes.copy(ids, i * idBytes, at, at + idBytes);
    x[i] = bytes.readFloatBE(at + idBytes);
    y[i] = bytes.readFloatBE(at + idBytes + 4);
    own[i] = firstClusters.get(bytes.toString('latin1', at, at + idBytes)) ?? -1;
  }
  const clusters = [...new Set(own)].filter((index) => index >= 0).sort((a, b) => a - b);
  const indexes = new Map(clusters.map((former, index) => [former, index]));
  const cluster = Uint16Array.from(own, (former) => indexes.get(former) ?? noCluster);
  const clusterCounts = clusters.map(() => 0);
  for (const index of cluster) {
    if (index !== noCluster) clusterCounts[index] = (clusterCounts[index] as number) + 1;
  }
  return { columns: { count, ids, x, y, cluster, clusterCounts }, clusters };
}

/** By the bytes of the memory's id. */
function firstClusterByMemory(memberships: Uint8Array): Map<string, number> {
  const bytes = Buffer.from(memberships.buffer, memberships.byteOffset, memberships.byteLength);
  const first = new Map<string, number>();
  for (let at = 0; at < bytes.length; at += membershipBytes) {
    const id = bytes.toString('latin1', at, at + idBytes);
    const index = bytes.readUInt16BE(at + idBytes);
    const known = first.get(id);
    if (known === undefined || index < known) first.set(id, index);
  }
  return first;
}

/** The ids as UUIDs. */
export function idTexts({ ids, count }: Pick<MapColumns, 'ids' | 'count'>): string[] {
  const hex = ids.toString('hex');
  return Array.from({ length: count }, (_, i) => {
    const id = hex.slice(2 * idBytes * i, 2 * idBytes * (i + 1));
    return [id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20)].join(
      '-',
    );
  });
}
