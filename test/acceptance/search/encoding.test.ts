import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { App } from '../../../packages/server/src/domains/ctx.ts';
import { requestLimiter } from '../../../packages/server/src/kernel/request-limiter.ts';
import { EmbeddingFailed } from '../../../packages/server/src/providers/embedding/index.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { onlyMemoryResults } from '../../support/memory-results.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { addToClusters, createCluster } from '../clusters/cluster-requests.ts';
import { runVerification } from '../verify/run-verification.ts';

type TestAccount = Awaited<ReturnType<Service['createAccount']>>;

const statements = [
  'Moved into the flat on Keizersgracht last weekend, third floor, no lift.',
  'Our vet is Dr. Okafor; she treats the tortoise as well.',
  'Deploys are frozen on Fridays after 15:00.',
  'I can never eat prawns or mussels, they make my throat swell.',
];

describe.each(engines)('memories are encoded in the background on %s', (engine) => {
  let service: Service;
  let app: App;
  beforeAll(async () => {
    // Standing timers: the worker encodes only when a test drains it.
    service = await startService(engine, {
      env: { MNEME_EMBEDDING_PROVIDER: 'encoder' },
      overrides: { clock: createFakeClock() },
    });
    app = service.running.context.app;
  });
  afterAll(() => service.stop());

  const drain = (): Promise<void> => service.running.context.encodingWorker.drain();

  async function provisionalIds({ id }: TestAccount): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      select document_id as id from vectors
      where account_id = ${id}::uuid and is_provisional order by position`.execute(app.engine.db);
    return rows.map((row) => row.id);
  }

  async function storedVector(account: TestAccount, memoryId: string): Promise<string> {
    const { rows } = await sql<{ vector: string }>`
      select encode(vector, 'hex') as vector from vectors
      where account_id = ${account.id}::uuid and document_id = ${memoryId}::uuid`.execute(
      app.engine.db,
    );
    return rows.map(({ vector }) => vector).join();
  }

  const search = async ({ client }: TestAccount, q: string, limit = 10) =>
    onlyMemoryResults((await client.search.post({ body: { q, limit } })).results);

  it('a memory is found by the first search after its 201, also before it is encoded', async () => {
    const account = await service.createAccount();
    const ids: string[] = [];
    for (const content of statements) {
      ids.push((await account.client.memories.create({ body: { content } })).id);
    }
    expect(await provisionalIds(account)).toEqual(ids);
    expect((await search(account, 'when are deploys frozen'))[0]?.id).toBe(ids[2]);
    await drain();
    expect(await provisionalIds(account)).toEqual([]);
    expect((await search(account, 'which seafood is dangerous for me'))[0]?.id).toBe(ids[3]);
    expect((await search(account, 'who looks after our pet'))[0]?.id).toBe(ids[1]);
  });

  it('a memory that cannot be encoded keeps its vector, and holds up no other', async () => {
    const account = await service.createAccount();
    const { memories } = await account.client.memories.bulkCreate({
      body: { memories: statements.map((content) => ({ content })) },
    });
    const [, damaged = ''] = memories.map(({ id }) => id);
    const before = await storedVector(account, damaged);
    const { db } = app.engine;
    await sql`
      alter table vectors add constraint refuse_vector
      check (document_id <> ${sql.lit(damaged)} or vector = decode(${sql.lit(before)}, 'hex'))
      not valid`.execute(db);
    try {
      // Fails with the others, then alone.
      for (let i = 0; i < 3; i += 1) await drain();
      await drain();
    } finally {
      await sql`alter table vectors drop constraint refuse_vector`.execute(db);
    }
    expect(await provisionalIds(account)).toEqual([]);
    expect(await storedVector(account, damaged)).toBe(before);
    expect((await search(account, 'which seafood is dangerous for me'))[0]?.id).toBe(
      memories[3]?.id,
    );
  });

  it('an encoder that fails for a while costs no memory its vector', async () => {
    const account = await service.createAccount();
    const { id } = await account.client.memories.create({ body: { content: 'A blue kayak.' } });
    const before = await storedVector(account, id);
    const failure = new EmbeddingFailed('stopped', { unavailable: true });
    const embed = vi.spyOn(app.embedder, 'embed').mockRejectedValue(failure);
    try {
      for (let i = 0; i < 6; i += 1) await drain();
      expect(embed.mock.calls.length).toBeGreaterThanOrEqual(6);
      expect(await provisionalIds(account)).toEqual([id]);
    } finally {
      embed.mockRestore();
    }
    await drain();
    expect(await provisionalIds(account)).toEqual([]);
    expect(await storedVector(account, id)).not.toBe(before);
  });

  it('gives way to writes after a few texts', async () => {
    const account = await service.createAccount();
    await account.client.memories.bulkCreate({
      body: {
        memories: [...statements, ...statements].map((text, i) => ({ content: `${text} ${i}` })),
      },
    });
    const [embed, clock] = [vi.spyOn(app.embedder, 'embed'), app.clock as FakeClock];
    const endWrite = requestLimiter.of(app).beginActivity('write');
    try {
      clock.advance(1_000);
      await vi.waitUntil(() => embed.mock.results.length > 0, { timeout: 20_000 });
      await embed.mock.results[0]?.value;
      expect(await provisionalIds(account)).toHaveLength(8);
      expect(embed).toHaveBeenCalledTimes(1);
      endWrite();
      clock.advance(10_000);
      await drain();
      expect(embed.mock.calls.map(([texts]) => texts.length)).toEqual([4, 4]);
      expect(await provisionalIds(account)).toEqual([]);
    } finally {
      endWrite();
      embed.mockRestore();
    }
  });

  it('takes 256 bytes a memory, once it is encoded and before', async () => {
    const account = await service.createAccount();
    const { id } = await account.client.memories.create({ body: { content: 'A red kayak.' } });
    const before = await storedVector(account, id);
    await drain();
    const after = await storedVector(account, id);
    expect([before.length, after.length]).toEqual([512, 512]);
    expect(after).not.toBe(before);
  });

  it('the account names its model, whose vectors callers may give, and which stay', async () => {
    const account = await service.createAccount();
    const { embedding } = await account.client.account.get();
    expect(embedding).toEqual({ model: app.embedder.model, dimensions: 256 });
    const vector = Array.from({ length: 256 }, (_, i) => (i === 7 ? 1 : 0));
    const { id } = await account.client.memories.create({
      body: { content: 'A vector of its own.', embedding: vector },
    });
    const given = await storedVector(account, id);
    await drain();
    expect(await storedVector(account, id)).toBe(given);
    await expect(
      account.client.memories.create({ body: { content: 'Too short.', embedding: [1, 2] } }),
    ).rejects.toMatchObject({ code: 'invalid_embedding' });
  });

  it('new content is encoded again, also that of a deleted memory', async () => {
    const account = await service.createAccount();
    const { client } = account;
    const { id } = await client.memories.create({ body: { content: 'A blue tent.' } });
    await drain();
    const former = await storedVector(account, id);
    await client.memories.update({ params: { id }, body: { content: 'A canvas for the night.' } });
    expect(await provisionalIds(account)).toEqual([id]);
    await client.memories.remove({ params: { id } });
    await drain();
    expect(await provisionalIds(account)).toEqual([]);
    expect(await storedVector(account, id)).not.toBe(former);
  });

  it('pages continue in the same order while encodings arrive', async () => {
    const account = await service.createAccount();
    const { client } = account;
    const items = Array.from({ length: 30 }, (_, i) => ({
      content: `Note ${i}: ${statements[i % statements.length]} Item number ${i}.`,
    }));
    await client.memories.bulkCreate({ body: { memories: items } });
    const q = 'which deploys are frozen on a flat';
    const { results, facets } = await client.search.post({ body: { q, limit: 30 } });
    const whole = onlyMemoryResults(results.slice(0, facets.memories)).map(({ id }) => id);
    const first = (await search(account, q, 10)).map(({ id }) => id);
    await drain();
    const rest = await client.search.post({ body: { q, limit: 20, offset: 10 } });
    expect([...first, ...onlyMemoryResults(rest.results).map(({ id }) => id)]).toEqual(whole);
  });

  it('the sums of clusters follow: verification finds nothing', async () => {
    const account = await service.createAccount();
    const { client } = account;
    const ids: string[] = [];
    for (const content of statements) {
      ids.push((await client.memories.create({ body: { content } })).id);
    }
    const cluster = await createCluster(client, 'home');
    for (const id of ids.slice(0, 3)) await addToClusters(client, id, cluster.id);
    await drain();
    await service.running.context.worker.drain();
    expect(await runVerification(service)).toMatchObject({ faults: [], status: 'completed' });
  });
});
