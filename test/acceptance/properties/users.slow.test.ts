import type { Client, RawResponse } from '@mneme/sdk';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getOrCreateAddress, postInboundMail } from '../../support/mail.ts';
import { runCount } from '../../support/run-count.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { scriptedLanguage } from '../knowledge/scripted-extraction.ts';

const users = ['ana', 'ben'] as const;

/** What a token sends; `i` and `j` pick from all memories, whoever has them. */
const requests = {
  get: ({ a }) => ({ method: 'GET', path: `/memories/${a}` }),
  list: ({ flag }) => ({
    method: 'GET',
    path: '/memories',
    query: flag ? { sort: 'salience', outdated: false } : { include_deleted: true },
  }),
  patch: ({ a, b, flag }) => ({
    method: 'PATCH',
    path: `/memories/${a}`,
    body: flag ? { supersedes: [b] } : { priority: 3 },
  }),
  remove: ({ a }) => ({ method: 'DELETE', path: `/memories/${a}`, query: { soft: true } }),
  restore: ({ a }) => ({ method: 'POST', path: `/memories/${a}/restore` }),
  tags: ({ a, b }) => ({
    method: 'POST',
    path: '/memories/bulk/tags',
    body: { ids: [a, b], add: ['x'] },
  }),
  search: ({ a, q }) => ({ method: 'POST', path: '/search', body: { q, explain: true, why: a } }),
  batch: ({ q }) => ({
    method: 'POST',
    path: '/search/batch',
    body: { queries: [{ q }, { q: `"${q}"` }] },
  }),
  recall: ({ q }) => ({ method: 'POST', path: '/recall', body: { query: q, threshold: 0 } }),
  aggregate: ({ q, flag }) => ({
    method: 'GET',
    path: '/search/aggregate',
    query: { query: q, threshold: 0, group_by: flag ? 'tags' : 'content_type' },
  }),
  topic: () => ({ method: 'GET', path: '/search/topic', query: { topic: 'all' } }),
  global: ({ q }) => ({ method: 'GET', path: '/search/global', query: { q } }),
  similar: ({ a }) => ({ method: 'GET', path: `/search/similar/${a}`, query: { threshold: 0 } }),
  links: ({ a }) => ({ method: 'GET', path: `/relationships/${a}` }),
  walk: ({ a }) => ({ method: 'GET', path: `/relationships/${a}/related`, query: { depth: 3 } }),
  link: ({ a, b }) => ({
    method: 'POST',
    path: `/relationships/${a}`,
    body: { target_id: b, relationship_type: 'related_to' },
  }),
  entities: ({ q }) => ({ method: 'GET', path: '/knowledge/entities', query: { q: q.slice(-5) } }),
  allEntities: () => ({ method: 'GET', path: '/knowledge/entities' }),
  count: () => ({
    method: 'GET',
    path: '/knowledge/entities/count',
    query: { countable_category: 'people' },
  }),
  atTime: () => ({ method: 'GET', path: '/knowledge/entities/at-time' }),
  entity: ({ e }) => ({ method: 'GET', path: `/knowledge/entities/${e}` }),
  facts: ({ e }) => ({ method: 'GET', path: `/knowledge/entities/${e}/facts` }),
  timeline: ({ e }) => ({ method: 'GET', path: `/knowledge/entities/${e}/timeline` }),
  edges: ({ e }) => ({ method: 'GET', path: `/knowledge/entities/${e}/relationships` }),
  subgraph: ({ e }) => ({ method: 'GET', path: `/knowledge/graph/subgraph/${e}` }),
  neighbourhood: ({ a, e, flag }) => ({
    method: 'GET',
    path: '/knowledge/graph/neighbourhood',
    query: flag ? { memory_id: a, depth: 3 } : { entity_id: e, depth: 2, limit: 3 },
  }),
  knowledge: ({ a }) => ({ method: 'GET', path: `/memories/${a}/facts` }),
  path: ({ e, f }) => ({
    method: 'GET',
    path: '/knowledge/graph/path',
    query: { from: e, to: f },
  }),
  extract: ({ a }) => ({ method: 'POST', path: '/knowledge/extract', body: { memory_id: a } }),
  clusters: ({ flag }) => ({
    method: 'GET',
    path: '/clusters',
    query: flag ? { include: 'topic_info,quality_metrics' } : { sort: 'memory_count' },
  }),
  cluster: ({ c }) => ({
    method: 'GET',
    path: `/clusters/${c}`,
    query: { include_memories: true },
  }),
  members: ({ c }) => ({ method: 'GET', path: `/clusters/${c}/memories` }),
  topics: ({ c }) => ({ method: 'GET', path: `/clusters/${c}/topics` }),
  clustersOf: ({ a }) => ({ method: 'GET', path: `/memories/${a}/clusters` }),
  stats: () => ({ method: 'GET', path: '/clusters/stats' }),
  mails: () => ({ method: 'GET', path: '/email/history' }),
  mail: ({ m }) => ({ method: 'GET', path: `/email/history/${m}` }),
  events: ({ flag }) => ({
    method: 'GET',
    path: '/events',
    query: flag ? { limit: 100, type: 'memory.updated' } : { limit: 100 },
  }),
} as const satisfies Record<string, (chosen: Chosen) => Parameters<Client['request']>[0]>;

