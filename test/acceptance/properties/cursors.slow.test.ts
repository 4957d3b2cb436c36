import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';

/** A place as no list ever gives it, under the right fingerprint. */
const places: readonly unknown[] = [
  null,
  -1,
  0.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  -Number.MAX_SAFE_INTEGER,
  'x',
  [],
  [0],
  [Number.MAX_SAFE_INTEGER, '019b8d1c-3a40-7c11-9d3e-5f0a4b6c7d8e'],
  [-Number.MAX_SAFE_INTEGER, '019b8d1c-3a40-7c11-9d3e-5f0a4b6c7d8e'],
  [8.64e15, '019b8d1c-3a40-7c11-9d3e-5f0a4b6c7d8e'],
  [-62_167_219_200_001, '019b8d1c-3a40-7c11-9d3e-5f0a4b6c7d8e'],
  [0, '------------------------------------'],
  [0, 'ffffffffffffffffffffffffffffffffffff'],
  [0, '019b8d1c-3a40-7c11-9d3e-5f0a4b6c7d8e', 1],
  { 0: 0, 1: '' },
];

describe.each(engines)('a cursor that somebody has changed on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  it.each(['/memories', '/events', '/clusters', '/clusters?sort=silhouette_score'])(
    'is refused by %s or gives a page, never a 5xx',
    async (path) => {
      const { client } = await service.createAccount();
      const memories = Array.from({ length: 3 }, (_, i) => ({ content: `Note ${i}.` }));
      await client.memories.bulkCreate({ body: { memories } });
      for (const name of ['a', 'b']) await client.clusters.create({ body: { name } });
      const get = (cursor?: string) =>
        client.request({
          method: 'GET',
          path: `${path}${path.includes('?') ? '&' : '?'}limit=1${
            cursor === undefined ? '' : `&cursor=${cursor}`
          }`,
        });
      const { body } = await get();
      const cursor = (body as { next_cursor: string }).next_cursor;
      const [fingerprint] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [string];
      for (const place of places) {
        const text = JSON.stringify([fingerprint, place]);
        const { status } = await get(Buffer.from(text).toString('base64url'));
        expect([200, 400], text).toContain(status);
      }
    },
  );
});
