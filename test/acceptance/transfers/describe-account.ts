import type { Client } from '@mneme/sdk';

/** Fields that are new in another account; links are signed for it. */
const omitted = new Set(['id', 'account_id', 'created_by', 'job_id', 'clip_url']);
/** What changes with time and reads, where the clock runs. */
const volatile = new Set(['salience', 'weight', 'strength']);
/** Sums of vectors differ by the order of their numbers. */
const digits = 4;
/** Below it are hits that have nothing in common with the query, in any order. */
const scoreMin = 0.01;
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Replaces ids by what they stand for. */
function withNames(
  value: unknown,
  names: ReadonlyMap<string, string>,
  isLeftOut: (name: string) => boolean,
): unknown {
  if (typeof value === 'string') return value.replace(uuid, (id) => names.get(id) ?? 'unknown');
  if (typeof value === 'number') return Number(value.toFixed(digits));
  if (Array.isArray(value)) return value.map((one) => withNames(one, names, isLeftOut));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !isLeftOut(name))
      .map(([name, one]) => [name, withNames(one, names, isLeftOut)]),
  );
}

const sorted = (rows: readonly unknown[]): unknown[] =>
  rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

const page = { limit: 100 } as const;
const queries = [
  'where does Ana work',
  'coffee',
  'allergic to nuts',
  'ship the importer',
  'Friday',
];

/** All that an account shows, without its ids: equal in an account into which it was imported. */
export async function describeAccount(
  client: Client,
  { hasSearches = true } = {},
): Promise<Record<string, unknown>> {
  const spaces = (await client.spaces.list({ query: page })).data;
  const memories = (
    await client.memories.list({ query: { ...page, include_deleted: true } as never })
  ).data;
  const sessions = (await client.cliSessions.list({ query: { include_archived: true } })).data;
  const clusters = (await client.clusters.list({ query: page as never })).data;
  const entities = (await client.knowledge.entities({ query: page as never })).data;
  const names = new Map<string, string>([
    ...spaces.map(({ id, name }) => [id, `space ${name}`] as const),
    ...memories.map(({ id, content, space_id, session_id, created_at }) => {
      return [id, `memory ${content} ${space_id && 1} ${session_id && created_at}`] as const;
    }),
    ...sessions.map(({ id, name }) => [id, `session ${name}`] as const),
    ...clusters.map(({ id, name }) => [id, `cluster ${name}`] as const),
    ...entities.map(({ id, name, type }) => [id, `entity ${name} ${type}`] as const),
  ]);
  const isLeftOut = (name: string) => omitted.has(name) || (!hasSearches && volatile.has(name));
  const named = (value: unknown) => withNames(value, names, isLeftOut);
  const turns: unknown[] = [];
  for (const { id } of sessions)
    turns.push((await client.cliSessions.memories({ params: { id }, query: page })).data);
  const relationships: unknown[] = [];
  const recordings: unknown[] = [];
  for (const { id, content_type, is_deleted } of memories) {
    if (is_deleted) continue;
    relationships.push(...(await client.relationships.list({ params: { memoryId: id } })).data);
    if (content_type !== 'video') continue;
    const response = await client.media.stream({ params: { id } });
    const params = { id };
    recordings.push({
      bytes: Buffer.from(await response.arrayBuffer()).toString('hex'),
      metadata: await client.media.recordingMetadata({ params }),
      interpretation: await client.media.interpretation({ params }).catch(() => null),
    });
  }
  const facts: unknown[] = [];
  const timelines: unknown[] = [];
  for (const { id } of entities) {
    facts.push(await client.knowledge.get({ params: { id } }));
    timelines.push(await client.knowledge.timeline({ params: { id } }));
  }
  const members: unknown[] = [];
  for (const { id } of clusters)
    members.push(
      (await client.clusters.memories({ params: { clusterId: id }, query: page as never })).data,
    );
  const found: unknown[] = [];
  for (const q of hasSearches ? queries : []) {
    const { data } = await client.search.post({ body: { q, limit: 10 } });
    found.push({ q, hits: data.filter(({ score }) => score >= scoreMin) });
  }
  return {
    spaces: named(spaces),
    memories: sorted(named(memories) as unknown[]),
    sessions: sorted(named(sessions) as unknown[]),
    turns: sorted(named(turns) as unknown[]),
    relationships: sorted(named(relationships) as unknown[]),
    clusters: sorted(named(clusters) as unknown[]),
    members: sorted(named(members) as unknown[]),
    entities: sorted(named(entities) as unknown[]),
    facts: sorted(named(facts) as unknown[]),
    timelines: sorted(named(timelines) as unknown[]),
    recordings: named(recordings),
    found: named(found),
  };
}
