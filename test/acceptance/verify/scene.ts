import type { Client } from '@mneme/sdk';
import type { Service } from '../../support/service.ts';

/** What the damage is done to. */
export interface Scene {
  readonly account: string;
  readonly client: Client;
  readonly session: string;
  readonly space: string;
  readonly other: string;
  readonly relationship: string;
  /** Of which something is said. */
  readonly entity: string;
  readonly cluster: string;
  /** In the session and pinned; alone; softly deleted; erased. */
  readonly turn: string;
  readonly note: string;
  readonly hidden: string;
  readonly gone: string;
  /** Superseded. */
  readonly stale: string;
}

/** An account with one of everything that a verification looks at. */
export async function createScene(service: Service): Promise<Scene> {
  const { id: account, client } = await service.createAccount();
  const space = (await client.spaces.create({ body: { name: 'own' } })).id;
  const other = (await client.spaces.create({ body: { name: 'other' } })).id;
  const session = (await client.cliSessions.create({ body: { name: 'talk' } })).id;
  const make = async (content: string, fields: object = {}): Promise<string> =>
    (await client.memories.create({ body: { content, ...fields } })).id;
  const turn = await make('We met the day before.', {
    session_id: session,
    is_pinned: true,
    tags: ['a'],
    metadata: { speaker: 'Ana', role: 'user' },
    occurred_at: '2026-01-05T10:00:00Z',
  });
  const note = await make('A note on its own.', { space_id: space });
  const hidden = await make('Softly gone.');
  await client.memories.remove({ params: { id: hidden }, query: { soft: true } });
  const gone = await make('Gone for good.');
  await client.memories.remove({ params: { id: gone } });
  const stale = await make('The gate code is 1212.');
  await make('The gate code is 3434 now.', { supersedes: [stale] });
  const { id: relationship } = await client.relationships.create({
    params: { memoryId: turn },
    body: { target_id: note, relationship_type: 'supports' },
  });
  const { id: entity } = await client.knowledge.create({ body: { name: 'Ana', type: 'person' } });
  const said = { subject_id: entity, predicate: 'likes', object_value: 'tea' };
  await client.knowledge.createFact({ body: said });
  const told = { ...said, object_value: 'coffee', source_memory_id: turn };
  await client.knowledge.createFact({ body: told });
  const cluster = (await client.clusters.create({ body: { name: 'notes', space_id: space } })).id;
  await client.clusters.associate({ params: { id: note }, body: { cluster_ids: [cluster] } });
  const place = { account, client, session, space, other };
  return { ...place, relationship, entity, cluster, turn, note, hidden, gone, stale };
}
