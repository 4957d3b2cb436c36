import { defineRoute } from '../route.ts';
import { clusterMap, clusterMapQuery } from '../schemas/cluster-map.ts';

export const clusterMapRoutes = {
  map: defineRoute({
    id: 'clusters.map',
    method: 'GET',
    path: '/clusters/map',
    summary: 'Read the map of the memories: a place in two dimensions for each',
    description:
      'Each full run makes the map of its scope, on which memories with similar texts are close. ' +
      'Memories that are stored or changed later are placed at the weighted mean of their ' +
      'nearest neighbours; the request that counts them in unplaced_count starts that. ' +
      '`Accept: application/octet-stream` answers the same in 26 bytes for each point, in ' +
      'little-endian order: the length of the header in 4 bytes, the header (JSON with `map`, ' +
      '`clusters`, `total_count`, `unplaced_count` and `count`, padded with spaces to a multiple ' +
      'of 4 bytes), the ids of 16 bytes, x of all points and then y as 4-byte floats, and the ' +
      'index of the cluster in 2 bytes, 65535 for none.',
    access: 'clusters:read',
    query: clusterMapQuery,
    responses: { 200: clusterMap },
    binaryFormat: 'application/octet-stream',
    errors: ['space_not_found', 'space_access_denied'],
    example: {
      response: {
        map: null,
        clusters: [],
        total_count: 0,
        unplaced_count: 0,
        ids: [],
        x: [],
        y: [],
        cluster: [],
      },
    },
  }),
} as const;
