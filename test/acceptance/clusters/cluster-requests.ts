import type { Cluster } from '@mneme/contract';
import type { Client, RawResponse } from '@mneme/sdk';

export const createCluster = (
  client: Client,
  name: string,
  fields: object = {},
): Promise<Cluster> => client.clusters.create({ body: { ...fields, name } });

export const getCluster = (client: Client, clusterId: string) =>
  client.clusters.get({ params: { clusterId } });

/** Puts a memory in clusters. */
export const addToClusters = (client: Client, id: string, ...cluster_ids: string[]) =>
  client.clusters.associate({ params: { id }, body: { cluster_ids } });

/** Ids of all that is in a cluster, the newest member first. */
export async function listMemberIds(client: Client, clusterId: string): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const query = { limit: 100, offset: ids.length };
    const page = await client.clusters.memories({ params: { clusterId }, query });
    ids.push(...page.memories.map(({ id }) => id));
    if (!page.pagination.has_more) return ids;
  }
}

export const memoryCountOf = async (client: Client, clusterId: string): Promise<number> =>
  (await getCluster(client, clusterId)).memory_count;

export const errorCodeOf = ({ body }: RawResponse): string | undefined =>
  (body as { error?: { code?: string } } | undefined)?.error?.code;

/** The field codes of a 422. */
export const fieldErrorCodes = ({ status, body }: RawResponse): Record<string, string> => {
  const { error } = body as { error: { details?: { fields?: Record<string, { code: string }> } } };
  if (status !== 422) return { status: String(status) };
  return Object.fromEntries(
    Object.entries(error.details?.fields ?? {}).map(([field, { code }]) => [field, code]),
  );
};
