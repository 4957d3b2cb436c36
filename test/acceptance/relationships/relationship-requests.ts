import type { CreatedRelationship } from '@mneme/contract';
import type { Client } from '@mneme/sdk';

type Body = Parameters<Client['relationships']['create']>[0]['body'];

let stored = 0;

/** Ids of that many new memories. */
export async function createMemories(
  client: Client,
  count: number,
  fields = {},
): Promise<string[]> {
  stored += 1;
  const contents = Array.from({ length: count }, (_, i) => ({
    ...fields,
    content: `memory ${i} of lot ${stored}`,
  }));
  const ids: string[] = [];
  for (let from = 0; from < count; from += 100) {
    const body = { memories: contents.slice(from, from + 100) };
    const { memories } = await client.memories.bulkCreate({ body });
    ids.push(...memories.map(({ id }) => id));
  }
  return ids;
}

/** Links two memories; `related_to` unless another type is given. */
export const createRelationship = (
  client: Client,
  sourceId: string,
  targetId: string,
  body: Partial<Body> = {},
): Promise<CreatedRelationship> =>
  client.relationships.create({
    params: { memoryId: sourceId },
    body: {
      target_id: targetId,
      ...('type' in body ? {} : { relationship_type: 'related_to' }),
      ...body,
    },
  });

/** Where a relationship is found. */
export const relationshipParams = (one: {
  source_id: string;
  target_id: string;
  type: string;
}) => ({
  sourceId: one.source_id,
  targetId: one.target_id,
  type: one.type,
});

/** Ids of what a list or a batch answers. */
export const idsOf = (some: readonly { id: string }[] | undefined): string[] =>
  (some ?? []).map(({ id }) => id);

/** Links one memory with many others by batches. */
export async function createManyRelationships(
  client: Client,
  sourceId: string,
  targetIds: readonly string[],
): Promise<void> {
  for (let from = 0; from < targetIds.length; from += 100) {
    const relationships = targetIds
      .slice(from, from + 100)
      .map((target_id) => ({ source_id: sourceId, target_id, type: 'related_to' }));
    const { failed } = await client.relationships.batch({ body: { relationships } });
    if (failed.length > 0) throw new Error(JSON.stringify(failed[0]));
  }
}
