import type { Client } from '@mneme/sdk';
import { eventually } from '../../support/eventually.ts';
import type { Service } from '../../support/service.ts';

export type Delivery = Awaited<ReturnType<Client['webhooks']['listDeliveries']>>['data'][number];

/** Something of every kind belongs to this owner, so that filters by owner find it. */
export const fuzzOwner = { user_id: 'ana', agent_id: 'cook', run_id: 'r/1' } as const;

/** Told of what hardly ever happens, at an address where nobody may be told. */
export async function createWebhooks(client: Client): Promise<string[]> {
  const one = { url: 'https://127.0.0.1:9/hook', events: ['space.deleted'] };
  const { webhooks } = await client.webhooks.bulkCreate({
    body: { webhooks: Array(60).fill(one) },
  });
  return webhooks.map(({ id }) => id);
}

/** The first few with a memory in them. */
export async function createClusters(client: Client, memoryId: string): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < 60; i += 1) {
    ids.push((await client.clusters.create({ body: { name: `Coffee ${i}` } })).id);
  }
  const body = { cluster_ids: ids.slice(0, 5) };
  await client.clusters.associate({ params: { id: memoryId }, body });
  return ids;
}

const firstNames = ['Ada', 'Ben', 'Carla', 'David', 'Emma', 'Frank', 'Grace', 'Henry'];
const lastNames = ['Adams', 'Brown', 'Clark', 'Davis', 'Evans', 'Foster', 'Green', 'Harris'];
const people = lastNames.flatMap((last) => firstNames.map((first) => `${first} ${last}`));

/**
 * Many people whom one knows: each is two steps from every other. Memories of the owner mention all
 * of them, and one of these memories says whom they know.
 */
export async function createKnowledge(
  client: Client,
): Promise<{ entities: string[]; facts: string[] }> {
  const entities: string[] = [];
  const facts: string[] = [];
  for (const name of people) {
    entities.push((await client.knowledge.create({ body: { name, type: 'person' } })).id);
  }
  const memoryIds: string[] = [];
  for (let i = 0; i < people.length; i += 8) {
    const content = `There were ${people.slice(i, i + 8).join(', ')} and others.`;
    const { id } = await client.memories.create({ body: { content, ...fuzzOwner } });
    await client.knowledge.extract({ body: { memory_id: id } });
    memoryIds.push(id);
  }
  const [subject_id = '', ...others] = entities;
  const [source_memory_id = ''] = memoryIds;
  for (const object_id of others) {
    const said = { subject_id, predicate: 'knows', object_id, source_memory_id };
    facts.push((await client.knowledge.createFact({ body: said })).id);
  }
  return { entities, facts };
}

/** Runs that wait for long, each in a space of its own that no other request names. */
export async function createQueuedRuns({ running }: Service, client: Client): Promise<string[]> {
  const ids: string[] = [];
  const run_at = new Date(Date.now() + 3_600_000);
  for (let i = 0; i < 12; i += 1) {
    const { id: space_id } = await client.spaces.create({ body: { name: `runs ${i}` } });
    const { job_id } = await client.clusters.full({ body: { space_id } });
    const { db } = running.context.app.engine;
    await db.updateTable('jobs').set({ run_at }).where('id', '=', job_id).execute();
    ids.push(job_id);
  }
  return ids;
}

/** Completed changes of one memory's tags, of which each can be undone once. */
export async function createBulkChanges(service: Service, client: Client): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < 40; i += 1) {
    const { id } = await client.memories.create({ body: { content: `Changed ${i}.` } });
    const action = { type: 'tag' as const, add: [`changed-${i}`] };
    const started = await client.memories.startChange({ body: { filter: { ids: [id] }, action } });
    if ('id' in started) ids.push(started.id);
  }
  await service.running.context.worker.drain();
  return ids;
}

/** A map of all memories that there are. */
export async function createMap(service: Service, client: Client): Promise<void> {
  await client.clusters.full({ body: {} });
  await service.running.context.worker.drain();
}

