import type { Cluster } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { describe, expect, it } from 'vitest';
import { useAccountPerTest } from '../../support/account-per-test.ts';
import { engines, type Service } from '../../support/service.ts';
import { absentId, listEvents } from '../memories/memory-requests.ts';
import {
  addToClusters,
  createCluster,
  errorCodeOf,
  fieldErrorCodes,
  getCluster,
  listMemberIds,
} from './cluster-requests.ts';
import {
  memoriesOfTopic,
  runFullClustering,
  runIncrementalClustering,
  storeMemories,
  unrelatedMemories,
  waitForRun,
} from './clusterable-memories.ts';

const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe.each(engines)('clustering runs on %s', (engine) => {
  let service: Service;
  let client: Client;
  useAccountPerTest(engine, (begun) => {
    ({ service, client } = begun);
  });

  const post = (path: string, body: object = {}) => client.request({ method: 'POST', path, body });
  const found = async () =>
    (await client.clusters.list({ query: { limit: 100 } })).data.filter(
      ({ cluster_type }) => cluster_type !== 'manual',
    );
  /** Which of the groups are clusters as they are, by the ids of those clusters. */
  const homesOf = async (
    groups: readonly (readonly string[])[],
  ): Promise<(string | undefined)[]> => {
    const sets = new Map<string, string>();
    for (const { id } of await found()) {
      sets.set((await listMemberIds(client, id)).toSorted().join(), id);
    }
    return groups.map((group) => sets.get(group.toSorted().join()));
  };

  it('find the groups that lie close together; the rest is noise', async () => {
    const groups: string[][] = [];
    for (const topic of [0, 1, 2])
      groups.push(await storeMemories(client, memoriesOfTopic(topic, 12)));
    const noise = await storeMemories(client, unrelatedMemories(4));
    const asked = await post('/clusters/full');
    expect(asked).toMatchObject({
      status: 202,
      body: {
        status: 'queued',
        job_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        message: expect.any(String),
        params: { space_id: null, memory_count: 40, algorithm: 'hdbscan', min_cluster_size: 5 },
      },
    });
    const { job_id } = asked.body as { job_id: string };
    const run = await waitForRun(client, job_id);
    expect(run).toEqual({
      id: job_id,
      kind: 'full',
      algorithm: 'hdbscan',
      min_cluster_size: 5,
      status: 'completed',
      space_id: null,
      created_at: at,
      started_at: at,
      completed_at: at,
      finished_at: at,
      memory_count: 40,
      cluster_count: 3,
      noise_count: expect.any(Number),
      sampled_count: null,
      error: null,
    });
    const clusters = await found();
    const sets = await Promise.all(clusters.map(({ id }) => listMemberIds(client, id)));
    for (const group of groups) {
      expect(sets.filter((set) => group.every((id) => set.includes(id)))).toHaveLength(1);
    }
    const all = sets.flat();
    expect(new Set(all).size).toBe(all.length);
    expect(all.length + run.noise_count).toBe(40);
    const left = noise.filter((id) => !all.includes(id));
    expect(left).toHaveLength(run.noise_count);
    for (const id of left) {
      expect((await client.clusters.ofMemory({ params: { id } })).data).toEqual([]);
    }
    for (const cluster of clusters) {
      expect(cluster).toMatchObject({
        cluster_type: 'hdbscan',
        memory_count: expect.any(Number),
        space_id: null,
        centroid_available: true,
        topic_label: expect.any(String),
        silhouette_score: expect.any(Number),
        cohesion_score: expect.any(Number),
      });
      expect(cluster.topic_keywords?.length).toBeGreaterThan(0);
      expect(cluster.cohesion_score).toBeGreaterThan(0.7);
    }
    const { status, progress, kind } = await client.jobs.get({ params: { id: job_id } });
    expect([status, progress, kind]).toEqual(['completed', 1, 'clusters.run']);
    const created = (await listEvents(client, 'cluster.created')).map(({ data }) => data.id);
    expect(created.toSorted()).toEqual((await found()).map(({ id }) => id).toSorted());
  });

  it('keep the id of what mostly stays, tell what changed, and remove the rest', async () => {
    const [bees = [], invoices = []] = [
      await storeMemories(client, memoriesOfTopic(0, 10)),
      await storeMemories(client, memoriesOfTopic(1, 10)),
    ];
    await runFullClustering(client);
    const [first, second] = await homesOf([bees, invoices]);
    // Two thirds of one stay, of the other nothing.
    const more = await storeMemories(client, memoriesOfTopic(0, 5, 10));
    await client.memories.bulkDelete({ body: { ids: invoices } });
    const kernels = await storeMemories(client, memoriesOfTopic(2, 8));
    await runFullClustering(client);
    const [now, third] = await homesOf([[...bees, ...more], kernels]);
    expect(now).toBe(first);
    expect([first, second]).not.toContain(third);
    const told = (await listEvents(client)).filter(({ type }) => type.startsWith('cluster.'));
    const last = told.slice(2);
    expect(last.map(({ type, data }) => [type, data.id]).toSorted()).toEqual(
      [
        ['cluster.updated', first],
        ['cluster.deleted', second],
        ['cluster.created', third],
      ].toSorted(),
    );
    expect(last.find(({ type }) => type === 'cluster.updated')?.changes).toContain('memory_count');
  });

  it('keep the id of what stays beside memories that were softly deleted', async () => {
    const bees = await storeMemories(client, memoriesOfTopic(0, 20));
    await storeMemories(client, memoriesOfTopic(1, 20));
    await runFullClustering(client);
    const [first] = await homesOf([bees]);
    await client.memories.bulkDelete({ body: { ids: bees.slice(8), soft: true } });
    await runFullClustering(client);
    expect(await homesOf([bees.slice(0, 8)])).toEqual([first]);
  });

  it('are at odds with no name that somebody gives, an id neither', async () => {
    const bees = await storeMemories(client, memoriesOfTopic(0, 10));
    await storeMemories(client, memoriesOfTopic(1, 10));
    await runFullClustering(client);
    const [id = ''] = await homesOf([bees]);
    const named = await createCluster(client, id);
    expect(await runFullClustering(client)).toMatchObject({
      status: 'completed',
      cluster_count: 2,
    });
    expect(await homesOf([bees])).toEqual([id]);
    expect((await getCluster(client, named.id)).name).toBe(id);
  });

  it('keep a name, a colour and a description that somebody gave', async () => {
    const bees = await storeMemories(client, memoriesOfTopic(0, 10));
    await storeMemories(client, memoriesOfTopic(1, 10));
    await runFullClustering(client);
    const [id = ''] = await homesOf([bees]);
    const body = { name: 'Our bees', color: '#ff0', description: 'd', metadata: { a: 1 } };
    await client.clusters.update({ params: { clusterId: id }, body });
    await storeMemories(client, memoriesOfTopic(0, 3, 10));
    await runFullClustering(client);
    const cluster = await client.clusters.get({ params: { clusterId: id } });
    expect(cluster).toMatchObject({ ...body, memory_count: 13 });
  });

  it('leave manual clusters and who is in them alone, and give names that nobody has', async () => {
    const bees = await storeMemories(client, memoriesOfTopic(0, 10));
    const invoices = await storeMemories(client, memoriesOfTopic(1, 10));
    await runFullClustering(client);
    const names = (await found()).map(({ name }) => name);
    for (const { id } of await found()) await client.clusters.remove({ params: { clusterId: id } });
    const manual: Cluster[] = [];
    for (const name of names) manual.push(await createCluster(client, name.toUpperCase()));
    const [taken = ''] = bees;
    await addToClusters(client, taken, manual[0]?.id ?? '');
    const run = await runFullClustering(client);
    expect(run).toMatchObject({ memory_count: 19, cluster_count: 2, noise_count: 0 });
    expect(await homesOf([bees.slice(1), invoices])).not.toContain(undefined);
    expect((await found()).map(({ name }) => name).toSorted()).toEqual(
      names.map((name) => `${name} 2`).toSorted(),
    );
    expect(await listMemberIds(client, manual[0]?.id ?? '')).toEqual([taken]);
  });

  it('of a space cover its memories alone, beside those of the account', async () => {
    const { id: space_id } = await client.spaces.create({ body: { name: 'red' } });
    const own = await storeMemories(client, memoriesOfTopic(0, 8), { space_id });
    const others = await storeMemories(client, memoriesOfTopic(0, 8, 100));
    const more = await storeMemories(client, [...memoriesOfTopic(1, 8), ...memoriesOfTopic(2, 8)], {
      space_id,
    });
    const run = await runFullClustering(client, { team_space_id: space_id });
    expect(run).toMatchObject({ space_id, memory_count: 24, cluster_count: 3 });
    for (const cluster of await found()) expect(cluster.space_id).toBe(space_id);
    const wide = await runFullClustering(client);
    expect(wide).toMatchObject({ space_id: null, memory_count: 32, cluster_count: 3 });
    const both = await client.clusters.ofMemory({ params: { id: own[0] ?? '' } });
    expect(both.data.map((cluster) => cluster.space_id).toSorted()).toEqual([space_id, null]);
    const one = await client.clusters.ofMemory({ params: { id: others[0] ?? '' } });
    expect(one.data.map(({ memory_count }) => memory_count)).toEqual([16]);
    expect(more).toHaveLength(16);
    const { data } = await client.clusters.runs({ query: { space_id } });
    expect(data.map(({ id }) => id)).toEqual([run.id]);
  });

  it('leave soft-deleted memories out', async () => {
    const bees = await storeMemories(client, [...memoriesOfTopic(0, 8), ...memoriesOfTopic(1, 8)]);
    await client.memories.bulkDelete({ body: { ids: bees.slice(0, 2), soft: true } });
    expect(await runFullClustering(client)).toMatchObject({ memory_count: 14, noise_count: 0 });
  });

  it('by relationships find who is linked, whatever they say', async () => {
    const ids = await storeMemories(client, unrelatedMemories(12));
    const links = ids.flatMap((source_id, i) =>
      ids
        .slice(i + 1)
        .filter((_, j) => (i + j + 1) % 2 === i % 2)
        .map((target_id) => ({ source_id, target_id, type: 'supports' })),
    );
    await client.relationships.batch({ body: { relationships: links } });
    const run = await runFullClustering(client, { algorithm: 'community', min_cluster_size: 3 });
    expect(run).toMatchObject({ algorithm: 'community', cluster_count: 2, noise_count: 0 });
    const [even, odd] = [ids.filter((_, i) => i % 2 === 0), ids.filter((_, i) => i % 2 === 1)];
    expect(await homesOf([even, odd])).not.toContain(undefined);
    expect((await found()).map(({ cluster_type }) => cluster_type)).toEqual([
      'community',
      'community',
    ]);
  });

  it('by topics tell what each cluster is about, and which memories stand for it', async () => {
    const bees = await storeMemories(client, memoriesOfTopic(0, 10));
    await storeMemories(client, memoriesOfTopic(1, 10));
    await runFullClustering(client, { algorithm: 'bertopic' });
    const [clusterId = ''] = await homesOf([bees]);
    const topics = await client.clusters.topics({ params: { clusterId } });
    expect(topics).toMatchObject({ cluster_id: clusterId, topic_label: expect.any(String) });
    expect(topics.topic_keywords).toContain('bees');
    expect(topics.representation?.terms.map(({ term }) => term)).toEqual(topics.topic_keywords);
    expect(topics.representation?.memory_ids.length).toBeGreaterThan(0);
    for (const id of topics.representation?.memory_ids ?? []) expect(bees).toContain(id);
    const [gone = ''] = topics.representation?.memory_ids ?? [];
    await client.memories.remove({ params: { id: gone } });
    const after = await client.clusters.topics({ params: { clusterId } });
    expect(after.representation?.memory_ids).not.toContain(gone);
    const quality = await client.clusters.quality({ params: { clusterId } });
    expect(quality).toMatchObject({ cluster_id: clusterId, computed_at: at });
    const cluster = await client.clusters.get({ params: { clusterId } });
    expect(quality).toMatchObject({
      silhouette_score: cluster.silhouette_score,
      dbcv_score: cluster.dbcv_score,
      cohesion_score: cluster.cohesion_score,
    });
  });

  it('that are incremental assign to the nearest centroid, from .6 on', async () => {
    const bees = await storeMemories(client, memoriesOfTopic(0, 10));
    await storeMemories(client, memoriesOfTopic(1, 10));
    await runFullClustering(client);
    const [home = ''] = await homesOf([bees]);
    const fresh_ = await storeMemories(client, memoriesOfTopic(0, 2, 50));
    const far = await storeMemories(client, unrelatedMemories(1, 7));
    const asked = await post('/clusters/incremental');
    expect(asked).toMatchObject({
      status: 202,
      body: { status: 'queued', params: { space_id: null, memory_count: 3 } },
    });
    const run = await waitForRun(client, (asked.body as { job_id: string }).job_id);
    expect(run).toMatchObject({
      kind: 'incremental',
      status: 'completed',
      memory_count: 3,
      cluster_count: 2,
      noise_count: 1,
    });
    for (const id of fresh_) {
      const [one] = (await client.clusters.ofMemory({ params: { id } })).data;
      expect(one).toMatchObject({ id: home, memory_count: 12 });
      expect(one?.confidence).toBeGreaterThan(0.6);
      expect(one?.confidence).toBeLessThanOrEqual(1);
    }
    expect((await client.clusters.ofMemory({ params: { id: far[0] ?? '' } })).data).toEqual([]);
    const told = (await listEvents(client, 'cluster.memory_added')).map(
      ({ data }) => data.memory_id,
    );
    expect(told.toSorted()).toEqual(fresh_.toSorted());
  });

  it('that are incremental look at the named memories alone, and move them', async () => {
    const bees = await storeMemories(client, memoriesOfTopic(0, 10));
    const invoices = await storeMemories(client, memoriesOfTopic(1, 10));
    await runFullClustering(client);
    const [first, second] = await homesOf([bees, invoices]);
    const [one = '', two = ''] = await storeMemories(client, memoriesOfTopic(0, 2, 50));
    expect(await runIncrementalClustering(client, { memory_ids: [one] })).toMatchObject({
      memory_count: 1,
      noise_count: 0,
    });
    expect((await client.clusters.ofMemory({ params: { id: two } })).data).toEqual([]);
    // As if it had been put in the wrong one.
    await client.clusters.dissociate({ params: { id: one, clusterId: first ?? '' } });
    await addToClusters(client, one, second ?? '');
    await runIncrementalClustering(client, { memory_ids: [one, one] });
    const { data } = await client.clusters.ofMemory({ params: { id: one } });
    expect(data.map(({ id }) => id)).toEqual([first]);
    const manual = await createCluster(client, 'By hand');
    await addToClusters(client, two, manual.id);
    expect(await runIncrementalClustering(client, { memory_ids: [two] })).toMatchObject({
      memory_count: 0,
    });
    const absent = await post('/clusters/incremental', { memory_ids: [absentId] });
    expect([absent.status, errorCodeOf(absent)]).toEqual([404, 'memory_not_found']);
  });

  it('without clusters or memories end as well', async () => {
    expect(await runFullClustering(client)).toMatchObject({
      status: 'completed',
      memory_count: 0,
      cluster_count: 0,
      noise_count: 0,
    });
    await storeMemories(client, unrelatedMemories(2));
    expect(await runIncrementalClustering(client)).toMatchObject({
      memory_count: 2,
      noise_count: 2,
    });
    expect(await runFullClustering(client)).toMatchObject({ memory_count: 2, noise_count: 2 });
    expect(await runFullClustering(client, { algorithm: 'community' })).toMatchObject({
      noise_count: 2,
    });
  });

  it.each([
    [
      'an unknown algorithm',
      '/clusters/full',
      { algorithm: 'kmeans' },
      { algorithm: 'invalid_enum_value' },
    ],
    [
      'a size of 1',
      '/clusters/full',
      { min_cluster_size: 1 },
      { min_cluster_size: 'invalid_range' },
    ],
    [
      'a size of 1,001',
      '/clusters/config',
      { min_cluster_size: 1_001 },
      { min_cluster_size: 'invalid_range' },
    ],
    [
      'an algorithm of no name',
      '/clusters/config',
      { algorithm: '' },
      { algorithm: 'invalid_enum_value' },
    ],
    [
      'auto_enabled as a text',
      '/clusters/config',
      { auto_enabled: 'yes' },
      { auto_enabled: 'invalid_type' },
    ],
    [
      'two scopes that differ',
      '/clusters/incremental',
      { space_id: absentId, team_space_id: null },
      { team_space_id: 'invalid_format' },
    ],
    [
      'two scopes that differ',
      '/clusters/full',
      { space_id: absentId, team_space_id: null },
      { team_space_id: 'invalid_format' },
    ],
    ['no memories', '/clusters/incremental', { memory_ids: [] }, { memory_ids: 'invalid_range' }],
    [
      'what is no id',
      '/clusters/incremental',
      { memory_ids: ['x'] },
      { 'memory_ids.0': 'invalid_format' },
    ],
  ])('refuse %s: %s', async (_what, path, body, fields) => {
    expect(fieldErrorCodes(await post(path, body))).toEqual(fields);
  });

  it('take the scope by either of its names, and by both where they agree', async () => {
    const { id } = await client.spaces.create({ body: { name: 'red' } });
    const run = await runFullClustering(client, { space_id: id, team_space_id: id });
    expect(run.space_id).toBe(id);
    expect(await runIncrementalClustering(client, { team_space_id: id })).toMatchObject({
      space_id: id,
    });
    const absent = await post('/clusters/full', { space_id: absentId });
    expect(errorCodeOf(absent)).toBe('space_not_found');
  });

  it('are found as the configuration says, hdbscan from 5 on unless it was changed', async () => {
    expect(await client.clusters.config()).toEqual({
      algorithm: 'hdbscan',
      min_cluster_size: 5,
      auto_enabled: false,
    });
    const changed = await post('/clusters/config', { algorithm: 'bertopic' });
    expect([changed.status, changed.body]).toEqual([
      200,
      { algorithm: 'bertopic', min_cluster_size: 5, auto_enabled: false },
    ]);
    await post('/clusters/config', { min_cluster_size: 3 });
    expect(await client.clusters.config()).toMatchObject({ min_cluster_size: 3 });
    const run = await runFullClustering(client);
    expect(run).toMatchObject({ algorithm: 'bertopic', min_cluster_size: 3 });
  });

  it('compute the metrics of a cluster anew when asked, of a manual one too', async () => {
    const bees = await storeMemories(client, memoriesOfTopic(0, 8));
    const invoices = await storeMemories(client, memoriesOfTopic(1, 8));
    const [one, two] = [
      await createCluster(client, 'Bees'),
      await createCluster(client, 'Invoices'),
    ];
    for (const id of bees) await addToClusters(client, id, one.id);
    for (const id of invoices) await addToClusters(client, id, two.id);
    const params = { clusterId: one.id };
    const none = { silhouette_score: null, dbcv_score: null, cohesion_score: null };
    expect(await client.clusters.quality({ params })).toEqual({
      cluster_id: one.id,
      ...none,
      computed_at: null,
    });
    const asked = await post(`/clusters/${one.id}/refresh-metrics`);
    expect(asked).toMatchObject({
      status: 202,
      body: { status: 'queued', job_id: expect.any(String), cluster_id: one.id },
    });
    await service.running.context.worker.drain();
    const quality = await client.clusters.quality({ params });
    expect(quality).toMatchObject({ silhouette_score: expect.any(Number), computed_at: at });
    expect(quality.silhouette_score).toBeGreaterThan(0.5);
    expect(quality.cohesion_score).toBeGreaterThan(0.7);
    const empty = await createCluster(client, 'Empty');
    await post(`/clusters/${empty.id}/refresh-metrics`);
    await service.running.context.worker.drain();
    expect(await client.clusters.quality({ params: { clusterId: empty.id } })).toMatchObject(none);
    expect(errorCodeOf(await post(`/clusters/${absentId}/refresh-metrics`))).toBe(
      'cluster_not_found',
    );
  });
});
