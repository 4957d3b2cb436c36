import { allRoutes, buildOpenApi, type Route } from '@mneme/contract';
import { describe, expect, it } from 'vitest';
import type { IfPaginated } from './calls.ts';
import { type Client, paginate, routes } from './index.ts';
import { type ResponseScript, startScriptedServer } from './testing.ts';

const byCursor: ResponseScript = (_, i) => ({
  status: 200,
  body: { data: [i], has_more: i < 2, next_cursor: i < 2 ? `c${i}` : null },
});
const byOffset: ResponseScript = ({ url }) => {
  const offset = Number(new URL(url, 'http://x').searchParams.get('offset') ?? 0);
  const data = [offset, offset + 1].filter((i) => i < 5);
  const has_more = offset + 2 < 5;
  return { status: 200, body: { data, pagination: { total: 5, limit: 2, offset, has_more } } };
};

async function all<T>(records: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = [];
  for await (const record of records) read.push(record);
  return read;
}

describe('client.paginate', () => {
  it('follows cursors to the end, with the same filters', async () => {
    await using scene = await startScriptedServer(byCursor);
    const query = { pinned: true };
    const records = scene.client.paginate(routes.memories.list, { query });
    expect(await all(records)).toEqual([0, 1, 2]);
    expect(scene.requests.map(({ url }) => url)).toEqual([
      '/v1/memories?pinned=true',
      '/v1/memories?pinned=true&cursor=c0',
      '/v1/memories?pinned=true&cursor=c1',
    ]);
  });

  it('follows offsets to the end, from where it is told', async () => {
    await using scene = await startScriptedServer(byOffset);
    const spaces = scene.client.paginate(routes.spaces.list, { query: { limit: 2, offset: 1 } });
    expect(await all(spaces)).toEqual([1, 2, 3, 4]);
  });

  it('goes on by offset where a page has a cursor as well', async () => {
    await using scene = await startScriptedServer((request, i, ...others) => {
      const { status, body } = byOffset(request, i, ...others) as { status: number; body: object };
      return { status, body: { ...body, has_more: true, next_cursor: 'c' } };
    });
    const query = { limit: 2, offset: 1 };
    expect(await all(scene.client.paginate(routes.clusters.list, { query }))).toEqual([1, 2, 3, 4]);
    expect(scene.requests.map(({ url }) => url)).toEqual([
      '/v1/clusters?limit=2&offset=1',
      '/v1/clusters?limit=2&offset=3',
    ]);
  });

  it('asks for a page only when its records are wanted', async () => {
    await using scene = await startScriptedServer(byCursor);
    for await (const _ of scene.client.paginate(routes.operations.events)) break;
    expect(scene.requests).toHaveLength(1);
  });

  it('has the type of the records, and takes lists only', async () => {
    await using scene = await startScriptedServer(() => ({
      status: 200,
      body: { data: [{ content: 'x' }], has_more: false, next_cursor: null },
    }));
    const contents: string[] = [];
    for await (const memory of scene.client.paginate(routes.memories.list)) {
      contents.push(memory.content);
    }
    expect(contents).toEqual(['x']);
    // @ts-expect-error a single memory is no list
    const none = scene.client.paginate(routes.memories.get, { params: { id: '1' } });
    await none.return();
    // @ts-expect-error a page of its own field: clusters.memories is the list
    await scene.client.paginate(routes.clusters.get, { params: { clusterId: '1' } }).return();
    // @ts-expect-error results of a search are no pages of a list
    await scene.client.paginate(routes.search.get, { query: { q: 'x' } }).return();
    // @ts-expect-error all of them at once
    await scene.client.paginate(routes.cliSessions.active).return();
  });

  it('reads lists whose pages have their records in a field of another name', async () => {
    const byTotal =
      (field: string): ResponseScript =>
      ({ url }) => {
        const offset = Number(new URL(url, 'http://x').searchParams.get('offset') ?? 0);
        return {
          status: 200,
          body: { entity_id: '1', [field]: [offset, offset + 1].filter((i) => i < 5), total: 5 },
        };
      };
    const params = { id: '1' };
    const lists = {
      entities: (client: Client) => client.paginate(routes.knowledge.atTime),
      entries: (client: Client) => client.paginate(routes.knowledge.timeline, { params }),
      facts: (client: Client) => client.paginate(routes.knowledge.facts, { params }),
      relationships: (client: Client) =>
        client.paginate(routes.knowledge.relationships, { params }),
    };
    for (const [field, list] of Object.entries(lists)) {
      await using scene = await startScriptedServer(byTotal(field));
      expect(await all<unknown>(list(scene.client))).toEqual([0, 1, 2, 3, 4]);
    }
    await using scene = await startScriptedServer(byTotal('facts'));
    const query = { offset: 3 };
    expect(await all(scene.client.paginate(routes.knowledge.facts, { params, query }))).toEqual([
      3, 4,
    ]);
  });

  it('takes every route of a list', () => {
    const isList = ({ id }: Route): boolean =>
      id !== 'events.stream' &&
      operations
        .find(({ operationId }) => operationId === id)
        ?.parameters?.some((one) => one.in === 'query' && /^(?:offset|cursor)$/.test(one.name)) ===
        true;
    const lists = allRoutes.filter(isList).map(({ id }) => id);
    const taken = Object.values(allLists).map(({ id }) => id);
    expect(new Set([...taken, 'search.get', 'clusters.get'])).toEqual(new Set(lists));
  });
});

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
}
const { paths } = buildOpenApi(allRoutes, '0') as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};
const operations = Object.values(paths).flatMap((path) => Object.values(path));

