import { errorFormatOf, type Route } from '@mneme/contract';
import type { Client, RawResponse } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service } from '../../support/service.ts';
import {
  clientFor,
  createExampleData,
  exampleRequest,
  jsonRoutes,
  startContractService,
} from './example-data.ts';

const hasLimit = (schema: Route['query']): boolean =>
  schema !== undefined && 'shape' in schema && 'limit' in (schema.shape as object);

/** Every route that takes a limit, and where. */
const limited = jsonRoutes
  .filter(([, { query, body }]) => hasLimit(query) || hasLimit(body))
  .map(([id, route]) => [id, route, hasLimit(route.query) ? 'query' : 'body'] as const);

/** Offset lists with the published default and maximum. */
const pages: readonly (readonly [id: string, fallback: number, max: number])[] = [
  ['cliSessions.list', 20, 100],
  ['cliSessions.memories', 20, 100],
  ['sessions.list', 20, 100],
  ['sessions.active', 20, 100],
  ['sessions.memories', 20, 100],
  ['spaces.list', 20, 100],
  ['keys.list', 20, 100],
  ['account.audit', 20, 100],
  ['admin.listAccounts', 20, 100],
  ['search.listPresets', 20, 100],
];

describe.each(engines)('a limit on %s', (engine) => {
  let service: Service;
  let client: Client;
  beforeAll(async () => {
    service = await startContractService(engine);
    client = (await service.createAccount()).client;
  });
  afterAll(() => service.stop());

  /** The route's own example with another limit, in a scene of an account of its own. */
  async function asker(route: Route, place: 'query' | 'body') {
    const { client } = await service.createAccount();
    const example: Record<string, unknown> = exampleRequest(
      route,
      await createExampleData(service, client, route),
    );
    return (limit: number): Promise<RawResponse> => {
      const sent = { ...example, [place]: { ...(example[place] as object), limit } };
      return clientFor(service, client, route).request(sent as never);
    };
  }

  it('is taken by all lists and searches', () => {
    expect(limited.length).toBeGreaterThan(15);
  });

  it.each(limited)(
    '%s takes a limit of 1, and refuses 0 with invalid_range',
    async (_id, route, place) => {
      const ask = await asker(route, place);
      expect((await ask(1)).status).toBeLessThan(300);
      const refused = await ask(0);
      if (errorFormatOf(route.path) === 'flat') {
        const body = { error: 'bad_request', message: 'limit must be at least 1' };
        return expect(refused).toMatchObject({ status: 400, body });
      }
      expect(refused).toMatchObject({
        status: 422,
        body: {
          error: {
            code: 'validation_error',
            details: { fields: { limit: { code: 'invalid_range', min: 1, received: 0 } } },
          },
        },
      });
    },
  );

  it.each(pages)('%s gives %i unless told, and %i at most', async (id, fallback, max) => {
    const [, route] = jsonRoutes.find(([name]) => name === id) ?? [];
    if (!route) throw new Error(`there is no route ${id}`);
    const { client: own } = await service.createAccount();
    const { query: _, ...sent } = exampleRequest(
      route,
      await createExampleData(service, own, route),
    );
    const asking = clientFor(service, own, route);
    const told = (limit: number) => ({ status: 200, body: { pagination: { limit } } });
    expect(await asking.request(sent)).toMatchObject(told(fallback));
    expect(await asking.request({ ...sent, query: { limit: max } })).toMatchObject(told(max));
    expect(await asking.request({ ...sent, query: { limit: max + 1 } })).toMatchObject({
      status: 422,
      body: { error: { details: { fields: { limit: { code: 'invalid_range', max } } } } },
    });
  });

  it.each(pages.map(([id]) => id))('%s says on each page whether there is more', async (id) => {
    const [, route] = jsonRoutes.find(([name]) => name === id) ?? [];
    if (!route) throw new Error(`there is no route ${id}`);
    const { client: own } = await service.createAccount();
    const { query: _, ...sent } = exampleRequest(
      route,
      await createExampleData(service, own, route),
    );
    const page = async (offset: number) => {
      const query = { limit: 1, offset };
      const { body } = await clientFor(service, own, route).request({ ...sent, query });
      const { data, pagination } = body as { data: unknown[]; pagination: { total: number } };
      return { shown: data.length, pagination };
    };
    const { total } = (await page(0)).pagination;
    const expected = (offset: number) => ({
      shown: offset < total ? 1 : 0,
      pagination: { total, limit: 1, offset, has_more: offset + 1 < total, next_cursor: null },
    });
    expect(total).toBeGreaterThan(0);
    for (const offset of [0, total - 1, total])
      expect(await page(offset)).toEqual(expected(offset));
  });

  it('is told wherever a list has pagination', async () => {
    const spaces = await client.spaces.list({ query: { limit: 7, offset: 3 } });
    expect(spaces.pagination).toEqual({
      total: 0,
      limit: 7,
      offset: 3,
      has_more: false,
      next_cursor: null,
    });
  });
});
