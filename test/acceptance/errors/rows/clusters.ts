import { limits } from '@mneme/contract';
import { asking, nobody, type Row, someId } from '../row.ts';
import type { Stage } from '../stage.ts';

/** An account with a memory and a cluster. */
async function clustered({ service }: Stage) {
  const { client, key } = await service.account();
  const memory = await client.memories.create({ body: { content: 'Ana prefers tea.' } });
  const cluster = await client.clusters.create({ body: { name: 'Tea' } });
  return { client, key, memory: memory.id, cluster: cluster.id };
}

export const clusters: readonly Row[] = [
  {
    code: 'cluster_not_found',
    where: 'there is no such cluster',
    route: 'clusters.get',
    details: { cluster_id: nobody },
    async provoke(stage) {
      const { key } = await clustered(stage);
      return asking(stage, `GET /clusters/${nobody}`, { key });
    },
  },
  {
    code: 'cluster_not_found',
    where: 'an id in the path is none',
    route: 'clusters.update',
    async provoke(stage) {
      const { key } = await clustered(stage);
      return asking(stage, 'PATCH /clusters/nonsense', { key, body: {} });
    },
  },
  {
    code: 'cluster_not_found',
    where: 'a memory is put in a cluster that there is not',
    route: 'clusters.associate',
    details: { cluster_id: nobody },
    async provoke(stage) {
      const { key, memory } = await clustered(stage);
      const body = { cluster_ids: [nobody] };
      return asking(stage, `POST /memories/${memory}/clusters`, { key, body });
    },
  },
  {
    code: 'conflict',
    where: 'a cluster of the scope has the name',
    route: 'clusters.create',
    details: { name: 'TEA', cluster_id: someId },
    async provoke(stage) {
      const { key } = await clustered(stage);
      return asking(stage, 'POST /clusters', { key, body: { name: 'TEA' } });
    },
  },
  {
    code: 'conflict',
    where: 'a clustering run of the scope waits or runs',
    route: 'clusters.full',
    details: { job_id: someId, run_status: 'queued' },
    async provoke(stage) {
      const { client, key } = await clustered(stage);
      const { job_id } = await client.clusters.full();
      const { db } = stage.service.running.context.app.engine;
      const run_at = new Date(Date.now() + 3_600_000);
      await db.updateTable('jobs').set({ run_at }).where('id', '=', job_id).execute();
      return asking(stage, 'POST /clusters/full', { key });
    },
  },
  {
    code: 'conflict',
    where: 'a job cannot be cancelled',
    route: 'jobs.cancel',
    async provoke(stage) {
      const { client, key, memory } = await clustered(stage);
      const { job_id } = await client.memories.bulkDelete({ body: { ids: [memory] } });
      return asking(stage, `POST /jobs/${job_id}/cancel`, { key });
    },
  },
  {
    code: 'precondition_failed',
    where: 'a cluster has changed since that ETag',
    route: 'clusters.update',
    details: { etag: '"1"' },
    async provoke(stage) {
      const { key, cluster } = await clustered(stage);
      const headers = { 'if-match': '"7"' };
      return asking(stage, `PATCH /clusters/${cluster}`, { key, headers, body: { name: 'x' } });
    },
  },
  {
    code: 'quota_exceeded',
    where: 'a memory is in as many clusters as it can be put in',
    route: 'clusters.associate',
    details: {
      quota: 'clusters_per_memory',
      limit: limits.clustersPerMemoryMax,
      used: limits.clustersPerMemoryMax,
    },
    async provoke(stage) {
      const { client, key, memory, cluster } = await clustered(stage);
      const cluster_ids: string[] = [];
      for (let i = 0; i < limits.clustersPerMemoryMax; i += 1) {
        cluster_ids.push((await client.clusters.create({ body: { name: `cluster ${i}` } })).id);
      }
      await client.clusters.associate({ params: { id: memory }, body: { cluster_ids } });
      const body = { cluster_ids: [cluster] };
      return asking(stage, `POST /memories/${memory}/clusters`, { key, body });
    },
  },
];
