import type { Client, ClusterMap } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { absentId, expectError } from '../memories/memory-requests.ts';
import { addToClusters, createCluster, errorCodeOf, fieldErrorCodes } from './cluster-requests.ts';
import {
  memoriesOfTopic,
  runFullClustering,
  storeMemories,
  unrelatedMemories,
} from './clusterable-memories.ts';

type Place = readonly [x: number, y: number];

const placesOf = (map: ClusterMap): Map<string, Place> =>
  new Map(map.ids.map((id, i) => [id, [map.x[i] ?? 0, map.y[i] ?? 0]]));

const distance = (a: Place, b: Place): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** The name of the cluster of each memory that is in one. */
const clusterNames = (map: ClusterMap): Map<string, string> =>
  new Map(
    map.ids.flatMap((id, i) => {
      const index = map.cluster[i] ?? null;
      return index === null ? [] : [[id, map.clusters[index]?.name ?? '']];
    }),
  );

const readMap = (client: Client, query: object = {}) => client.clusters.map({ query });

/** The map once all memories have a place. */
const readCompleteMap = (client: Client, query: object = {}): Promise<ClusterMap> =>
  eventually(
    () => readMap(client, query),
    ({ unplaced_count }) => unplaced_count === 0,
  );

describe.each(engines)('the map of memories on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  /** An account with two topics of 12 memories, and its map. */
  async function scene() {
    const { client, key } = await service.createAccount();
    const bees = await storeMemories(client, memoriesOfTopic(0, 12), { user_id: 'ana' });
    const invoices = await storeMemories(client, memoriesOfTopic(1, 12), { user_id: 'ben' });
    const run = await runFullClustering(client);
    return { client, key, bees, invoices, run };
  }

  it('does not exist before a full run', async () => {
    const { client } = await service.createAccount();
    await storeMemories(client, memoriesOfTopic(0, 3));
    expect(await readMap(client)).toEqual({
      map: null,
      clusters: [],
      total_count: 0,
      unplaced_count: 0,
      ids: [],
      x: [],
      y: [],
      cluster: [],
    });
  });

  it('has a place for each memory, close to those of its topic, and its cluster', async () => {
    const { client, bees, invoices, run } = await scene();
    const map = await readMap(client);
    expect(map.map).toEqual({
      clustering_run_id: run.id,
      space_id: null,
      created_at: expect.stringMatching(/^\d{4}-/),
    });
    expect(map.ids).toEqual([...bees, ...invoices].toSorted());
    expect([map.total_count, map.unplaced_count]).toEqual([24, 0]);
    for (const value of [...map.x, ...map.y]) expect(Math.abs(value)).toBeLessThanOrEqual(1);
    const places = placesOf(map);
    for (const [own, others] of [
      [bees, invoices],
      [invoices, bees],
    ] as const) {
      for (const id of own) {
        const place = places.get(id) as Place;
        const near = (ids: readonly string[]) =>
          Math.min(
            ...ids.filter((it) => it !== id).map((it) => distance(place, places.get(it) as Place)),
          );
        expect(near(own)).toBeLessThan(near(others));
      }
    }
    const listed = (await client.clusters.list()).data;
    expect(map.clusters.map(({ id }) => id).toSorted()).toEqual(
      listed.map(({ id }) => id).toSorted(),
    );
    const names = clusterNames(map);
    for (const group of [bees, invoices]) {
      expect(new Set(group.map((id) => names.get(id))).size).toBe(1);
    }
    expect(map.clusters.map(({ memory_count }) => memory_count)).toEqual([12, 12]);
  });

  it('is the same after another run of the same memories', async () => {
    const { client } = await scene();
    const { map: first, ...points } = await readMap(client);
    const { id } = await runFullClustering(client);
    const { map: second, ...others } = await readMap(client);
    expect(others).toEqual(points);
    expect(first?.clustering_run_id).not.toBe(id);
    expect(second?.clustering_run_id).toBe(id);
  });

  it('has the same content in its binary format', async () => {
    const { client, key } = await scene();
    await storeMemories(client, unrelatedMemories(3));
    const map = await readCompleteMap(client);
    const response = await fetch(`${service.url}/v1/clusters/map`, {
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/octet-stream',
      },
    });
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('vary')).toContain('Accept');
    const bytes = Buffer.from(await response.arrayBuffer());
    const start = 4 + bytes.readUInt32LE(0);
    expect(start % 4).toBe(0);
    const { count, ...head } = JSON.parse(bytes.subarray(4, start).toString()) as {
      count: number;
    };
    const { ids, x, y, cluster, ...jsonHead } = map;
    expect(head).toEqual(jsonHead);
    expect(count).toBe(27);
    expect(bytes.length).toBe(start + 26 * count);
    for (let i = 0; i < count; i += 1) {
      const id = bytes.subarray(start + 16 * i, start + 16 * i + 16).toString('hex');
      expect(id).toBe(ids[i]?.replaceAll('-', ''));
      expect(bytes.readFloatLE(start + 16 * count + 4 * i)).toBeCloseTo(x[i] ?? 9, 4);
      expect(bytes.readFloatLE(start + 20 * count + 4 * i)).toBeCloseTo(y[i] ?? 9, 4);
      const index = bytes.readUInt16LE(start + 24 * count + 2 * i);
      expect(index === 65_535 ? null : index).toBe(cluster[i]);
    }
  });

  it('places memories that are stored later between those of their topic', async () => {
    const { client, bees } = await scene();
    const before = placesOf(await readMap(client));
    const later = await storeMemories(client, memoriesOfTopic(0, 3, 50));
    const map = await readCompleteMap(client);
    const places = placesOf(map);
    for (const [id, place] of before) expect(places.get(id)).toEqual(place);
    for (const axis of [0, 1] as const) {
      const own = bees.map((id) => before.get(id)?.[axis] ?? 9);
      for (const id of later) {
        const value = places.get(id)?.[axis] ?? 9;
        expect(value).toBeGreaterThanOrEqual(Math.min(...own) - 1e-4);
        expect(value).toBeLessThanOrEqual(Math.max(...own) + 1e-4);
      }
    }
  });

  it('places a memory again when its content changes', async () => {
    const { client, bees, invoices } = await scene();
    const [id = ''] = bees;
    const before = placesOf(await readMap(client)).get(id);
    const { content } = await client.memories.get({ params: { id: invoices[0] ?? '' } });
    await client.memories.update({ params: { id }, body: { content: `${content} Again.` } });
    expect((await readMap(client)).ids).not.toContain(id);
    const after = placesOf(await readCompleteMap(client)).get(id);
    expect(after).toBeDefined();
    expect(after).not.toEqual(before);
  });

  it('loses deleted and erased memories at once, and regains restored ones', async () => {
    const { client, bees, invoices } = await scene();
    const [deleted = '', erased = ''] = bees;
    await client.memories.remove({ params: { id: deleted }, query: { soft: true } });
    await client.memories.remove({ params: { id: erased } });
    await client.memories.bulkDelete({ body: { ids: invoices.slice(0, 4) } });
    const left = [...bees.slice(2), ...invoices.slice(4)].toSorted();
    expect((await readMap(client)).ids).toEqual(left);
    await client.memories.restore({ params: { id: deleted } });
    expect((await readMap(client)).ids).toEqual([deleted, ...left].toSorted());
  });

  it('shows memories of manual clusters, which a run leaves out, in their cluster', async () => {
    const { client } = await service.createAccount();
    const [first = '', ...others] = await storeMemories(client, memoriesOfTopic(0, 12));
    await storeMemories(client, memoriesOfTopic(1, 12));
    const cluster = await createCluster(client, 'By hand', { color: '#abc' });
    await addToClusters(client, first, cluster.id);
    await runFullClustering(client);
    const map = await readCompleteMap(client);
    expect(map.ids).toHaveLength(24);
    expect(clusterNames(map).get(first)).toBe('By hand');
    expect(clusterNames(map).get(others[0] ?? '')).not.toBe('By hand');
  });

  it('shows an owner, and a token of one user, nothing of the others', async () => {
    const { client, bees } = await scene();
    const { token } = await client.auth.createToken({ body: { user_id: 'ana' } });
    const ana = service.client(token);
    const all = placesOf(await readMap(client));
    for (const map of [await readMap(ana), await readMap(client, { user_id: 'ana' })]) {
      expect(map.ids).toEqual(bees.toSorted());
      expect(map.total_count).toBe(12);
      for (const [id, place] of placesOf(map)) expect(place).toEqual(all.get(id));
      expect(map.clusters.map(({ memory_count }) => memory_count)).toEqual([12]);
      expect(JSON.stringify(map.clusters)).not.toMatch(/invoice/i);
    }
    expect(await expectError(readMap(ana, { user_id: 'ben' }))).toMatchObject({
      code: 'user_access_denied',
    });
    expect((await readMap(client, { agent_id: 'nobody' })).ids).toEqual([]);
  });

  it('of a space has its memories only, and keys see the maps of their spaces', async () => {
    const { client } = await service.createAccount();
    const red = (await client.spaces.create({ body: { name: 'red' } })).id;
    const blue = (await client.spaces.create({ body: { name: 'blue' } })).id;
    const own = await storeMemories(client, memoriesOfTopic(0, 12), { space_id: red });
    const [other = ''] = await storeMemories(client, memoriesOfTopic(1, 12), { space_id: blue });
    await runFullClustering(client, { space_id: red });
    await runFullClustering(client);
    const { key } = await client.keys.create({ body: { name: 'limited', space_ids: [red] } });
    const limited = service.client(key);
    expect((await readMap(limited, { space_id: red })).ids).toEqual(own.toSorted());
    expect((await readMap(limited, { space: 'red' })).ids).toEqual(own.toSorted());
    for (const query of [{}, { space_id: blue }, { space_id: 'default' }]) {
      expect(await expectError(readMap(limited, query))).toMatchObject({
        code: 'space_access_denied',
      });
    }
    expect((await readMap(client)).ids).toHaveLength(24);
    expect((await readMap(client, { space_id: blue })).map).toBeNull();
    // A memory that moves is on the map of the space that it is in.
    await client.memories.update({ params: { id: other }, body: { space_id: red } });
    await client.memories.update({ params: { id: own[0] ?? '' }, body: { space_id: blue } });
    const ids = [...own.slice(1), other].toSorted();
    expect((await readCompleteMap(client, { space_id: red })).ids).toEqual(ids);
  });

  it('ends with its space', async () => {
    const { client } = await service.createAccount();
    const space_id = (await client.spaces.create({ body: { name: 'red' } })).id;
    const ids = await storeMemories(client, memoriesOfTopic(0, 12), { space_id });
    await runFullClustering(client, { space_id });
    await client.memories.bulkDelete({ body: { ids } });
    await client.spaces.remove({ params: { id: space_id } });
    expect(await expectError(readMap(client, { space_id }))).toMatchObject({
      code: 'space_not_found',
    });
  });

  it('needs clusters:read, a known space and known fields, and is of one account', async () => {
    const { client } = await scene();
    const body = { name: 'no', scopes: ['search:read' as const] };
    const { key } = await client.keys.create({ body });
    expect(await expectError(readMap(service.client(key)))).toMatchObject({
      code: 'insufficient_permissions',
    });
    const get = (query: Record<string, string>) =>
      client.request({ method: 'GET', path: '/clusters/map', query });
    expect(errorCodeOf(await get({ space_id: absentId }))).toBe('space_not_found');
    expect(fieldErrorCodes(await get({ colour: 'x', space_id: '?' }))).toEqual({
      colour: 'unknown_field',
      space_id: 'invalid_format',
    });
    const { client: stranger } = await service.createAccount();
    expect((await readMap(stranger)).map).toBeNull();
  });
});
