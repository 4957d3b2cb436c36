import { describe, expect, it } from 'vitest';
import { paginate, routes } from './index.ts';
import { type Script, scripted } from './testing.ts';

const byCursor: Script = (_, i) => ({
  status: 200,
  body: { data: [i], has_more: i < 2, next_cursor: i < 2 ? `c${i}` : null },
});
const byOffset: Script = ({ url }) => {
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
    await using scene = await scripted(byCursor);
    const query = { pinned: true };
    const records = scene.client.paginate(routes.memories.list, { query });
    expect(await all(records)).toEqual([0, 1, 2]);
    expect(scene.seen.map(({ url }) => url)).toEqual([
      '/v1/memories?pinned=true',
      '/v1/memories?pinned=true&cursor=c0',
      '/v1/memories?pinned=true&cursor=c1',
    ]);
  });

  it('follows offsets to the end, from where it is told', async () => {
    await using scene = await scripted(byOffset);
    const spaces = scene.client.paginate(routes.spaces.list, { query: { limit: 2, offset: 1 } });
    expect(await all(spaces)).toEqual([1, 2, 3, 4]);
  });

  it('asks for a page only when its records are wanted', async () => {
    await using scene = await scripted(byCursor);
    for await (const _ of scene.client.paginate(routes.operations.events)) break;
    expect(scene.seen).toHaveLength(1);
  });

  it('has the type of the records, and takes lists only', async () => {
    await using scene = await scripted(() => ({
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
  });
});

describe('paginate', () => {
  it('reads pages by any function', async () => {
    await using scene = await scripted(byCursor);
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
    await expect(all(paginate(async () => page))).rejects.toThrow('does not move on');
  });
});
