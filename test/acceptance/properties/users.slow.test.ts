import type { Client, RawResponse } from '@mneme/sdk';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCount } from '../../support/run-count.ts';
import { engines, type Service, startService } from '../../support/service.ts';

const users = ['ana', 'ben'] as const;
type User = (typeof users)[number];

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
} as const satisfies Record<string, (chosen: Chosen) => Parameters<Client['request']>[0]>;

interface Chosen {
  readonly a: string;
  readonly b: string;
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
]);

const act = fc.record({
  user: fc.constantFrom(...users),
  /** The account's key creates a memory of the user, or links any two. */
  kind: fc.constantFrom(
    'create',
    'link all',
    ...(Object.keys(requests) as (keyof typeof requests)[]),
  ),
  i: fc.nat(),
  j: fc.nat(),
  flag: fc.boolean(),
});

/** Ids that a request names are in its answer, too. */
const textOf = ({ body }: RawResponse, named: readonly string[]): string =>
  named.reduce((text, id) => text.replaceAll(id, ''), JSON.stringify(body ?? null));

describe.each(engines)('tokens of two users on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  it("never read what another user's memories say", async () => {
    const met = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 60, maxLength: 90 }), async (acts) => {
        const { client } = await service.createAccount();
        const clients = new Map<User, Client>();
        for (const user_id of users) {
          const { token } = await client.auth.createToken({ body: { user_id } });
          clients.set(user_id, service.client(token));
        }
        const memories: { id: string; user: string; word: string }[] = [];
        const create = async (by: Client, user: string, fields: object): Promise<void> => {
          const word = `${user}word${memories.length}`;
          const body = { content: `The kettle of ${word} sings.`, tags: ['all', word], ...fields };
          const { id } = await by.memories.create({ body });
          memories.push({ id, user, word });
        };
        for (const user of users) await create(clients.get(user) as Client, user, {});
        await create(client, 'nobody', {});
        await create(client, 'cleo', { user_id: 'cleo' });
        for (const { user, kind, i, j, flag } of acts) {
          const own = clients.get(user) as Client;
          const owned = memories.filter((one) => one.user === user);
          const pool = (n: number) => (n % 2 === 0 ? owned : memories);
          const pick = (n: number) => pool(n)[Math.floor(n / 2) % pool(n).length];
          const [a, b] = [pick(i), pick(j)];
          if (!a || !b) continue;
          if (kind === 'create') {
            await (flag ? create(own, user, {}) : create(client, user, { user_id: user }));
            continue;
          }
          const chosen = { a: a.id, b: b.id, q: flag ? `kettle ${b.word}` : b.word, flag };
          if (kind === 'link all') {
            const type = flag ? 'supersedes' : 'related_to';
            const body = { target_id: b.id, relationship_type: type };
            await client.request({ method: 'POST', path: `/relationships/${a.id}`, body });
            continue;
          }
          const answer = await own.request(requests[kind](chosen));
          expect(answer.status).toBeLessThan(500);
          met.set(kind, (met.get(kind) ?? 0) + (answer.status < 300 ? 1 : 0));
          // The query comes back as it was sent.
          const text = textOf(answer, [a.id, b.id]).replaceAll(JSON.stringify(chosen.q), '');
          for (const other of memories) {
            if (other.user === user) continue;
            expect(text, `${user}: ${kind}`).not.toContain(other.id);
            expect(text, `${user}: ${kind}`).not.toContain(`The kettle of ${other.word} `);
          }
          if (!byId.has(kind) || a.user === user || (kind === 'link' && a === b)) continue;
          expect(answer.status, `${user}: ${kind}`).toBe(404);
        }
      }),
      { numRuns: runCount(6, 60), endOnFailure: true },
    );
    for (const kind of Object.keys(requests)) expect(met.get(kind) ?? 0, kind).toBeGreaterThan(0);
  });
});
