import { errorFormatOf, type Route } from '@mneme/contract';
import type { Client, RawResponse } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneEngine, type Service } from '../../support/service.ts';
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

// What is refused is decided before the engine is asked.
describe.each(oneEngine)('a limit on %s', (engine) => {
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
