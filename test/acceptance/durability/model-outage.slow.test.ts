import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type EmbeddingEndpoint,
  embeddingEndpointDimensions,
  startEmbeddingEndpoint,
} from '../../support/embedding-endpoint.ts';
import { eventually } from '../../support/eventually.ts';
import { oneEngine, type Service, startService } from '../../support/service.ts';

const timeoutMs = 500;
/** Two turns at the model, each of at most four attempts with their pauses, and a busy machine. */
const patienceMs = 12_000;

describe.each(oneEngine)('an embedding endpoint that fails, on %s', (engine) => {
  let endpoint: EmbeddingEndpoint;
  let service: Service;
  const ask = async (method: string, path: string, body?: object) => {
    const begun = performance.now();
    const answer = await service
      .client()
      .request({ method, path, ...(body ? { body } : {}) } as never);
    const { error } = (answer.body ?? {}) as { error?: { code: string } };
    return { ...answer, code: error?.code, ms: performance.now() - begun };
  };
  let written = 0;
  const post = () => {
    written += 1;
    return ask('POST', '/memories', { content: `Note ${written} of the day.` });
  };
  const count = async () =>
    (await service.client().memories.list({ query: { limit: 100 } })).data.length;

  beforeAll(async () => {
    endpoint = await startEmbeddingEndpoint();
    service = await startService(engine, {
      env: {
        MNEME_EMBEDDING_PROVIDER: 'openai',
        MNEME_EMBEDDING_URL: endpoint.url,
        MNEME_EMBEDDING_MODEL: 'letters',
        MNEME_EMBEDDING_DIMENSIONS: String(embeddingEndpointDimensions),
        MNEME_EMBEDDING_TIMEOUT_MS: String(timeoutMs),
      },
    });
  });
  afterAll(async () => {
    endpoint.setMode('well');
    await service.stop();
    await endpoint[Symbol.asyncDispose]();
  });

  it.each(['never', 'busy', 'other', 'gone'] as const)(
    'is told to everybody in time, stores nothing, and is used again when it is well (%s)',
    async (mode) => {
      expect((await post()).status).toBe(201);
      expect(await ask('GET', '/health')).toMatchObject({ status: 200, body: { status: 'ok' } });
      const before = await count();

      endpoint.setMode(mode);
      const askedBefore = endpoint.requestCount;
      const told = await Promise.all([
        ...Array.from({ length: 300 }, post),
        ask('POST', '/memories/bulk', { memories: [{ content: 'One.' }, { content: 'Two.' }] }),
        ask('GET', '/search?q=note'),
      ]);
      for (const { status, code } of told) {
        expect([status, code]).toEqual([500, 'embedding_failed']);
      }
      expect(Math.max(...told.map(({ ms }) => ms))).toBeLessThan(patienceMs);
      expect(endpoint.requestCount - askedBefore, 'nobody knocks for each text').toBeLessThan(40);
      expect(await count()).toBe(before);
      expect(await ask('GET', '/health')).toMatchObject({
        status: 200,
        body: { status: 'degraded', checks: { embedding: { ok: false }, database: { ok: true } } },
      });
      expect((await ask('GET', '/ready')).status).toBe(200);

      endpoint.setMode('well');
      await eventually(
        () => ask('GET', '/health'),
        ({ body }) => (body as { status: string }).status === 'ok',
        patienceMs,
      );
      expect((await post()).status).toBe(201);
      expect(await ask('GET', '/search?q=note')).toMatchObject({ status: 200 });
    },
  );
});
