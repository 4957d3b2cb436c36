import { allRoutes, buildOpenApi, type Route } from '@mneme/contract';
import { describe, expect, it } from 'vitest';
import { type Client, type Operation, operations, paginate } from './index.ts';
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
    const records = scene.client.paginate(operations.memories.list, { query });
    expect(await all(records)).toEqual([0, 1, 2]);
    expect(scene.requests.map(({ url }) => url)).toEqual([
      '/v1/memories?pinned=true',
      '/v1/memories?pinned=true&cursor=c0',
      '/v1/memories?pinned=true&cursor=c1',
    ]);
  });

  it('follows offsets to the end, from where it is told', async () => {
    await using scene = await startScriptedServer(byOffset);
    const spaces = scene.client.paginate(operations.spaces.list, {
      query: { limit: 2, offset: 1 },
    });
    expect(await all(spaces)).toEqual([1, 2, 3, 4]);
  });

  it('goes on by offset where a page has a cursor as well', async () => {
    await using scene = await startScriptedServer((request, i, ...others) => {
      const { status, body } = byOffset(request, i, ...others) as { status: number; body: object };
      return { status, body: { ...body, has_more: true, next_cursor: 'c' } };
    });
    const query = { limit: 2, offset: 1 };
    expect(await all(scene.client.paginate(operations.clusters.list, { query }))).toEqual([
      1, 2, 3, 4,
    ]);
    expect(scene.requests.map(({ url }) => url)).toEqual([
      '/v1/clusters?limit=2&offset=1',
      '/v1/clusters?limit=2&offset=3',
    ]);
  });

  it('follows the envelope: its cursor, without the offset of the first page', async () => {
    await using scene = await startScriptedServer((_, i) => ({
      status: 200,
      body: {
        data: [i],
        pagination: {
          limit: 1,
          total: 3,
          offset: i === 0 ? 1 : 0,
          has_more: i < 1,
          next_cursor: i < 1 ? 'c' : null,
        },
      },
    }));
    const query = { offset: 1, limit: 1 };
    expect(await all(scene.client.paginate(operations.clusters.list, { query }))).toEqual([0, 1]);
    expect(scene.requests.map(({ url }) => url)).toEqual([
      '/v1/clusters?offset=1&limit=1',
      '/v1/clusters?limit=1&cursor=c',
    ]);
  });

  it('follows the envelope: without a cursor to offset + limit', async () => {
    // A memory of the first page was deleted meanwhile.
    await using scene = await startScriptedServer((_, i) => ({
      status: 200,
      body: {
        data: i === 0 ? [1] : [3],
        memories: ['of the published name'],
        pagination: { limit: 2, total: 3, offset: i * 2, has_more: i < 1, next_cursor: null },
      },
    }));
    const input = { params: { clusterId: '1' }, query: { limit: 2 } };
    const records = scene.client.paginate(operations.clusters.memories, input);
    expect(await all<unknown>(records)).toEqual([1, 3]);
    expect(scene.requests.map(({ url }) => url)).toEqual([
      '/v1/clusters/1/memories?limit=2',
      '/v1/clusters/1/memories?limit=2&offset=2',
    ]);
  });

  it('asks for a page only when its records are wanted', async () => {
    await using scene = await startScriptedServer(byCursor);
    for await (const _ of scene.client.paginate(operations.events.list)) break;
    expect(scene.requests).toHaveLength(1);
  });

  it('has the type of the records, and takes lists only', async () => {
    await using scene = await startScriptedServer(() => ({
      status: 200,
      body: { data: [{ content: 'x' }], has_more: false, next_cursor: null },
    }));
    const contents: string[] = [];
    for await (const memory of scene.client.paginate(operations.memories.list)) {
      contents.push(memory.content);
    }
    expect(contents).toEqual(['x']);
    // @ts-expect-error a single memory is no list
    const none = scene.client.paginate(operations.memories.get, { params: { id: '1' } });
    await none.return();
    // @ts-expect-error a page of its own field: clusters.memories is the list
    await scene.client.paginate(operations.clusters.get, { params: { clusterId: '1' } }).return();
    // @ts-expect-error results of a search are no pages of a list
    await scene.client.paginate(operations.search.get, { query: { q: 'x' } }).return();
    // @ts-expect-error all of them at once
    await scene.client.paginate(operations.cliSessions.active).return();
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
      entities: (client: Client) => client.paginate(operations.knowledge.atTime),
      entries: (client: Client) => client.paginate(operations.knowledge.timeline, { params }),
      facts: (client: Client) => client.paginate(operations.knowledge.facts, { params }),
      relationships: (client: Client) =>
        client.paginate(operations.knowledge.relationships, { params }),
    };
    for (const [field, list] of Object.entries(lists)) {
      await using scene = await startScriptedServer(byTotal(field));
      expect(await all<unknown>(list(scene.client))).toEqual([0, 1, 2, 3, 4]);
    }
    await using scene = await startScriptedServer(byTotal('facts'));
    const query = { offset: 3 };
    expect(await all(scene.client.paginate(operations.knowledge.facts, { params, query }))).toEqual(
      [3, 4],
    );
  });

  it('accepts every operation of a list', () => {
    const isList = ({ id }: Route): boolean =>
      id !== 'events.stream' &&
      documented
        .find(({ operationId }) => operationId === id)
        ?.parameters?.some((one) => one.in === 'query' && /^(?:offset|cursor)$/.test(one.name)) ===
        true;
    const lists = allRoutes.filter(isList).map(({ id }) => id);
    const marked = Object.values(operations)
      .flatMap((verbs) => Object.values<Operation>(verbs))
      .filter(({ list }) => list)
      .map(({ id }) => id);
    expect(new Set([...marked, 'search.get', 'clusters.get'])).toEqual(new Set(lists));
  });
});

interface DocumentedOperation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
}
const { paths } = buildOpenApi(allRoutes, '0') as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
};
const documented = Object.values(paths).flatMap((path) => Object.values(path));

describe('a call of a list', () => {
  it('is a promise of the first page', async () => {
    await using scene = await startScriptedServer(byCursor);
    expect(await scene.client.memories.list()).toEqual({
      data: [0],
      has_more: true,
      next_cursor: 'c0',
    });
    expect(scene.requests).toHaveLength(1);
  });

  it('iterates over all records, and reads each page once', async () => {
    await using scene = await startScriptedServer(byCursor);
    const list = scene.client.memories.list({ query: { pinned: true } });
    await list;
    const records: unknown[] = await all(list);
    expect(records).toEqual([0, 1, 2]);
    expect(scene.requests.map(({ url }) => url)).toEqual([
      '/v1/memories?pinned=true',
      '/v1/memories?pinned=true&cursor=c0',
      '/v1/memories?pinned=true&cursor=c1',
    ]);
  });

  it('rejects the promise and the iteration if the first page fails', async () => {
    await using scene = await startScriptedServer(() => ({ status: 404 }));
    const list = scene.client.spaces.list();
    await expect(list).rejects.toMatchObject({ status: 404 });
    await expect(all(list)).rejects.toMatchObject({ status: 404 });
  });
});

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
