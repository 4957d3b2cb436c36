import type { CreatedMemory } from '@mneme/contract';
import { type Client, createClient } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asMemory } from '../../support/as-memory.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { GatedEmbedder } from './controlled-dependencies.ts';
import { absentId, createMemory, expectError, listEvents, searchIds } from './memory-requests.ts';

const byteForByte = [
  ['line ends of all kinds', 'one\r\ntwo\nthree\rfour\n\n'],
  ['blanks at both ends', '  \t indented \u00a0\u3000 '],
  ['joined and coloured emoji', '👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇯🇵'],
  ['Chinese, Japanese and Korean', '記憶とは何か？기억이란 무엇인가? 什么是记忆？𠮷'],
  ['right-to-left text and its marks', '\u200fשלום\u200e عربي \u202eabc\u202c'],
  ['accents apart from their letters', 'cafe\u0301 An\u0303a'],
  ['noncharacters and a byte order mark', '\ufeff\uffff\u{10ffff}\u{1f600}'],
  ['control characters', '\u0001\u0007\u001b[31m\u007f\u0085\u2028\u2029'],
  ['quotes and backslashes', String.raw`"a" 'b' \n \\ \u0000 ${'$'}1 %s {} --`],
] as const;

describe.each(engines)('POST /memories on %s', (engine) => {
  let service: Service;
  let embedder: GatedEmbedder;
  beforeAll(async () => {
    embedder = await GatedEmbedder.open();
    service = await startService(engine, { overrides: { embedder } });
  });
  afterAll(() => service.stop());
  const fresh = async (): Promise<Client> => (await service.createAccount()).client;

  it('answers the whole memory with the published defaults', async () => {
    const client = await fresh();
    const memory = await client.memories.create({ body: { content: 'Ana prefers tea.' } });
    expect(memory).toEqual({
      id: expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      content: 'Ana prefers tea.',
      content_type: 'text',
      space_id: null,
      user_id: null,
      agent_id: null,
      run_id: null,
      session_id: null,
      tags: [],
      metadata: {},
      priority: 0,
      salience: null,
      is_pinned: false,
      is_deleted: false,
      protection_level: 'none',
      quality_score: null,
      occurred_at: null,
      expires_at: null,
      verified_at: null,
      deleted_at: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: memory.created_at,
      outdated_by: null,
      possible_updates: [],
    });
  });

  it('keeps every field that was sent, and a GET answers the same memory', async () => {
    const client = await fresh();
    const space = await client.spaces.create({ body: { name: 'research' } });
    const body = {
      content: '# Notes',
      type: 'markdown' as const,
      space_id: space.id,
      tags: ['b', 'a', 'ü'],
      metadata: { nested: { list: [1, null, { deep: true }] }, empty: {}, none: null },
      priority: 10,
      is_pinned: true,
      protection_level: 'hard' as const,
      occurred_at: '2024-02-29T12:00:00.123Z',
    };
    const memory = await client.memories.create({ body });
    const { type, ...others } = body;
    expect(memory).toMatchObject({ ...others, content_type: type, is_deleted: false });
    expect(await client.memories.get({ params: { id: memory.id } })).toEqual(asMemory(memory));
  });

  it('answers 201 with an ETag, and tells memory.created with the memory', async () => {
    const { id, client } = await service.createAccount();
    const created = await client.request({
      method: 'POST',
      path: '/memories',
      body: { content: id },
    });
    expect(created.status).toBe(201);
    expect(created.headers.get('etag')).toMatch(/^"[^"]+"$/);
    const [event, ...others] = await listEvents(client);
    expect(others).toEqual([]);
    const data = asMemory(created.body as CreatedMemory);
    expect(event).toMatchObject({ type: 'memory.created', space_id: null, data });
  });

  it('finds the memory by a paraphrase in the very next search', async () => {
    const client = await fresh();
    const content = 'The car would not start because its battery was dead.';
    const { id } = await client.memories.create({ body: { content } });
    const query = { q: 'why did the vehicle fail?' };
    const { results, facets } = await client.search.get({ query });
    expect(facets.memories).toBe(1);
    expect(results[0]?.id).toBe(id);
  });

  it('takes each published type by either of its names', async () => {
    const client = await fresh();
    for (const type of ['text', 'markdown', 'url', 'audio', 'image'] as const) {
      const named = await createMemory(client, `type ${type}`, { type });
      const alias = await createMemory(client, `alias ${type}`, { content_type: type });
      const both = await createMemory(client, `both ${type}`, { type, content_type: type });
      expect([named, alias, both].map((one) => one.content_type)).toEqual([type, type, type]);
    }
    const differing = await expectError(
      createMemory(client, 'x', { type: 'text', content_type: 'url' }),
    );
    expect(differing).toMatchObject({
      status: 422,
      fields: { type: { code: 'invalid_format' } },
    });
  });

  it('gives content back byte for byte', async () => {
    const client = await fresh();
    for (const [what, content] of byteForByte) {
      const created = await createMemory(client, content, {
        tags: [content],
        metadata: { [what]: content },
      });
      const read = await client.memories.get({ params: { id: created.id } });
      expect(read, what).toEqual({
        ...created,
        content,
        tags: [content],
        metadata: { [what]: content },
      });
    }
  });

  it('gives metadata back as it came, whatever its keys are called', async () => {
    const client = await fresh();
    const metadata = JSON.parse(
      '{"":0,"__proto__":{"x":1},"constructor":2,"a.b":1,"n":[-1.5,1e300,5e-324,9007199254740991]}',
    ) as Record<string, unknown>;
    const { id } = await createMemory(client, 'odd keys', { metadata });
    const read = await client.memories.get({ params: { id } });
    const inOrder = (value: object) => Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    expect(inOrder(read.metadata)).toEqual(inOrder(metadata));
  });

  it('lets a space be named, and null or "default" mean account level', async () => {
    const client = await fresh();
    const space = await client.spaces.create({ body: { name: 'research' } });
    const named = await createMemory(client, 'a', { space_id: space.id });
    const byDefault = await createMemory(client, 'b', { space_id: 'default' });
    const byNull = await createMemory(client, 'c', { space_id: null });
    expect([named, byDefault, byNull].map((one) => one.space_id)).toEqual([space.id, null, null]);
  });

  it('answers 404 space_not_found for no space, and for one of another account', async () => {
    const [client, other] = [await fresh(), await fresh()];
    const theirs = await other.spaces.create({ body: { name: 'theirs' } });
    for (const space_id of [absentId, theirs.id]) {
      expect(await expectError(createMemory(client, 'x', { space_id }))).toMatchObject({
        status: 404,
        code: 'space_not_found',
      });
    }
    expect((await client.memories.list()).data).toEqual([]);
  });

  it('stores in a space that is being removed, or answers 404, whichever came first', async () => {
    const client = await fresh();
    const ask = (method: string, path: string, body?: unknown) =>
      client.request({ method, path, body });
    for (let round = 0; round < 4; round += 1) {
      const { id } = await client.spaces.create({ body: { name: `space ${round}` } });
      const [one, two] = [
        await createMemory(client, `1 of ${round}`),
        await createMemory(client, `2 of ${round}`),
      ];
      const set = { space_id: id };
      const memories = [{ content: `3 of ${round}`, ...set }, { content: `4 of ${round}` }];
      const [removed, ...others] = await Promise.all([
        ask('DELETE', `/spaces/${id}`),
        ask('POST', '/memories', { content: `5 of ${round}`, ...set }),
        ask('PATCH', `/memories/${one.id}`, set),
        ask('PATCH', '/memories/bulk', { ids: [two.id], set }),
        ask('POST', '/memories/bulk', { memories }),
      ]);
      expect([204, 409]).toContain(removed?.status);
      for (const { status } of others) expect([200, 201, 404]).toContain(status);
      const { data } = await client.memories.list({ query: { limit: 100 } });
      const inside = data.filter(({ space_id }) => space_id === id);
      expect(inside.length > 0).toBe(removed?.status === 409);
    }
  });

  it('answers 403 space_access_denied to a key without that space', async () => {
    const client = await fresh();
    const [open, closed] = [
      await client.spaces.create({ body: { name: 'open' } }),
      await client.spaces.create({ body: { name: 'closed' } }),
    ];
    const { key } = await client.keys.create({ body: { name: 'k', space_ids: [open.id] } });
    const limited = createClient({ url: service.url, apiKey: key, retries: 0 });
    for (const space_id of [closed.id, null]) {
      expect(await expectError(createMemory(limited, 'secret', { space_id }))).toMatchObject({
        status: 403,
        code: 'space_access_denied',
      });
    }
    await createMemory(limited, 'allowed', { space_id: open.id });
    expect((await client.memories.list()).data.map((one) => one.content)).toEqual(['allowed']);
  });

  it('answers 404 not_found for a session that does not exist', async () => {
    const client = await fresh();
    expect(await expectError(createMemory(client, 'x', { session_id: absentId }))).toMatchObject({
      status: 404,
      code: 'not_found',
    });
  });

  it('refuses the same content in the same account and space, naming the memory', async () => {
    const client = await fresh();
    const first = await createMemory(client, 'once');
    expect(await expectError(createMemory(client, 'once', { tags: ['other'] }))).toMatchObject({
      status: 409,
      code: 'duplicate_memory',
      details: { memory_id: first.id },
    });
    expect((await client.memories.list()).data).toHaveLength(1);
  });

  it('takes the same content in another space or account, and in other bytes', async () => {
    const [client, other] = [await fresh(), await fresh()];
    const space = await client.spaces.create({ body: { name: 'research' } });
    await createMemory(client, 'caf\u00e9');
    await createMemory(client, 'caf\u00e9', { space_id: space.id });
    await createMemory(client, 'cafe\u0301');
    await createMemory(client, 'caf\u00e9 ');
    await createMemory(other, 'caf\u00e9');
    expect((await client.memories.list()).data).toHaveLength(4);
  });

  it('takes the content of a deleted memory again', async () => {
    const client = await fresh();
    for (const soft of [true, false]) {
      const { id } = await createMemory(client, 'again');
      await client.memories.remove({ params: { id }, query: { soft } });
    }
    await createMemory(client, 'again');
    expect((await client.memories.list()).data).toHaveLength(1);
  });

  it('stores the same content once, however many ask at the same time', async () => {
    const client = await fresh();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        client.request({ method: 'POST', path: '/memories', body: { content: 'contended' } }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    expect((await client.memories.list()).data).toHaveLength(1);
  });

  it('lets no fault of one create reach another that arrives with it', async () => {
    const [client, other] = [await fresh(), await fresh()];
    await createMemory(client, 'present');
    const faulty = [
      { content: 'present' },
      { content: 'homeless', space_id: absentId },
      { content: 'lost', session_id: absentId },
      { content: '' },
    ];
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, i) => {
        const body = i % 4 === 3 ? faulty[(i >> 2) % faulty.length] : { content: `memory ${i}` };
        return (i % 2 ? client : other).request({ method: 'POST', path: '/memories', body });
      }),
    );
    const wanted = [409, 404, 404, 422];
    const expected = answers.map((_, i) => (i % 4 === 3 ? wanted[(i >> 2) % 4] : 201));
    expect(answers.map(({ status }) => status)).toEqual(expected);
    expect((await client.memories.list({ query: { limit: 100 } })).data).toHaveLength(1 + 16);
    expect((await other.memories.list({ query: { limit: 100 } })).data).toHaveLength(32);
  });

  it('answers 500 embedding_failed when the provider fails, and stores nothing', async () => {
    const client = await fresh();
    const error = await embedder.whileDown(() =>
      expectError(createMemory(client, 'never embedded')),
    );
    expect(error).toMatchObject({ status: 500, code: 'embedding_failed' });
    expect(error.message).not.toContain('provider is down');
    expect((await client.memories.list({ query: { include_deleted: true } })).data).toEqual([]);
    expect(await listEvents(client)).toEqual([]);
    expect(await searchIds(client, 'never embedded')).toEqual([]);
    await createMemory(client, 'never embedded');
  });

  it('needs no provider for a memory that brings its own embedding', async () => {
    const client = await fresh();
    const embedding = Array.from({ length: embedder.dimensions }, (_, i) => i + 1);
    const { id } = await embedder.whileDown(() =>
      createMemory(client, 'brought along', { embedding }),
    );
    expect(await searchIds(client, 'brought along')).toEqual([id]);
  });

  it('uses an embedding of the right length as it is given', async () => {
    const client = await fresh();
    const [vector] = await embedder.embed(['the battery of the car was dead'], 'document');
    const embedding = Array.from(vector ?? [], (value) => value * 7);
    const { id } = await createMemory(client, 'qqq zzz', { embedding });
    await createMemory(client, 'zzz qqq');
    const { results } = await client.search.get({ query: { q: 'why did the vehicle fail?' } });
    expect(results[0]?.id).toBe(id);
    expect(results[0]?.score).toBeGreaterThan(2 * (results[1]?.score ?? 1));
  });

  it('refuses an embedding of any other length, or without a direction', async () => {
    const client = await fresh();
    const { dimensions } = embedder;
    for (const length of [0, 1, dimensions - 1, dimensions + 1, 10_000]) {
      const embedding = Array.from({ length }, () => 1);
      expect(await expectError(createMemory(client, `of ${length}`, { embedding }))).toMatchObject({
        status: 422,
        code: 'invalid_embedding',
        details: { expected_dimensions: dimensions, received_dimensions: length },
      });
    }
    const zero = Array.from({ length: dimensions }, () => 0);
    expect(await expectError(createMemory(client, 'zero', { embedding: zero }))).toMatchObject({
      status: 422,
      code: 'invalid_embedding',
    });
    expect((await client.memories.list()).data).toEqual([]);
  });
});