/** Erasures of nothing that have failed for good. */
export async function createFailedJobs({ running }: Service, accountId: string): Promise<string[]> {
  const { engine, ids, clock } = running.context.app;
  const now = clock.now();
  const rows = Array.from({ length: 40 }, () => ({
    ...{ id: ids.uuid(), account_id: accountId, kind: 'memories.erase', payload: '{"ids":[]}' },
    ...{ status: 'failed' as const, run_at: now, created_at: now, finished_at: now },
  }));
  await engine.db.insertInto('jobs').values(rows).execute();
  return rows.map(({ id }) => id);
}

export async function createRenewableTokens(client: Client): Promise<string[]> {
  const body = { renewable_for: 86_400 };
  const tokens = Array.from({ length: 20 }, () => client.auth.createToken({ body }));
  return (await Promise.all(tokens)).map(({ token }) => token);
}

/** Deliveries that failed, to a webhook that no other request names. */
export async function createFailedDeliveries(client: Client): Promise<Delivery[]> {
  const body = { url: 'https://127.0.0.1:9/', events: ['memory.created'], max_retries: 0 };
  const { id: webhookId } = await client.webhooks.create({ body });
  await client.memories.create({ body: { content: 'Somebody is told of coffee.' } });
  const { data } = await eventually(
    () => client.webhooks.listDeliveries({ params: { webhookId }, query: { status: 'failed' } }),
    (page) => page.data.length > 0,
  );
  await client.webhooks.update({ params: { webhookId }, body: { is_active: false } });
  return data;
}

/** Memories of which each supports all later ones. */
export async function createRelationships(
  client: Client,
): Promise<{ ids: string[]; pairs: (readonly [source: string, target: string])[] }> {
  const bodies = Array.from({ length: 12 }, (_, i) => ({
    content: `Battery ${i} is flat.`,
    ...fuzzOwner,
  }));
  const { memories } = await client.memories.bulkCreate({ body: { memories: bodies } });
  const ids = memories.map(({ id }) => id);
  const pairs = ids.flatMap((from, i) => ids.slice(i + 1).map((to) => [from, to] as const));
  const relationships = pairs.map(([source_id, target_id]) => ({
    source_id,
    target_id,
    type: 'supports',
  }));
  await client.relationships.batch({ body: { relationships } });
  return { ids, pairs };
}

/** Pairs of a memory and one that it probably outdates; of users that no other request names. */
export async function createSuggestions(
  client: Client,
): Promise<(readonly [newer: string, older: string])[]> {
  const pairs: (readonly [string, string])[] = [];
  // A create compares only where the index is loaded.
  await client.search.get({ query: { q: 'Munich' } });
  for (let i = 0; i < 12; i += 1) {
    const user_id = `mover-${i}`;
    const older = { content: 'I live in Munich.', user_id };
    const newer = { content: 'I have moved to Berlin and no longer live in Munich.', user_id };
    await client.memories.create({ body: older });
    const { id, possible_updates: found } = await client.memories.create({ body: newer });
    pairs.push(...found.map(({ memory_id }) => [id, memory_id] as const));
  }
  return pairs;
}

/** In turn active, paused and completed, so that each move finds one to move. */
export async function createSessions(client: Client): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < 60; i += 1) {
    const { id } = await client.cliSessions.create({ body: { name: `Coffee talk ${i}` } });
    ids.push(id);
  }
  const turns = ids.slice(0, 12);
  const memories = turns.map((session_id) => ({ content: 'A turn.', session_id, ...fuzzOwner }));
  await client.memories.bulkCreate({ body: { memories } });
  for (const [i, id] of ids.entries()) {
    if (i % 3 === 1) await client.cliSessions.pause({ params: { id } });
    if (i % 3 === 2) await client.cliSessions.complete({ params: { id } });
  }
  return ids;
}

/** Activation sessions, made as everybody makes them. */
export async function searchInSessions(client: Client): Promise<string[]> {
  for (const session of ['one', 'two', 'three']) {
    await client.search.get({ query: { q: 'coffee battery', session } });
  }
  return (await client.sessions.list()).data.map(({ id }) => id);
}

/** A preset of each memory's name, so that a path below /search names both, whichever it takes. */
export async function createPresets(
  client: Client,
  memories: readonly string[],
): Promise<string[]> {
  for (const name of memories) await client.search.putPreset({ params: { name }, body: {} });
  return [...memories];
}