interface Chosen {
  readonly a: string;
  readonly b: string;
  /** Entities and a cluster. */
  readonly e: string;
  readonly f: string;
  readonly c: string;
  /** A mail. */
  readonly m: string;
  readonly q: string;
  readonly flag: boolean;
}

/** What reaches one memory. */
const byId: ReadonlySet<string> = new Set([
  'get',
  'patch',
  'remove',
  'restore',
  'similar',
  'links',
  'walk',
  'link',
  'extract',
  'clustersOf',
  'knowledge',
]);

/** Which say only own words, whatever the query; their cursors are encrypted. */
const derived: ReadonlySet<string> = new Set([
  ...['allEntities', 'atTime', 'entity', 'facts', 'timeline', 'edges', 'subgraph', 'path'],
  ...['neighbourhood', 'knowledge'],
  ...['extract', 'clusters', 'cluster', 'members', 'topics', 'clustersOf', 'stats'],
  ...['mails', 'mail', 'events'],
]);

const act = fc.record({
  user: fc.constantFrom(...users),
  /** The account's key also creates memories, links and clusters any, and merges entities. */
  kind: fc.constantFrom(
    'create',
    'link all',
    'merge all',
    'cluster all',
    ...(Object.keys(requests) as (keyof typeof requests)[]),
  ),
  i: fc.nat(),
  j: fc.nat(),
  flag: fc.boolean(),
});

/** Ids that a request names are in its answer, too. */
const textOf = ({ body }: RawResponse, named: readonly string[]): string =>
  named.reduce((text, id) => text.replaceAll(id, ''), JSON.stringify(body ?? null));

interface OwnedMemory {
  readonly id: string;
  readonly user: string;
  readonly word: string;
}

/** What the account's key changes, whoever has it. */
const changes = {
  'link all': ({ a, b, flag }) => ({
    method: 'POST',
    path: `/relationships/${a}`,
    body: { target_id: b, relationship_type: flag ? 'supersedes' : 'related_to' },
  }),
  'merge all': ({ e, f }) => ({
    method: 'POST',
    path: '/knowledge/merge',
    body: { source_id: e, target_id: f },
  }),
  'cluster all': ({ b, c }) => ({
    method: 'POST',
    path: `/memories/${b}/clusters`,
    body: { cluster_ids: [c] },
  }),
} as const satisfies Record<string, (chosen: Chosen) => Parameters<Client['request']>[0]>;

/** An account with two users, a memory and a mail of each, and a cluster of each memory. */
async function openAccount(service: Service) {
  const { client } = await service.createAccount();
  const clients = new Map<string, Client>();
  for (const user_id of users) {
    const { token } = await client.auth.createToken({ body: { user_id } });
    clients.set(user_id, service.client(token));
  }
  const memories: OwnedMemory[] = [];
  const create = async (by: Client, user: string, fields: object): Promise<void> => {
    const word = `${user}word${memories.length}`;
    const said = `person:${word} knows person:Kettle`;
    const content = `${said} ; The kettle of ${word} sings.`;
    const { id } = await by.memories.create({ body: { content, tags: ['all', word], ...fields } });
    memories.push({ id, user, word });
  };
  for (const user of users) await create(clients.get(user) as Client, user, {});
  await create(client, 'nobody', {});
  await create(client, 'cleo', { user_id: 'cleo' });
  const to = await getOrCreateAddress(client);
  for (const user of [...users, 'cleo', 'nobody']) {
    const word = `${user}word${memories.length}`;
    const head = `From: ${word}@example.com\r\nTo: ${to}\r\nSubject: store: Of ${word}.`;
    const owner = user === 'nobody' ? '' : `?user_id=${user}`;
    await postInboundMail(client, `${head}\r\n\r\nThe kettle of ${word} sings.\r\n`, owner);
    memories.push({ id: '', user, word });
  }
  await service.running.context.worker.drain();
  const mails: { readonly id: string; readonly user: string }[] = [];
  for (const { id, sender, responseMemoryId } of (await client.email.listHistory()).data) {
    const at = memories.findIndex(({ word }) => sender.startsWith(`${word}@`));
    const memory = memories[at] as OwnedMemory;
    memories[at] = { ...memory, id: responseMemoryId ?? '' };
    mails.push({ id, user: memory.user });
  }
  const clusters: string[] = [];
  for (const { id, word } of memories) {
    const about = { name: `Cluster ${clusters.length}`, description: `Of ${word}.` };
    const cluster = await client.clusters.create({ body: about });
    clusters.push(cluster.id);
    await client.clusters.associate({ params: { id }, body: { cluster_ids: [cluster.id] } });
  }
  return { client, clients, memories, clusters, mails, create };
}