/** Each fits the type that `paginate` takes. */
const listed = <R extends Route>(route: R & IfPaginated<R>): Route => route;
const allLists = [
  listed(routes.memories.list),
  listed(routes.knowledge.entities),
  listed(routes.knowledge.atTime),
  listed(routes.knowledge.timeline),
  listed(routes.knowledge.relationships),
  listed(routes.knowledge.facts),
  listed(routes.clusters.list),
  listed(routes.clusters.memories),
  listed(routes.clusters.ofMemory),
  listed(routes.clusters.runs),
  listed(routes.search.listPresets),
  listed(routes.spaces.list),
  listed(routes.cliSessions.list),
  listed(routes.cliSessions.memories),
  listed(routes.sessions.list),
  listed(routes.sessions.active),
  listed(routes.sessions.memories),
  listed(routes.account.audit),
  listed(routes.auth.listTokens),
  listed(routes.keys.list),
  listed(routes.admin.listAccounts),
  listed(routes.admin.listErasures),
  listed(routes.email.listAddresses),
  listed(routes.email.listHistory),
  listed(routes.email.listAttachments),
  listed(routes.email.listSenders),
  listed(routes.email.listReactions),
  listed(routes.email.listDigests),
  listed(routes.email.listOutbound),
  listed(routes.email.listSuppressions),
  listed(routes.webhooks.list),
  listed(routes.webhooks.listDeliveries),
  listed(routes.operations.events),
];

describe('paginate', () => {
  it('reads pages by any function', async () => {
    await using scene = await startScriptedServer(byCursor);
    const { memories } = scene.client;
    const records = paginate((place) => memories.list({ query: { ...place, limit: 1 } }));
    expect(await all(records)).toEqual([0, 1, 2]);
  });

  it('ends at an empty page, whatever it says of more', async () => {
    const pagination = { total: 9, limit: 2, offset: 0, has_more: true };
    const records = paginate(async () => ({ data: [], pagination }));
    expect(await all(records)).toEqual([]);
  });

  it('fails rather than read one page for ever', async () => {
    const page = { data: [1], has_more: true, next_cursor: 'same' };
    await expect(all(paginate(async () => page))).rejects.toThrow('same cursor twice');
  });
});
