import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';

interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly pagination: {
    readonly limit: number | null;
    readonly total: number | null;
    readonly offset: number | null;
    readonly has_more: boolean;
    readonly next_cursor: string | null;
  };
}
type Query = Record<string, string | number>;

/** The loop of docs/names.md. */
async function readAll(client: Client, path: string, query: Query): Promise<Page[]> {
  const pages: Page[] = [];
  let next: Query = {};
  for (;;) {
    const request = { method: 'GET', path, query: { ...query, ...next } };
    const page = (await client.request(request)).body as Page;
    pages.push(page);
    const { has_more, next_cursor, offset, limit } = page.pagination;
    if (!has_more) return pages;
    next =
      next_cursor === null ? { offset: Number(offset) + Number(limit) } : { cursor: next_cursor };
  }
}

const deprecation = {
  deprecation: '@1795824000',
  link: '</docs>; rel="deprecation"; type="text/html"',
};
const headersOf = ({ headers }: { headers: Headers }) => ({
  deprecation: headers.get('deprecation'),
  link: headers.get('link'),
});
const none = { deprecation: null, link: null };

describe.each(engines)('names and lists on %s', (engine) => {
  let service: Service;
  let client: Client;
  const ids: string[] = [];
  beforeAll(async () => {
    service = await startService(engine);
    ({ client } = await service.createAccount());
    for (let i = 0; i < 5; i += 1) {
      ids.push((await client.memories.create({ body: { content: `Ana drinks tea ${i}.` } })).id);
      await client.spaces.create({ body: { name: `space ${i}` } });
      await client.clusters.create({ body: { name: `cluster ${i}` } });
    }
    for (const target_id of ids.slice(1)) {
      const body = { target_id, relationship_type: 'related_to' };
      await client.relationships.create({ params: { memoryId: ids[0] ?? '' }, body });
    }
  });
  afterAll(() => service.stop());

  it.each([
    ['a list by cursor', '/memories', {}, { total: null, offset: null }],
    ['a list by offset', '/spaces', {}, { total: 5, offset: 4, next_cursor: null }],
    ['a list by both', '/clusters', {}, { total: 5 }],
    ['a search', '/search', { q: 'tea' }, { total: 5, offset: 4, next_cursor: null }],
  ])('one loop reads %s', async (_what, path, query, last) => {
    const pages = await readAll(client, path, { ...query, limit: 2 });
    expect(pages.map(({ data }) => data.length)).toEqual([2, 2, 1]);
    expect(new Set(pages.flatMap(({ data }) => data.map(({ id }) => id))).size).toBe(5);
    expect(pages[2]?.pagination).toMatchObject({ limit: 2, has_more: false, ...last });
  });

  it('a list without pages has all of its records in one', async () => {
    const path = `/relationships/${ids[0]}`;
    const [page, ...others] = await readAll(client, path, {});
    expect(others).toEqual([]);
    expect(page?.data).toHaveLength(4);
    expect(page?.pagination).toEqual({
      limit: null,
      total: 4,
      offset: null,
      has_more: false,
      next_cursor: null,
    });
    expect(page).toMatchObject({ outgoing: page?.data, incoming: [], total: 4 });
  });

  it('a list of the best has no further page', async () => {
    const [page, ...others] = await readAll(client, `/search/similar/${ids[0]}`, { limit: 2 });
    expect(others).toEqual([]);
    expect(page).toMatchObject({ results: page?.data, pagination: { limit: 2, total: null } });
    expect(page?.data).toHaveLength(2);
  });

  it.each([
    [
      'a query',
      'GET',
      '/memories',
      { query: { pinned: 'true' } },
      { query: { is_pinned: 'true' } },
    ],
    [
      'a body',
      'POST',
      '/recall',
      { body: { query: 'tea', session: 'a' } },
      { body: { q: 'tea', session_key: 'a' } },
    ],
    [
      'an item of a batch',
      'POST',
      '/search/batch',
      { body: { queries: [{ q: 'tea', session: 'a' }] } },
      { body: { queries: [{ q: 'tea', session_key: 'a' }] } },
    ],
    [
      'an item of a bulk body',
      'POST',
      '/memories/bulk',
      { body: { memories: [{ content: '# One', type: 'markdown', allow_duplicate: true }] } },
      {
        body: { memories: [{ content: '# One', content_type: 'markdown', allow_duplicate: true }] },
      },
    ],
    [
      'a large body',
      'POST',
      '/memories',
      { body: { content: 'x'.repeat(70_000), type: 'text', allow_duplicate: true } },
      { body: { content: 'x'.repeat(70_000), content_type: 'text', allow_duplicate: true } },
    ],
  ] as const)(
    'an alias in %s is deprecated, the name is not',
    async (_where, method, path, aliases, names) => {
      const old = await client.request({ method, path, ...aliases });
      const now = await client.request({ method, path, ...names });
      expect([old.status, now.status]).toEqual([now.status, old.status]);
      expect(old.status).toBeLessThan(300);
      expect(headersOf(old)).toEqual(deprecation);
      expect(headersOf(now)).toEqual(none);
    },
  );

  it('an alias is deprecated in a request that is refused or replayed, too', async () => {
    const body = { emailPattern: 'ana@example.com', ruleType: 'block' };
    const headers = { 'idempotency-key': `names ${engine}` };
    const add = { method: 'POST', path: '/email/senders', body, headers };
    expect(headersOf(await client.request(add))).toEqual(deprecation);
    const again = await client.request(add);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(headersOf(again)).toEqual(deprecation);
    const refused = await client.request({
      ...add,
      body: { ...body, ruleType: 'none' },
      headers: {},
    });
    expect(refused.status).toBe(400);
    expect(headersOf(refused)).toEqual(deprecation);
  });

  it('a request has a thing under its name or its alias, or both if they are equal', async () => {
    const create = (body: object) => client.request({ method: 'POST', path: '/memories', body });
    const equal = { content: 'a', type: 'markdown', content_type: 'markdown' };
    expect(await create(equal)).toMatchObject({ status: 201, body: { content_type: 'markdown' } });
    const field = { code: 'invalid_format', message: 'must equal content_type when both are set' };
    expect(await create({ ...equal, type: 'text' })).toMatchObject({
      status: 422,
      body: { error: { details: { fields: { type: field } } } },
    });
    const both = { email_pattern: 'a@b.c', emailPattern: 'd@e.f', rule_type: 'block' };
    const flat = await client.request({ method: 'POST', path: '/email/senders', body: both });
    expect(flat).toMatchObject({
      status: 400,
      body: { message: 'emailPattern must equal email_pattern when both are set' },
    });
  });

  it('a response has a thing under its name and its aliases', async () => {
    const body = { email_pattern: '*@example.org', rule_type: 'allow' } as const;
    const rule = await client.email.addSender({ body });
    expect(rule).toMatchObject({ ...body, emailPattern: '*@example.org', ruleType: 'allow' });
    expect(rule.created_at).toBe(rule.createdAt);
    const { data } = await client.email.listSenders({ query: { rule_type: 'allow' } });
    expect(data).toEqual([rule]);
    expect(await client.email.checkSender({ body: { email: 'b@example.org' } })).toMatchObject({
      matchedRule: rule,
      matched_rule: rule,
    });
  });

  it('a cursor serves both names of its filters', async () => {
    const query = { pinned: false, limit: 2 };
    const { pagination } = await client.memories.list({ query });
    const cursor = pagination.next_cursor ?? '';
    const next = await client.memories.list({ query: { is_pinned: false, limit: 2, cursor } });
    expect(next.data).toHaveLength(2);
  });

  it('an alias of a route is deprecated', async () => {
    const entity = async (name: string) => {
      const { id } = await client.knowledge.create({ body: { name, type: 'person' } });
      return id;
    };
    const merge = async (path: string) => {
      const body = { source_id: await entity(`A ${path}`), target_id: await entity(`B ${path}`) };
      return client.request({ method: 'POST', path, body });
    };
    const [old, now] = [await merge('/entities/merge'), await merge('/knowledge/entities/merge')];
    expect([old.status, now.status]).toEqual([200, 200]);
    expect([headersOf(old), headersOf(now)]).toEqual([deprecation, none]);
  });
});
