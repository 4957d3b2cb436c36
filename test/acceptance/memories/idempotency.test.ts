import type { Memory } from '@mneme/contract';
import type { Client, RawResponse } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { AcceleratedClock, GatedEmbedder } from './controlled-dependencies.ts';
import { absentId, createMemory, listEvents, memoryBodies } from './memory-requests.ts';

const hourMs = 3_600_000;
const replayed = (answer: RawResponse): string | null => answer.headers.get('idempotency-replayed');

describe.each(engines)('Idempotency-Key on memories on %s', (engine) => {
  let service: Service;
  let embedder: GatedEmbedder;
  const clock = new AcceleratedClock();
  beforeAll(async () => {
    embedder = await GatedEmbedder.open();
    service = await startService(engine, { overrides: { clock, embedder } });
  });
  afterAll(() => service.stop());
  const fresh = async (): Promise<Client> => (await service.createAccount()).client;
  const post = (client: Client, key: string, body: unknown, path = '/memories') =>
    client.request({ method: 'POST', path, body, headers: { 'idempotency-key': key } });
  const all = async (client: Client) =>
    (await client.memories.list({ query: { limit: 100 } })).data;

  it('replays the status, body and ETag of the first outcome, saying so', async () => {
    const client = await fresh();
    const body = { content: 'once 😀', tags: ['a'], metadata: { b: 1 } };
    const first = await post(client, 'key-1', body);
    expect([first.status, replayed(first)]).toEqual([201, null]);
    for (let i = 0; i < 3; i += 1) {
      const again = await post(client, 'key-1', body);
      expect([again.status, replayed(again)]).toEqual([201, 'true']);
      expect(again.body).toEqual(first.body);
      expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    }
    expect(await all(client)).toHaveLength(1);
    expect(await listEvents(client, 'memory.created')).toHaveLength(1);
  });

  it('replays what was answered then, also when the memory has changed or gone', async () => {
    const client = await fresh();
    const first = await post(client, 'key', { content: 'then' });
    const { id } = first.body as Memory;
    await client.memories.update({ params: { id }, body: { content: 'now' } });
    expect((await post(client, 'key', { content: 'then' })).body).toEqual(first.body);
    await client.memories.remove({ params: { id }, query: { soft: false } });
    expect((await post(client, 'key', { content: 'then' })).body).toEqual(first.body);
    expect(await all(client)).toEqual([]);
  });

  it('tells a key that is limited to spaces nothing of what happened in others', async () => {
    const client = await fresh();
    const own = await client.spaces.create({ body: { name: 'own' } });
    const other = await client.spaces.create({ body: { name: 'other' } });
    const limited = await client.keys.create({ body: { name: 'own', space_ids: [own.id] } });
    const body = { content: 'of the other space', space_id: other.id };
    expect((await post(client, 'key', body)).status).toBe(201);
    const answer = await post(service.client(limited.key), 'key', body);
    expect(answer.status).toBe(409);
    expect(JSON.stringify(answer.body)).not.toContain(body.content);
  });

  it('refuses the key with another body, query or route: 409 idempotency_key_reused', async () => {
    const client = await fresh();
    const { id } = await createMemory(client, 'rated');
    await post(client, 'key', { content: 'first' });
    const others = [
      await post(client, 'key', { content: 'second' }),
      await post(client, 'key', { content: 'first', priority: 0 }),
      await post(client, 'key', { memories: [{ content: 'first' }] }, '/memories/bulk'),
      await post(client, 'key', { helpful: true }, `/memories/${id}/feedback`),
      await post(client, 'key', { name: 'first' }, '/spaces'),
    ];
    for (const answer of others) {
      expect(answer).toMatchObject({
        status: 409,
        body: { error: { code: 'idempotency_key_reused' } },
      });
      expect(replayed(answer)).toBeNull();
    }
    expect(await all(client)).toHaveLength(2);
  });

  it('keeps keys of different accounts apart', async () => {
    const [client, other] = [await fresh(), await fresh()];
    const [mine, theirs] = [
      await post(client, 'key', { content: 'mine' }),
      await post(other, 'key', { content: 'theirs' }),
    ];
    expect([mine.status, theirs.status]).toEqual([201, 201]);
    expect(replayed(theirs)).toBeNull();
  });

  it('has one effect, however many requests with the key run at the same time', async () => {
    const client = await fresh();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(client, 'key', { content: 'contended' })),
    );
    const first = answers.filter((answer) => answer.status === 201 && replayed(answer) === null);
    expect(first).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status === 201) expect(answer.body).toEqual(first[0]?.body);
      else {
        expect(answer).toMatchObject({
          status: 409,
          body: { error: { code: 'idempotency_in_progress' } },
        });
      }
    }
    expect(await all(client)).toHaveLength(1);
    expect(replayed(await post(client, 'key', { content: 'contended' }))).toBe('true');
  });

  it('answers 409 idempotency_in_progress while the first runs, then replays it', async () => {
    const client = await fresh();
    const body = { content: 'slow' };
    const arrived = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    embedder.beforeEmbed = () => {
      arrived.resolve();
      return release.promise;
    };
    const first = post(client, 'key', body);
    try {
      await arrived.promise;
      expect(await post(client, 'key', body)).toMatchObject({
        status: 409,
        body: { error: { code: 'idempotency_in_progress' } },
      });
    } finally {
      embedder.beforeEmbed = () => undefined;
      release.resolve();
    }
    expect((await first).status).toBe(201);
    const again = await post(client, 'key', body);
    expect([again.status, replayed(again)]).toEqual([201, 'true']);
    expect(again.body).toEqual((await first).body);
  });

  it('lets creates with keys of their own arrive together', async () => {
    const client = await fresh();
    const send = () =>
      Promise.all(
        Array.from({ length: 30 }, (_, i) => post(client, `key-${i}`, { content: `${i % 20}` })),
      );
    const [first, again] = [await send(), await send()];
    const counts = [201, 409].map((code) => first.filter(({ status }) => status === code).length);
    expect(counts).toEqual([20, 10]);
    expect(again.map(({ status }) => status)).toEqual(first.map(({ status }) => status));
    expect(again.map(({ body }) => body)).toEqual(first.map(({ body }) => body));
    expect(again.every((answer) => replayed(answer) === 'true')).toBe(true);
    expect(await all(client)).toHaveLength(20);
  });

  it('keeps a refusal, also when it would succeed by now', async () => {
    const client = await fresh();
    const { id } = await createMemory(client, 'taken');
    const refused = [
      ['duplicate', { content: 'taken' }, 409, 'duplicate_memory'],
      ['space', { content: 'x', space_id: absentId }, 404, 'space_not_found'],
      ['session', { content: 'x', session_id: absentId }, 404, 'not_found'],
      ['large', { content: 'x'.repeat(1_048_577) }, 422, 'content_too_large'],
      ['embedding', { content: 'x', embedding: [1] }, 422, 'invalid_embedding'],
    ] as const;
    for (const [key, body, status, code] of refused) {
      const first = await post(client, key, body);
      expect(first).toMatchObject({ status, body: { error: { code } } });
      await client.memories.remove({ params: { id }, query: { soft: true } });
      const again = await post(client, key, body);
      expect([again.status, replayed(again)]).toEqual([status, 'true']);
      expect(again.body).toEqual(first.body);
    }
    expect(await all(client)).toEqual([]);
  });

  it('does not keep a 5xx: the same request may succeed later', async () => {
    const client = await fresh();
    const body = { content: 'at last' };
    const failed = await embedder.whileDown(() => post(client, 'key', body));
    expect(failed).toMatchObject({ status: 500, body: { error: { code: 'embedding_failed' } } });
    const first = await post(client, 'key', body);
    expect([first.status, replayed(first)]).toEqual([201, null]);
    expect(replayed(await post(client, 'key', body))).toBe('true');
  });

  it('takes the key for another body after a 5xx', async () => {
    const client = await fresh();
    const failed = await embedder.whileDown(() => post(client, 'key', { content: 'a' }));
    expect(failed.status).toBe(500);
    expect((await post(client, 'key', { content: 'b' })).status).toBe(201);
  });

  it('covers bulk create and feedback in the same way', async () => {
    const client = await fresh();
    const { id } = await createMemory(client, 'rated');
    const calls = [
      ['/memories/bulk', { memories: [...memoryBodies(2), { content: '' }] }],
      ['/memories/bulk?atomic=true', { memories: [{ content: 'atomic' }] }],
      [`/memories/${id}/feedback`, { helpful: true }],
    ] as const;
    for (const [path, body] of calls) {
      const first = await post(client, path, body, path);
      const again = await post(client, path, body, path);
      expect([first.status, replayed(first)]).toEqual([201, null]);
      expect([again.status, replayed(again)]).toEqual([201, 'true']);
      expect(again.body).toEqual(first.body);
    }
    expect(await all(client)).toHaveLength(4);
    expect(await listEvents(client, 'feedback.submitted')).toHaveLength(1);
    expect(await listEvents(client, 'memory.bulk_created')).toHaveLength(2);
  });

  it('is 1 to 255 printable ASCII characters, else 422', async () => {
    const client = await fresh();
    expect((await post(client, 'k'.repeat(255), { content: 'long' })).status).toBe(201);
    for (const key of ['', 'k'.repeat(256), 'tab\there']) {
      const answer = await post(client, key, { content: 'x' });
      expect(answer, key).toMatchObject({
        status: 422,
        body: { error: { details: { fields: { 'Idempotency-Key': expect.anything() } } } },
      });
    }
  });

  it('is kept for 24 hours, and then free for another request', async () => {
    const client = await fresh();
    const body = { content: 'yesterday' };
    const first = await post(client, 'key', body);
    clock.advance(24 * hourMs - 60_000);
    expect(replayed(await post(client, 'key', body))).toBe('true');
    clock.advance(120_000);
    const fresher = await post(client, 'key', body);
    expect(fresher).toMatchObject({
      status: 409,
      body: {
        error: { code: 'duplicate_memory', details: { memory_id: (first.body as Memory).id } },
      },
    });
    expect(replayed(fresher)).toBeNull();
    clock.advance(25 * hourMs);
    const other = await post(client, 'key', { content: 'today' });
    expect([other.status, replayed(other)]).toEqual([201, null]);
  });
});