type Account = Awaited<ReturnType<typeof openAccount>>;
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

/** Even numbers pick from what the user has, odd ones from all. */
async function choose({ client, memories, clusters, mails }: Account, { user, i, j, flag }: Act) {
  const at = <T>(n: number, own: readonly T[], all: readonly T[]): T => {
    const some = n % 2 === 0 && own.length > 0 ? own : all;
    return some[Math.floor(n / 2) % some.length] as T;
  };
  const owned = memories.filter((one) => one.user === user);
  const [a, b] = [at(i, owned, memories), at(j, owned, memories)];
  const { entities } = await client.knowledge.entities();
  const ownEntities = entities.filter(({ name }) => name.startsWith(user));
  const [e, f] = [at(i, ownEntities, entities), at(j, ownEntities, entities)];
  const c = clusters[i % clusters.length] ?? '';
  const mail = mails[j % mails.length];
  const q = flag ? `kettle ${b.word}` : b.word;
  const chosen = { a: a.id, b: b.id, e: e.id, f: f.id, c, m: mail?.id ?? '', q, flag };
  return { owner: a.user, mailOwner: mail?.user, chosen };
}

function expectNothingOfOthers(
  { memories }: Account,
  { user, kind }: Act,
  { a, b, q }: Chosen,
  answer: RawResponse,
): void {
  // The query comes back as it was sent.
  const text = textOf(answer, [a, b]).replaceAll(JSON.stringify(q), '');
  for (const other of memories) {
    if (other.user === user) continue;
    expect(text, `${user}: ${kind}`).not.toContain(other.id);
    expect(text, `${user}: ${kind}`).not.toContain(`The kettle of ${other.word} `);
    if (derived.has(kind)) expect(text, `${user}: ${kind}`).not.toContain(other.word);
  }
  if (kind !== 'count') return;
  // The kettle is one more.
  const owned = memories.filter((one) => one.user === user);
  expect((answer.body as { count: number }).count).toBeLessThanOrEqual(owned.length + 1);
}

describe.each(engines)('tokens of two users on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine, { overrides: { language: scriptedLanguage } });
  });
  afterAll(() => service.stop());

  it("never read what another user's memories say", async () => {
    const met = new Map<string, number>();
    const perform = async (account: Account, each: Act): Promise<void> => {
      const { client, clients, create } = account;
      const { user, kind, flag } = each;
      const own = clients.get(user) as Client;
      if (kind === 'create') {
        return flag ? create(own, user, {}) : create(client, user, { user_id: user });
      }
      await service.running.context.extractionWorker.drain();
      const { chosen, owner, mailOwner } = await choose(account, each);
      if (kind === 'link all' || kind === 'merge all' || kind === 'cluster all') {
        await client.request(changes[kind](chosen));
        return;
      }
      const answer = await own.request(requests[kind](chosen));
      expect(answer.status).toBeLessThan(500);
      met.set(kind, (met.get(kind) ?? 0) + (answer.status < 300 ? 1 : 0));
      expectNothingOfOthers(account, each, chosen, answer);
      const isOwn = owner === user || (kind === 'link' && chosen.a === chosen.b);
      if (kind === 'mail') expect(answer.status).toBe(mailOwner === user ? 200 : 404);
      if (byId.has(kind) && !isOwn) expect(answer.status, `${user}: ${kind}`).toBe(404);
    };
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 150, maxLength: 190 }), async (acts) => {
        const account = await openAccount(service);
        for (const each of acts) await perform(account, each);
      }),
      { numRuns: runCount(3, 60), endOnFailure: true },
    );
    for (const kind of Object.keys(requests)) expect(met.get(kind) ?? 0, kind).toBeGreaterThan(0);
  });
});
