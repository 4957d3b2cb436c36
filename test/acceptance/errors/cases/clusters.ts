import { limits } from '@mneme/contract';
import { absentId, type ErrorCase, prepareRequest, someId } from '../error-case.ts';
import type { FaultInjectionService } from '../fault-injection-service.ts';

/** An account with a memory and a cluster. */
async function createClusteredMemory({ service }: FaultInjectionService) {
  const { client, key } = await service.createAccount();
  const memory = await client.memories.create({ body: { content: 'Ana prefers tea.' } });
  const cluster = await client.clusters.create({ body: { name: 'Tea' } });
  return { client, key, memory: memory.id, cluster: cluster.id };
}

export const clusters: readonly ErrorCase[] = [
  {
    code: 'cluster_not_found',
    where: 'there is no such cluster',
    route: 'clusters.get',
    details: { cluster_id: absentId },
    async provoke(stage) {
      const { key } = await createClusteredMemory(stage);
      return prepareRequest(stage, `GET /clusters/${absentId}`, { key });
    },
  },
  {
    code: 'cluster_not_found',
    where: 'an id in the path is none',
    route: 'clusters.update',
    async provoke(stage) {
      const { key } = await createClusteredMemory(stage);
      return prepareRequest(stage, 'PATCH /clusters/nonsense', { key, body: {} });
    },
  },
  {
    code: 'cluster_not_found',
    where: 'a memory is put in a cluster that there is not',
    route: 'clusters.associate',
    details: { cluster_id: absentId },
    async provoke(stage) {
      const { key, memory } = await createClusteredMemory(stage);
      const body = { cluster_ids: [absentId] };
      return prepareRequest(stage, `POST /memories/${memory}/clusters`, { key, body });
    },
  },
  {
    code: 'conflict',
    where: 'a cluster of the scope has the name',
    route: 'clusters.create',
    details: { name: 'TEA', cluster_id: someId },
    async provoke(stage) {
      const { key } = await createClusteredMemory(stage);
      return prepareRequest(stage, 'POST /clusters', { key, body: { name: 'TEA' } });
    },
  },
  {
    code: 'conflict',
    where: 'a clustering run of the scope waits or runs',
    route: 'clusters.full',
    details: { job_id: someId, run_status: 'queued' },
    async provoke(stage) {
      const { client, key } = await createClusteredMemory(stage);
      const { job_id } = await client.clusters.full();
      const { db } = stage.service.running.context.app.engine;
      const run_at = new Date(Date.now() + 3_600_000);
      await db.updateTable('jobs').set({ run_at }).where('id', '=', job_id).execute();
      return prepareRequest(stage, 'POST /clusters/full', { key });
    },
  },
  {
    code: 'conflict',
    where: 'a job cannot be cancelled',
    route: 'jobs.cancel',
    async provoke(stage) {
      const { client, key, memory } = await createClusteredMemory(stage);
      const { job_id } = await client.memories.bulkDelete({ body: { ids: [memory] } });
      return prepareRequest(stage, `POST /jobs/${job_id}/cancel`, { key });
    },
  },
  {
    code: 'conflict',
    where: 'a job has not failed',
    route: 'jobs.retry',
    async provoke(stage) {
      const { client, key, memory } = await createClusteredMemory(stage);
      const { job_id } = await client.memories.bulkDelete({ body: { ids: [memory] } });
      return prepareRequest(stage, `POST /jobs/${job_id}/retry`, { key });
    },
  },
  {
    code: 'conflict',
    where: 'a job of any account has not failed',
    route: 'admin.retryJob',
    async provoke(stage) {
      const { client, memory } = await createClusteredMemory(stage);
      const { job_id } = await client.memories.bulkDelete({ body: { ids: [memory] } });
      const key = stage.service.adminKey;
      return prepareRequest(stage, `POST /admin/jobs/${job_id}/retry`, { key });
    },
  },
  {
    code: 'precondition_failed',
    where: 'a cluster has changed since that ETag',
    route: 'clusters.update',
    details: { etag: '"1"' },
    async provoke(stage) {
      const { key, cluster } = await createClusteredMemory(stage);
      const headers = { 'if-match': '"7"' };
      return prepareRequest(stage, `PATCH /clusters/${cluster}`, {
        key,
        headers,
        body: { name: 'x' },
      });
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
      const { client, key, memory, cluster } = await createClusteredMemory(stage);
      const cluster_ids: string[] = [];
      for (let i = 0; i < limits.clustersPerMemoryMax; i += 1) {
        cluster_ids.push((await client.clusters.create({ body: { name: `cluster ${i}` } })).id);
      }
      await client.clusters.associate({ params: { id: memory }, body: { cluster_ids } });
      const body = { cluster_ids: [cluster] };
      return prepareRequest(stage, `POST /memories/${memory}/clusters`, { key, body });
    },
  },
];
