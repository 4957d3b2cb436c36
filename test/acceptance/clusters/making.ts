import type { Cluster } from '@mneme/contract';
import type { Client, RawAnswer } from '@mneme/sdk';

export const make = (client: Client, name: string, fields: object = {}): Promise<Cluster> =>
  client.clusters.create({ body: { ...fields, name } });

export const read = (client: Client, clusterId: string) =>
  client.clusters.get({ params: { clusterId } });

/** Puts a memory in clusters. */
export const put = (client: Client, id: string, ...cluster_ids: string[]) =>
  client.clusters.associate({ params: { id }, body: { cluster_ids } });

/** Ids of all that is in a cluster, the newest member first. */
export async function membersOf(client: Client, clusterId: string): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const query = { limit: 100, offset: ids.length };
    const page = await client.clusters.memories({ params: { clusterId }, query });
    ids.push(...page.memories.map(({ id }) => id));
    if (!page.pagination.has_more) return ids;
  }
}

export const countOf = async (client: Client, clusterId: string): Promise<number> =>
  (await read(client, clusterId)).memory_count;

export const codeOf = ({ body }: RawAnswer): string | undefined =>
  (body as { error?: { code?: string } } | undefined)?.error?.code;

/** The field codes of a 422. */
export const faultsOf = ({ status, body }: RawAnswer): Record<string, string> => {
  const { error } = body as { error: { details?: { fields?: Record<string, { code: string }> } } };
  if (status !== 422) return { status: String(status) };
  return Object.fromEntries(
    Object.entries(error.details?.fields ?? {}).map(([field, { code }]) => [field, code]),
  );
};
