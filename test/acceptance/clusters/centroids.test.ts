import type { Client } from '@mneme/sdk';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCount } from '../../support/run-count.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { createCluster, errorCodeOf, getCluster } from './cluster-requests.ts';

const numRuns = runCount(3, 60);

const kinds = [
  'put',
  'put',
  'take',
  'rewrite',
  'soft',
  'restore',
  'remove',
  'move',
  'merge',
  'anew',
] as const;

describe.each(engines)('centroids on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  /** The sum as the rows say, and as the vectors of active members add up to. */
  async function sums(accountId: string) {
    const { db } = service.running.context.app.engine;
    const clusters = await db
      .selectFrom('clusters')
      .select(['id', 'member_set_id', 'vector_sum', 'memory_count'])
      .where('account_id', '=', accountId)
      .execute();
    const members = await db
      .selectFrom('cluster_memories as m')
      .innerJoin('memories', (on) =>
        on
          .onRef('memories.account_id', '=', 'm.account_id')
          .onRef('memories.id', '=', 'm.memory_id'),
      )
      .innerJoin('vectors', (on) =>
        on
          .onRef('vectors.account_id', '=', 'm.account_id')
          .onRef('vectors.document_id', '=', 'm.memory_id'),
      )
      .select(['m.member_set_id', 'vectors.vector'])
      .where('m.account_id', '=', accountId)
      .where('memories.deleted_at', 'is', null)
      .where('memories.erased_at', 'is', null)
      .execute();
    return clusters.map(({ member_set_id, vector_sum, memory_count }) => {
      const own = members.filter((member) => member.member_set_id === member_set_id);
      const expected = new Float64Array(service.running.context.app.embedder.dimensions);
      for (const { vector } of own) {
        const values = Int8Array.from(vector);
        const length = Math.hypot(...values);
        for (const [i, value] of values.entries()) {
          expected[i] = (expected[i] ?? 0) + (length > 0 ? value / length : 0);
        }
      }
      const bytes = Uint8Array.from(vector_sum ?? []);
      const kept = bytes.length > 0 ? new Float64Array(bytes.buffer) : expected.map(() => 0);
      const differ = Math.max(...expected.map((value, i) => Math.abs(value - (kept[i] ?? 0))));
      return { differ, memory_count, members: own.length };
    });
  }

  it('stay the mean of the active members, whatever becomes of those', async () => {
    const act = fc.record({
      kind: fc.constantFrom(...kinds),
      memory: fc.nat(11),
      cluster: fc.nat(3),
      other: fc.nat(3),
    });
    let done = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 30, maxLength: 45 }), async (acts) => {
        const { id: accountId, client } = await service.createAccount();
        const { id: space_id } = await client.spaces.create({ body: { name: 'red' } });
        const { memories } = await client.memories.bulkCreate({
          body: {
            memories: Array.from({ length: 12 }, (_, i) => ({
              content: `Ana drank cup ${i} of ${['tea', 'coffee', 'milk'][i % 3]}.`,
              space_id,
            })),
          },
        });
        const clusters: string[] = [];
        for (const name of ['a', 'b', 'c', 'd']) {
          const scope = name < 'c' ? { space_id } : {};
          clusters.push((await createCluster(client, name, scope)).id);
        }
        for (const [i, one] of acts.entries()) {
          const memory = memories[one.memory]?.id ?? '';
          const status = await perform(client, { ...one, clusters, memory, i });
          if (status < 300) done += 1;
        }
        await service.running.context.worker.drain();
        for (const { differ, memory_count, members } of await sums(accountId)) {
          expect(memory_count).toBe(members);
          expect(differ).toBeLessThan(1e-9);
        }
      }),
      { numRuns, endOnFailure: true },
    );
    expect(done).toBeGreaterThan(numRuns * 10);
  });

  it('are whole after a merge with a cluster whose sum is being computed', async () => {
    const { id: accountId, client } = await service.createAccount();
    const [into, from] = [
      await createCluster(client, 'Tea'),
      await createCluster(client, 'Coffee'),
    ];
    for (const cluster of [into, from]) {
      for (const cup of [1, 2, 3]) {
        const { id } = await client.memories.create({
          body: { content: `Cup ${cup} of ${cluster.name}.` },
        });
        await client.clusters.associate({ params: { id }, body: { cluster_ids: [cluster.id] } });
      }
    }
    const { worker, app } = service.running.context;
    await worker.drain();
    // As the job leaves it between its first two steps.
    const { member_set_id } = await app.engine.db
      .updateTable('clusters')
      .set({ vector_sum: new Uint8Array(), vector_model: null })
      .where('account_id', '=', accountId)
      .where('id', '=', from.id)
      .returning('member_set_id')
      .executeTakeFirstOrThrow();
    await app.engine.db
      .updateTable('cluster_memories')
      .set({ is_in_vector_sum: false })
      .where('account_id', '=', accountId)
      .where('member_set_id', '=', member_set_id)
      .execute();
    await client.clusters.merge({
      params: { clusterId: into.id },
      body: { source_ids: [from.id] },
    });
    await worker.drain();
    const [merged, ...others] = await sums(accountId);
    expect(others).toEqual([]);
    expect(merged).toMatchObject({ memory_count: 6, members: 6 });
    expect(merged?.differ).toBeLessThan(1e-9);
  });

  it('are there once a memory is in the cluster, and gone with the last', async () => {
    const { client } = await service.createAccount();
    const { id } = await createCluster(client, 'Tea');
    const memory = await client.memories.create({ body: { content: 'Ana likes tea.' } });
    const available = async () => (await getCluster(client, id)).centroid_available;
    expect(await available()).toBe(false);
    await client.clusters.associate({ params: { id: memory.id }, body: { cluster_ids: [id] } });
    expect(await available()).toBe(true);
    await client.memories.remove({ params: { id: memory.id } });
    expect(await available()).toBe(false);
  });

  it('are computed anew by a job where somebody asks for it: 202 with its id', async () => {
    const { client } = await service.createAccount();
    const { id } = await createCluster(client, 'Tea');
    const path = `/clusters/${id}/recompute-centroid`;
    const { status, body } = await client.request({ method: 'POST', path });
    expect(status).toBe(202);
    expect(body).toEqual({
      status: 'queued',
      job_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      cluster_id: id,
      message: expect.any(String),
    });
    await service.running.context.worker.drain();
    const job = await client.jobs.get({
      params: { id: (body as { job_id: string }).job_id },
    });
    expect(job).toMatchObject({ kind: 'clusters.centroid', status: 'completed' });
    const absent = path.replace(id, memoryLike);
    expect(errorCodeOf(await client.request({ method: 'POST', path: absent }))).toBe(
      'cluster_not_found',
    );
  });
});

