import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { postRequest } from './usage-and-windows.ts';

const unlimited = {
  requests_per_minute: null,
  requests_per_day: null,
  concurrent_requests: null,
  memories: null,
  spaces: null,
  api_keys: null,
  webhooks: null,
  searches_per_month: null,
  embeddings_per_month: null,
};

/** As published, and written out here so that a slip in the code shows. */
const published = {
  free: {
    requests_per_minute: 60,
    requests_per_day: 10_000,
    concurrent_requests: 5,
    memories: 1_000,
    spaces: 3,
    api_keys: 3,
    webhooks: 1,
    searches_per_month: 5_000,
    embeddings_per_month: 5_000,
    content_bytes: 4_096,
  },
  pro: {
    requests_per_minute: 300,
    requests_per_day: 100_000,
    concurrent_requests: 20,
    memories: 100_000,
    spaces: null,
    api_keys: 10,
    webhooks: 10,
    searches_per_month: 500_000,
    embeddings_per_month: 500_000,
    content_bytes: 32_768,
  },
  max: {
    requests_per_minute: 1_000,
    requests_per_day: 500_000,
    concurrent_requests: 50,
    memories: 500_000,
    spaces: null,
    api_keys: 50,
    webhooks: 50,
    searches_per_month: 5_000_000,
    embeddings_per_month: 5_000_000,
    content_bytes: 131_072,
  },
  enterprise: { ...unlimited, content_bytes: 1_048_576 },
};
const plans = ['free', 'pro', 'max', 'enterprise'] as const;

/** Texts of a number of bytes, by the bytes that each of their characters has in UTF-8. */
const texts: Readonly<Record<string, (bytes: number) => string>> = {
  'one byte each': (bytes) => 'tea '.repeat(Math.ceil(bytes / 4)).slice(0, bytes),
  'two bytes each': (bytes) => 'é'.repeat(Math.floor(bytes / 2)) + 'x'.repeat(bytes % 2),
  'three bytes each': (bytes) => '茶'.repeat(Math.floor(bytes / 3)) + 'x'.repeat(bytes % 3),
  'four bytes each': (bytes) => '🍵'.repeat(Math.floor(bytes / 4)) + 'x'.repeat(bytes % 4),
};

describe.each(engines)('plans on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  it.each(plans)('GET /account tells what %s allows, as published', async (plan) => {
    const { client } = await service.createAccount(plan);
    const account = await client.account.get();
    expect(account.plan).toBe(plan);
    expect(account.limits).toEqual(published[plan]);
  });

  it('an account is free unless the operator says otherwise', async () => {
    const { plan } = await service.operator().admin.createAccount({ body: { name: 'acme' } });
    expect(plan).toBe('free');
  });

  it.each(plans)('content of %s fits to the byte, and no byte more', async (plan) => {
    const { client } = await service.createAccount(plan);
    const max = published[plan].content_bytes;
    const refused = {
      status: 422,
      body: {
        error: {
          code: 'content_too_large',
          details: { max_bytes: max, received_bytes: max + 1 },
        },
      },
    };
    // The larger plans would spend their time on embedding.
    const isSmall = plan === 'free' || plan === 'pro';
    const kinds = isSmall ? Object.keys(texts) : ['three bytes each'];
    for (const kind of kinds) {
      const text = texts[kind] ?? String;
      expect(new TextEncoder().encode(text(max))).toHaveLength(max);
      const over = await client.request(postRequest('/memories', { content: text(max + 1) }));
      expect(over, kind).toMatchObject(refused);
      const stored = await client.memories.create({ body: { content: text(max) } });
      expect(stored.content === text(max), kind).toBe(true);
    }
  });

  it.each(['free', 'pro'] as const)(
    'content of %s is measured in a bulk and a PATCH, too',
    async (plan) => {
      const { client } = await service.createAccount(plan);
      const max = published[plan].content_bytes;
      const [fits, over] = ['x'.repeat(max), 'x'.repeat(max + 1)];
      const memories = [{ content: over }, { content: fits }];
      const bulk = await client.memories.bulkCreate({ body: { memories } });
      const details = { max_bytes: max, received_bytes: max + 1 };
      const error = { code: 'content_too_large', details };
      expect(bulk).toMatchObject({ created: 1, failed: [{ index: 0, error }] });
      const atomic = await client.request(postRequest('/memories/bulk?atomic=true', { memories }));
      expect(atomic).toMatchObject({
        status: 422,
        body: { error: { code: 'content_too_large', details: { ...details, index: 0 } } },
      });
      const [memory] = bulk.memories;
      const patch = (content: string) =>
        client.request({ method: 'PATCH', path: `/memories/${memory?.id}`, body: { content } });
      expect(await patch(over)).toMatchObject({ status: 422, body: { error } });
      expect((await patch('y'.repeat(max))).status).toBe(200);
      expect((await patch(`${'y'.repeat(max - 2)}é`)).status).toBe(200);
      expect((await patch(`${'y'.repeat(max - 1)}é`)).status).toBe(422);
    },
  );

  it('content that a larger plan took stays, and may be changed to what fits', async () => {
    const { id, client } = await service.createAccount('pro');
    const memory = await client.memories.create({ body: { content: 'x'.repeat(10_000) } });
    await service.operator().admin.updateAccount({ params: { id }, body: { plan: 'free' } });
    const params = { id: memory.id };
    expect((await client.memories.get({ params })).content).toHaveLength(10_000);
    await client.memories.update({ params, body: { priority: 5 } });
    await expect(
      client.memories.update({ params, body: { content: 'x'.repeat(4_097) } }),
    ).rejects.toMatchObject({ status: 422, code: 'content_too_large' });
    await client.memories.update({ params, body: { content: 'x'.repeat(4_096) } });
  });
});
