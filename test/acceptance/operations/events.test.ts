import { eventTypes } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asMemory } from '../../support/as-memory.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';

describe.each(engines)('GET /events on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    // Standing timers: what was read is not noted as an event in between.
    service = await startService(engine, { overrides: { clock: createFakeClock() } });
  });
  afterAll(() => service.stop());

  /** Every page from the cursor on; the types of the events, and the last cursor. */
  async function follow(client: Client, cursor?: string, limit = 3) {
    const types: string[] = [];
    for (let at = cursor; ; ) {
      const query = { limit, ...(at === undefined ? {} : { cursor: at }) };
      const page = await client.events.list({ query });
      types.push(...page.data.map(({ type }) => type));
      at = page.next_cursor ?? undefined;
      if (!page.has_more) return { types, cursor: at };
    }
  }

  it('answers an empty account with an empty page and a cursor to follow', async () => {
    const { client } = await service.createAccount();
    const page = await client.events.list();
    const { next_cursor } = page;
    expect(page).toEqual({
      data: [],
      has_more: false,
      next_cursor: expect.any(String),
      pagination: { limit: 20, total: null, offset: null, has_more: false, next_cursor },
    });
    await client.spaces.create({ body: { name: 'research' } });
    expect((await follow(client, page.next_cursor ?? '')).types).toEqual(['space.created']);
  });

  it('tells what happened in order, oldest first, each event whole', async () => {
    const { client } = await service.createAccount();
    const body = { content: 'Ana prefers tea.' };
    const memory = asMemory(await client.memories.create({ body }));
    const params = { id: memory.id };
    const changed = await client.memories.update({ params, body: { tags: ['x'], priority: 4 } });
    await client.memories.remove({ params, query: { soft: true } });
    await client.memories.restore({ params });
    await client.memories.remove({ params });
    const { data } = await client.events.list();
    expect(data.map(({ type }) => type)).toEqual([
      'memory.created',
      'memory.updated',
      'memory.reinforced',
      'memory.deleted',
      'memory.restored',
      'memory.deleted',
    ]);
    expect(data[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: 'memory.created',
      created_at: expect.stringMatching(/Z$/),
      space_id: null,
      data: memory,
      previous_data: null,
      changes: null,
    });
    expect(data[1]).toMatchObject({ data: changed, previous_data: memory });
    expect(data[1]?.changes?.toSorted()).toEqual(['priority', 'tags']);
    expect(data[2]?.data).toEqual({ id: memory.id, priority: 4 });
    expect(new Set(data.map(({ id }) => id)).size).toBe(6);
    for (const { type } of data) expect(Object.keys(eventTypes)).toContain(type);
  });

  it('pages of any size neither repeat nor lose an event', async () => {
    const { client } = await service.createAccount();
    const names = Array.from({ length: 11 }, (_, i) => `space ${i}`);
    for (const name of names) await client.spaces.create({ body: { name } });
    for (const limit of [1, 4, 11, 100]) {
      const { types } = await follow(client, undefined, limit);
      expect(types).toHaveLength(11);
    }
  });

  it('a kept cursor follows what happens, and never tells an event twice', async () => {
    const { client } = await service.createAccount();
    await client.spaces.create({ body: { name: 'one' } });
    const first = await follow(client);
    expect(first.types).toHaveLength(1);
    expect(await follow(client, first.cursor)).toEqual({ types: [], cursor: first.cursor });
    await client.spaces.create({ body: { name: 'two' } });
    await client.spaces.create({ body: { name: 'three' } });
    const second = await follow(client, first.cursor);
    expect(second.types).toHaveLength(2);
    expect((await follow(client, second.cursor)).types).toEqual([]);
  });

  it('a follower misses nothing of many writers at once', async () => {
    const { client } = await service.createAccount();
    const seen: string[] = [];
    const writing = Promise.all(
      Array.from({ length: 30 }, (_, i) => client.spaces.create({ body: { name: `space ${i}` } })),
    );
    let done = false;
    const finished = writing.then(() => {
      done = true;
    });
    let cursor: string | undefined;
    for (;;) {
      const last = done;
      const query = { limit: 5, ...(cursor === undefined ? {} : { cursor }) };
      const page = await client.events.list({ query });
      for (const { type, data } of page.data) {
        if (type === 'space.created' && 'name' in data) seen.push(data.name);
      }
      cursor = page.next_cursor ?? undefined;
      if (last && !page.has_more) break;
    }
    await finished;
    expect(seen).toHaveLength(30);
    expect(new Set(seen).size).toBe(30);
  });

  it('type keeps just that type, and an unknown type is refused', async () => {
    const { client } = await service.createAccount();
    const { id } = await client.spaces.create({ body: { name: 'one' } });
    await client.spaces.update({ params: { id }, body: { name: 'two' } });
    await client.memories.create({ body: { content: 'Ana prefers tea.' } });
    const query = { type: 'space.updated' as const };
    const { data } = await client.events.list({ query });
    expect(data.map(({ type }) => type)).toEqual(['space.updated']);
    const answer = await client.request({
      method: 'GET',
      path: '/events',
      query: { type: 'space.painted', limit: 101 },
    });
    expect(answer).toMatchObject({
      status: 422,
      body: {
        error: {
          details: {
            fields: { type: { code: 'invalid_enum_value' }, limit: { code: 'invalid_range' } },
          },
        },
      },
    });
  });

  it('a cursor that is altered, of other filters or another account is 400', async () => {
    const [mine, theirs] = [await service.createAccount(), await service.createAccount()];
    await mine.client.spaces.create({ body: { name: 'one' } });
    const cursor = (await mine.client.events.list()).next_cursor ?? '';
    const refused = { status: 400, code: 'invalid_request' };
    for (const wrong of ['nonsense', '!', cursor.slice(1), `${cursor}A`, `${cursor}=`]) {
      await expect(mine.client.events.list({ query: { cursor: wrong } })).rejects.toMatchObject(
        refused,
      );
    }
    await expect(
      mine.client.events.list({ query: { cursor, type: 'space.created' } }),
    ).rejects.toMatchObject(refused);
    await expect(theirs.client.events.list({ query: { cursor } })).rejects.toMatchObject(refused);
    expect((await mine.client.events.list({ query: { cursor, limit: 7 } })).data).toEqual([]);
  });

  it('an account sees its own events alone', async () => {
    const [mine, theirs] = [await service.createAccount(), await service.createAccount()];
    await theirs.client.spaces.create({ body: { name: 'theirs' } });
    expect((await mine.client.events.list()).data).toEqual([]);
  });

  it('a refused change tells nobody', async () => {
    const { client } = await service.createAccount();
    await client.spaces.create({ body: { name: 'one' } });
    await expect(client.spaces.create({ body: { name: 'one' } })).rejects.toThrow();
    await client.memories.create({ body: { content: 'same' } });
    await expect(client.memories.create({ body: { content: 'same' } })).rejects.toThrow();
    expect((await follow(client)).types).toEqual(['space.created', 'memory.created']);
  });

  it('a key limited to spaces pages through the events of those alone', async () => {
    const { client } = await service.createAccount();
    const own = (await client.spaces.create({ body: { name: 'own' } })).id;
    const other = (await client.spaces.create({ body: { name: 'other' } })).id;
    for (let i = 0; i < 4; i += 1) {
      for (const space_id of [own, other, null]) {
        await client.memories.create({ body: { content: `note ${i} of ${space_id}`, space_id } });
      }
    }
    const body = { name: 'limited', space_ids: [own] };
    const limited = service.client((await client.keys.create({ body })).key);
    const { types } = await follow(limited, undefined, 2);
    expect(types).toEqual(['space.created', ...Array(4).fill('memory.created')]);
    const text = JSON.stringify(await limited.events.list({ query: { limit: 100 } }));
    expect(text).not.toContain(other);
    expect(text).not.toContain('of null');
  });
});
