import { type Client, createClient } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { GatedEmbedder } from './controlled-dependencies.ts';
import { absentId, createMemory, expectError, listEvents, searchIds } from './memory-requests.ts';

describe.each(engines)('PATCH /memories/:id on %s', (engine) => {
  let service: Service;
  let embedder: GatedEmbedder;
  beforeAll(async () => {
    embedder = await GatedEmbedder.open();
    service = await startService(engine, { overrides: { embedder } });
  });
  afterAll(() => service.stop());
  const fresh = async (): Promise<Client> => (await service.createAccount()).client;
  const raw = (client: Client, id: string, body: unknown, headers: Record<string, string> = {}) =>
    client.request({ method: 'PATCH', path: `/memories/${id}`, body, headers });

  it('changes each field alone, and leaves the others as they were', async () => {
    const client = await fresh();
    const space = await client.spaces.create({ body: { name: 'research' } });
    const fields = { tags: ['a'], metadata: { a: 1 }, priority: 5, is_pinned: true };
    let memory = await createMemory(client, 'before', { ...fields, type: 'markdown' });
    const patches = [
      { content: 'after' },
      { metadata: { b: 2 } },
      { tags: ['x', 'y'] },
      { priority: 2 },
      { space_id: space.id },
      { space_id: null },
      { space_id: space.id },
      { space_id: 'default' },
      { tags: [] },
    ];
    for (const body of patches) {
      const patched = await client.memories.update({ params: { id: memory.id }, body });
      const expected = {
        ...memory,
        ...body,
        ...('metadata' in body ? { metadata: { a: 1, b: 2 } } : {}),
        ...(body.space_id === 'default' ? { space_id: null } : {}),
        updated_at: patched.updated_at,
      };
      expect(patched, JSON.stringify(body)).toEqual(expected);
      expect(patched.updated_at >= memory.updated_at).toBe(true);
      expect((await client.memories.list()).data).toEqual([patched]);
      memory = patched;
    }
  });

  it('takes the prefixed id, and answers 404 memory_not_found for what is none', async () => {
    const client = await fresh();
    const { id } = await createMemory(client, 'x');
    expect(await raw(client, `mem_${id}`, { priority: 1 })).toMatchObject({
      status: 200,
      body: { id, priority: 1 },
    });
    for (const none of [absentId, 'x', 'bulk-not']) {
      expect(await raw(client, none, { priority: 1 })).toMatchObject({
        status: 404,
        body: { error: { code: 'memory_not_found' } },
      });
    }
  });

  it('merges metadata: null removes, objects merge, the rest replaces (RFC 7396)', async () => {
    const client = await fresh();
    const metadata = { keep: 1, drop: 2, deep: { keep: [1], drop: 'x' }, list: [1, 2], was: {} };
    const { id } = await createMemory(client, 'merged', { metadata });
    const patch = {
      drop: null,
      absent: null,
      deep: { drop: null, add: { more: true, none: null } },
      list: [{ a: null }],
      was: 'text',
      fresh: { none: null, some: 0 },
    };
    const after = await client.memories.update({ params: { id }, body: { metadata: patch } });
    expect(after.metadata).toEqual({
      keep: 1,
      deep: { keep: [1], add: { more: true } },
      list: [{ a: null }],
      was: 'text',
      fresh: { some: 0 },
    });
  });

  it('refuses metadata whose merged whole is over 16 KB, and changes nothing', async () => {
    const client = await fresh();
    const before = await createMemory(client, 'half full', { metadata: { a: 'x'.repeat(9_000) } });
    const { id } = before;
    const metadata = { b: 'x'.repeat(9_000) };
    const error = await expectError(client.memories.update({ params: { id }, body: { metadata } }));
    expect(error).toMatchObject({
      status: 422,
      code: 'validation_error',
      fields: { metadata: { code: 'field_too_long', max: 16_384 } },
    });
    expect(await client.memories.get({ params: { id } })).toEqual(before);
  });

  it('is found by its new content and no more by its old', async () => {
    const client = await fresh();
    const { id } = await createMemory(client, 'The train to Basel leaves at noon.');
    const other = await createMemory(client, 'Onions, flour and butter are on the list.');
    const content = 'Our dentist moved to the second floor.';
    await client.memories.update({ params: { id }, body: { content } });
    expect((await searchIds(client, 'where is the dentist?'))[0]).toBe(id);
    expect(await searchIds(client, 'train to Basel', 0.4)).toEqual([]);
    expect(await searchIds(client, 'butter and flour')).toContain(other.id);
  });

  it('is found by its new tags, space and priority at once', async () => {
    const client = await fresh();
    const space = await client.spaces.create({ body: { name: 'research' } });
    const { id } = await createMemory(client, 'filtered by facts', { tags: ['old'] });
    const body = { tags: ['new'], space_id: space.id, priority: 9 };
    await client.memories.update({ params: { id }, body });
    const search = async (query: object) =>
      (await client.search.get({ query: { q: 'facts', ...query } })).results.map((one) => one.id);
    expect(await search({ tags: ['new'], space_id: space.id, min_priority: 9 })).toEqual([id]);
    expect(await search({ tags: ['old'] })).toEqual([]);
    expect(await search({ space_id: 'default' })).toEqual([]);
  });

  it('answers 500 embedding_failed when the provider fails, and changes nothing', async () => {
    const client = await fresh();
    const before = await createMemory(client, 'stays as it is');
    const body = { content: 'never arrives', priority: 9 };
    const call = () => expectError(client.memories.update({ params: { id: before.id }, body }));
    expect(await embedder.whileDown(call)).toMatchObject({ status: 500, code: 'embedding_failed' });
    expect(await client.memories.get({ params: { id: before.id } })).toEqual(before);
    expect(await searchIds(client, 'stays as it is')).toEqual([before.id]);
  });

  it('tells memory.updated with the former state and the names of the changed fields', async () => {
    const client = await fresh();
    const before = await createMemory(client, 'told', { priority: 5 });
    const body = { tags: ['a'], metadata: { a: 1 }, priority: 4 };
    const after = await client.memories.update({ params: { id: before.id }, body });
    const events = await listEvents(client);
    expect(events.map(({ type }) => type)).toEqual(['memory.created', 'memory.updated']);
    expect(events[1]).toMatchObject({ data: after, previous_data: before, space_id: null });
    expect(events[1]?.changes?.toSorted()).toEqual(['metadata', 'priority', 'tags']);
  });

  it('tells memory.reinforced with the new priority when it rises, and only then', async () => {
    const client = await fresh();
    const { id } = await createMemory(client, 'reinforced', { priority: 5 });
    for (const priority of [3, 3, 8]) {
      await client.memories.update({ params: { id }, body: { priority } });
    }
    const told = await listEvents(client, 'memory.reinforced');
    expect(told.map(({ data }) => data)).toEqual([{ id, priority: 8 }]);
  });

  it('writes and tells nothing when nothing changes', async () => {
    const client = await fresh();
    const metadata = { list: [{ longer: 1, b: 2 }], deep: { zz: 1, a: 2 } };
    const before = await createMemory(client, 'same', { tags: ['a', 'b'], metadata, priority: 3 });
    const same = [
      {},
      { content: 'same', priority: 3, tags: ['a', 'b'], space_id: null, session_id: null },
      { metadata },
      { metadata: { absent: null } },
      { metadata: { list: [{ b: 2, longer: 1 }], deep: { a: 2 } } },
    ];
    for (const body of same) {
      const answer = await raw(client, before.id, body);
      expect(answer, JSON.stringify(body)).toMatchObject({ status: 200, body: before });
      expect(answer.headers.get('etag')).toBe('"1"');
    }
    expect(await listEvents(client, 'memory.updated')).toEqual([]);
  });

  it('holds If-Match: 412 when the memory has changed since, else the new ETag', async () => {
    const client = await fresh();
    const { id } = await createMemory(client, 'guarded');
    const read = await client.request({ method: 'GET', path: `/memories/${id}` });
    const etag = read.headers.get('etag') ?? '';
    const first = await raw(client, id, { priority: 1 }, { 'if-match': etag });
    expect(first.status).toBe(200);
    const stale = await raw(client, id, { priority: 2 }, { 'if-match': etag });
    expect(stale).toMatchObject({
      status: 412,
      body: { error: { code: 'precondition_failed' } },
    });
    for (const match of [first.headers.get('etag') ?? '', '*']) {
      expect((await raw(client, id, { priority: 1 }, { 'if-match': match })).status).toBe(200);
    }
  });

  it('lets one of many writers with the same ETag through', async () => {
    const client = await fresh();
    const { id } = await createMemory(client, 'contended');
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        raw(client, id, { tags: [`${i}`] }, { 'if-match': '"1"' }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 412)]);
  });

  it('loses no key when many patch metadata at the same time', async () => {
    const client = await fresh();
    const { id } = await createMemory(client, 'patched by many');
    const patches = Array.from({ length: 20 }, (_, i) => ({ [`k${i}`]: i }));
    await Promise.all(
      patches.map((metadata) => client.memories.update({ params: { id }, body: { metadata } })),
    );
    const { metadata } = await client.memories.get({ params: { id } });
    expect(metadata).toEqual(Object.assign({}, ...patches));
  });

  it('refuses a soft-deleted memory with 409 conflict', async () => {
    const client = await fresh();
    const { id } = await createMemory(client, 'deleted');
    await client.memories.remove({ params: { id }, query: { soft: true } });
    for (const body of [{ priority: 1 }, {}, { content: 'new' }]) {
      const error = await expectError(client.memories.update({ params: { id }, body }));
      expect(error).toMatchObject({ status: 409, code: 'conflict' });
    }
  });

  it('refuses the content of another memory of the space, also when it moves there', async () => {
    const client = await fresh();
    const space = await client.spaces.create({ body: { name: 'research' } });
    const first = await createMemory(client, 'taken');
    const second = await createMemory(client, 'other');
    const third = await createMemory(client, 'taken', { space_id: space.id });
    const calls = [
      { params: { id: second.id }, body: { content: 'taken' } },
      { params: { id: third.id }, body: { space_id: null } },
    ];
    for (const call of calls) {
      expect(await expectError(client.memories.update(call))).toMatchObject({
        status: 409,
        code: 'duplicate_memory',
        details: { memory_id: first.id },
      });
    }
    const body = { content: 'taken' };
    expect(await client.memories.update({ params: { id: first.id }, body })).toEqual(first);
  });

  it('lets one of many through that want the same content', async () => {
    const client = await fresh();
    const contents = Array.from({ length: 10 }, (_, i) => ({ content: `${i}` }));
    const { memories } = await client.memories.bulkCreate({ body: { memories: contents } });
    const answers = await Promise.all(
      memories.map(({ id }) => raw(client, id, { content: 'wanted by all' })),
    );
    const [winner, ...others] = answers.toSorted((a, b) => a.status - b.status);
    expect(winner?.status).toBe(200);
    const { id } = (winner?.body ?? {}) as { id?: string };
    for (const other of others) {
      expect(other).toMatchObject({
        status: 409,
        body: { error: { code: 'duplicate_memory', details: { memory_id: id } } },
      });
    }
  });

  it('refuses an unknown space or session with 404, and too large content with 422', async () => {
    const client = await fresh();
    const { id } = await createMemory(client, 'x');
    const refused = [
      [{ space_id: absentId }, 404, 'space_not_found'],
      [{ session_id: absentId }, 404, 'not_found'],
      [{ content: 'x'.repeat(1_048_577) }, 422, 'content_too_large'],
    ] as const;
    for (const [body, status, code] of refused) {
      expect(await expectError(client.memories.update({ params: { id }, body }))).toMatchObject({
        status,
        code,
      });
    }
  });

  it('moves no memory into or out of a space that the key may not use', async () => {
    const client = await fresh();
    const space = await client.spaces.create({ body: { name: 'closed' } });
    const [inside, outside] = [
      await createMemory(client, 'inside', { space_id: space.id }),
      await createMemory(client, 'outside'),
    ];
    const { key } = await client.keys.create({ body: { name: 'k', space_ids: ['default'] } });
    const limited = createClient({ url: service.url, apiKey: key, retries: 0 });
    for (const [memory, space_id] of [
      [inside, null],
      [outside, space.id],
    ] as const) {
      const call = limited.memories.update({ params: { id: memory.id }, body: { space_id } });
      expect(await expectError(call)).toMatchObject({ status: 403, code: 'space_access_denied' });
    }
    expect((await client.memories.list()).data).toEqual([outside, inside]);
  });

  it('refuses fields that are wrong, unknown, or have a verb of their own', async () => {
    const client = await fresh();
    const { id } = await createMemory(client, 'x');
    const body = {
      content: '',
      priority: 11,
      tags: ['\u0000'],
      metadata: null,
      is_pinned: true,
      protection_level: 'soft',
      type: 'url',
      occurred_at: 'spring',
    };
    const { fields } = await expectError(
      client.memories.update({ params: { id }, body: body as never }),
    );
    const codes = Object.fromEntries(
      Object.entries(fields).map(([name, { code }]) => [name, code]),
    );
    expect(codes).toEqual({
      content: 'invalid_range',
      priority: 'invalid_range',
      'tags.0': 'invalid_characters',
      metadata: 'invalid_type',
      is_pinned: 'unknown_field',
      protection_level: 'unknown_field',
      type: 'unknown_field',
      occurred_at: 'invalid_format',
    });
  });
});
