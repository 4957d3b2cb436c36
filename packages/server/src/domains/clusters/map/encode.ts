import type { ClusterMap } from '@mneme/contract';
import type { BodyStream } from '../../handler.ts';
import type { MapColumns } from './points.ts';

/** What a map has besides its points. */
export type MapHead = Pick<ClusterMap, 'map' | 'clusters' | 'total_count' | 'unplaced_count'>;

const alignment = 4;

/**
 * The binary format of a map; GET /clusters/map documents it. Numbers are little-endian, and the
 * columns are aligned, so that typed arrays can read them in place.
 */
export async function* encodeMap(head: MapHead, columns: MapColumns): BodyStream {
  const { count, ids, x, y, cluster } = columns;
  const json = Buffer.from(JSON.stringify({ ...head, count }));
  const header = Buffer.alloc(Math.ceil(json.length / alignment) * alignment, ' ');
  json.copy(header);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(header.length);
  yield Buffer.concat([length, header, ids, floatBytes(x), floatBytes(y), indexBytes(cluster)]);
}

function floatBytes(values: Float32Array): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeFloatLE(value, 4 * i);
  return bytes;
}

function indexBytes(values: Uint16Array): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt16LE(value, 2 * i);
  return bytes;
}