const memoryLike = '019b8d1c-0000-7000-8000-00000000dead';

interface Act {
  readonly kind: (typeof kinds)[number];
  readonly cluster: number;
  readonly other: number;
  readonly clusters: readonly string[];
  readonly memory: string;
  readonly i: number;
}

/** Whatever is not possible is refused; the status. */
async function perform(
  client: Client,
  { kind, cluster, other, clusters, memory, i }: Act,
): Promise<number> {
  const path = `/memories/${memory}`;
  const [one = '', two = ''] = [clusters[cluster], clusters[other]];
  const send = async (
    method: 'POST' | 'PATCH' | 'DELETE',
    where: string,
    more: { body?: object; query?: Record<string, unknown> } = {},
  ) => (await client.request({ method, path: where, ...more })).status;
  if (kind === 'put')
    return send('POST', `${path}/clusters`, { body: { cluster_ids: [one, two] } });
  if (kind === 'take') return send('DELETE', `${path}/clusters/${one}`);
  if (kind === 'rewrite') return send('PATCH', path, { body: { content: `Rewritten as ${i}.` } });
  if (kind === 'soft') return send('DELETE', path, { query: { soft: true } });
  if (kind === 'restore') return send('POST', `${path}/restore`);
  if (kind === 'remove') return i % 3 === 0 ? send('DELETE', path) : 400;
  if (kind === 'move') return send('PATCH', path, { body: { space_id: null } });
  if (kind === 'anew') return send('POST', `/clusters/${one}/recompute-centroid`);
  if (i % 4 !== 0) return 400;
  return send('POST', `/clusters/${one}/merge`, { body: { source_ids: [two] } });
}
