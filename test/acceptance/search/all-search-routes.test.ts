import type { Client, RawRequest } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { onlySessionOfKey } from '../activation/session-requests.ts';
import {
  advanceToNextMinute,
  advanceToNextMonth,
  monthOf,
  responseStatuses,
  runConcurrently,
} from '../limits/usage-and-windows.ts';
import { GatedEmbedder } from '../memories/controlled-dependencies.ts';
import { createMemory } from '../memories/memory-requests.ts';

interface Endpoint {
  /** A request that finds a memory; `id` names another that is like it. */
  readonly ask: (id: string, more: Readonly<Record<string, string>>) => RawRequest;
  /** Searches of the month that it counts. */
  readonly counts: number;
  /** What it answers while the embedding provider is down. */
  readonly whileDown: number;
}

const asked = (path: string, query: Record<string, string>): RawRequest => ({
  method: 'GET',
  path,
  query,
});
const q = 'tea';
const endpoints: Readonly<Record<string, Endpoint>> = {
  'GET /search': {
    ask: (_id, more) => asked('/search', { q, ...more }),
    counts: 1,
    whileDown: 500,
  },
  'POST /search': {
    ask: (_id, more) => ({ method: 'POST', path: '/search', body: { q, ...more } }),
    counts: 1,
    whileDown: 500,
  },
  'POST /search/batch': {
    ask: (_id, more) => ({
      method: 'POST',
      path: '/search/batch',
      body: { queries: [{ q }, { q: 'hot' }], ...more },
    }),
    counts: 2,
    whileDown: 200,
  },
  'GET /search/aggregate': {
    ask: (_id, more) =>
      asked('/search/aggregate', { query: q, threshold: '0', group_by: 'priority', ...more }),
    counts: 1,
    whileDown: 500,
  },
  'GET /search/similar/:memoryId': {
    ask: (id, more) => asked(`/search/similar/${id}`, { limit: '1', ...more }),
    counts: 1,
    whileDown: 200,
  },
  'GET /search/global': {
    ask: (_id, more) => asked('/search/global', { q, ...more }),
    counts: 0,
    whileDown: 200,
  },
  'GET /search/topic': {
    ask: (_id, more) => asked('/search/topic', { topic: q, ...more }),
    counts: 0,
    whileDown: 200,
  },
  'POST /recall': {
    ask: (_id, more) => ({ method: 'POST', path: '/recall', body: { query: q, ...more } }),
    counts: 1,
    whileDown: 500,
  },
};
const each = Object.entries(endpoints);

describe.each(engines)('every kind of search on %s', (engine) => {
  let service: Service;
  let embedder: GatedEmbedder;
  const clock = createFakeClock();
  beforeAll(async () => {
    embedder = await GatedEmbedder.open();
    service = await startService(engine, { overrides: { clock, embedder } });
  });
  afterAll(() => service.stop());

  /** An account with a memory that each of them finds, and one like it that some start from. */
  async function withTea(plan?: 'free' | 'max') {
    const account = await service.createAccount(plan);
    const found = await createMemory(account.client, 'Ana drinks hot tea.', { tags: ['tea'] });
    const like = await createMemory(account.client, 'Ana is there.', { tags: ['other'] });
    return { ...account, found: found.id, like: like.id };
  }
  const searches = async (client: Client) => (await client.account.get()).usage.searches;

  it.each(each)('%s takes a session of 1 to 128 Unicode characters', async (_name, { ask }) => {
    const { client, found, like } = await withTea();
    const keys = ['k', ' ', '🦊'.repeat(128), 'a\nb "c" \u202eתה', '%2F&session=x,y'];
    for (const session of keys) {
      expect((await client.request(ask(like, { session }))).status).toBe(200);
      expect((await onlySessionOfKey(client, session)).memory_ids).toContain(found);
    }
    for (const [session, code] of [
      ['', 'invalid_range'],
      ['🦊'.repeat(129), 'field_too_long'],
      ['x\0', 'invalid_characters'],
    ] as const) {
      expect(await client.request(ask(like, { session }))).toMatchObject({
        status: 422,
        body: { error: { details: { fields: { session: { code } } } } },
      });
    }
    await client.request(ask(like, {}));
    expect((await client.sessions.list()).pagination.total).toBe(keys.length);
  });

  it.each(each)('%s counts as many searches as it makes', async (_name, { ask, counts }) => {
    advanceToNextMonth(clock);
    const { client, like } = await withTea('free');
    for (const times of [1, 2]) {
      expect((await client.request(ask(like, {}))).status).toBe(200);
      expect(await searches(client), monthOf(clock.now())).toBe(counts * times);
    }
  });

  it.each(each)('%s needs no provider but for a vector', async (_name, { ask, whileDown }) => {
    const { client, like } = await withTea();
    const answer = await embedder.whileDown(() => client.request(ask(like, {})));
    expect(answer.status).toBe(whileDown);
    if (whileDown === 500) {
      expect(answer.body).toMatchObject({ error: { code: 'embedding_failed' } });
    }
  });

  it('a query of a batch tells on its own that its vector could not be made', async () => {
    const { client } = await withTea();
    const queries = [{ q: 'tea' }, { q: 'cup', include: ['audio' as const] }];
    const { results } = await embedder.whileDown(() => client.search.batch({ body: { queries } }));
    expect(results).toMatchObject([
      { query: 'tea', error: { code: 'embedding_failed' } },
      { query: 'cup', error: { code: 'embedding_failed' } },
    ]);
  });

  it('only GET and POST /search share the limit of 120 a minute', async () => {
    const { client, like } = await withTea('max');
    advanceToNextMinute(clock);
    const answers = await runConcurrently(121, 4, () =>
      client.request({ method: 'GET', path: '/search' }),
    );
    expect(new Set(responseStatuses(answers))).toEqual(new Set([422, 429]));
    for (const [name, { ask }] of each) {
      const { status } = await client.request(ask(like, {}));
      expect([name, status]).toEqual([name, / \/search$/.test(name) ? 429 : 200]);
    }
  });
});
