import type { Client, ClusterRun, CreateMemory } from '@mneme/sdk';
import { eventually } from '../../support/eventually.ts';

/** So many dimensions has the default model. */
const dimensions = 192;

/** Random, and the same each time. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A vector near the axis of its topic; of no topic anywhere. */
function vectorNear(topic: number | null, random: () => number, spread = 0.05): number[] {
  return Array.from({ length: dimensions }, (_, i) => {
    const noise = (random() - 0.5) * 2;
    return topic === null ? noise : (i === topic ? 1 : 0) + noise * spread;
  });
}

const words = ['bees', 'invoices', 'kernels', 'sonatas', 'harbours', 'tomatoes'];

/** Bodies of memories of one topic, told apart by their number. */
export function memoriesOfTopic(topic: number, count: number, from = 0): CreateMemory[] {
  const random = seededRandom(1_000 * topic + from + 1);
  return Array.from({ length: count }, (_, i) => ({
    content: `Note ${from + i} about ${words[topic]} and what ${words[topic]} need.`,
    embedding: vectorNear(topic, random),
  }));
}

/** Memories that lie near nothing. */
export function unrelatedMemories(count: number, from = 0): CreateMemory[] {
  const random = seededRandom(99 + from);
  return Array.from({ length: count }, (_, i) => ({
    content: `Something else, number ${from + i}.`,
    embedding: vectorNear(null, random),
  }));
}

/** Stores them 100 at a time; their ids in order. */
export async function storeMemories(
  client: Client,
  bodies: readonly CreateMemory[],
  fields: Partial<CreateMemory> = {},
): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < bodies.length; from += 100) {
    const memories = bodies.slice(from, from + 100).map((body) => ({ ...body, ...fields }));
    const answer = await client.memories.bulkCreate({ body: { memories } });
    if (answer.failed.length > 0) throw new Error(JSON.stringify(answer.failed[0]));
    ids.push(...answer.memories.map(({ id }) => id));
  }
  return ids;
}

/** The run once it is over. */
export async function waitForRun(client: Client, id: string): Promise<ClusterRun> {
  const find = async () => {
    const { data } = await client.clusters.runs({ query: { limit: 100 } });
    return data.find((run) => run.id === id);
  };
  const run = await eventually(
    find,
    (found) => found !== undefined && !['queued', 'running'].includes(found.status),
    30_000,
  );
  return run as ClusterRun;
}

/** A full run from its call to its end. */
export async function runFullClustering(client: Client, body: object = {}): Promise<ClusterRun> {
  return waitForRun(client, (await client.clusters.full({ body })).job_id);
}

export async function runIncrementalClustering(
  client: Client,
  body: object = {},
): Promise<ClusterRun> {
  return waitForRun(client, (await client.clusters.incremental({ body })).job_id);
}
