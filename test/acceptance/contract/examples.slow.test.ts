import type { Route } from '@mneme/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service } from '../../support/service.ts';
import {
  clientFor,
  createExampleData,
  exampleRequest,
  jsonRoutes,
  startContractService,
} from './example-data.ts';
import { maskVolatile } from './mask-volatile.ts';

/** The status that an example shows: the first success whose body is as the example's answer. */
function shownStatus({ responses, example }: Route): number {
  const all = Object.entries(responses).map(([status, schema]) => ({
    status: Number(status),
    schema,
  }));
  const found = all.find(({ schema }) =>
    schema === null ? example.response === null : schema.safeParse(example.response).success,
  );
  return found?.status ?? 0;
}

/** The example shows no more of the document, which is compared as a whole elsewhere. */
const beginningOf = (document: unknown) => ({
  openapi: (document as { openapi: unknown }).openapi,
});

/** The example shows the first of the models. */
const withOneModel = (list: unknown) => {
  const { models, ...rest } = list as { models: unknown[] };
  return { ...rest, models: models.slice(0, 1) };
};

const shortened: Readonly<Record<string, (body: unknown) => unknown>> = {
  'operations.openapi': beginningOf,
  'admin.listModels': withOneModel,
};

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

describe.each(engines)('the contract on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startContractService(engine);
  });
  afterAll(() => service.stop());

  it.each(jsonRoutes)('%s is answered as its example says', async (_id, route) => {
    const { client } = await service.createAccount('pro', 'acme');
    const ids = await createExampleData(service, client, route);
    const sent = exampleRequest(route, ids);
    const { status, body } = await clientFor(service, client, route).request(sent);
    const shown = route.example.response ?? undefined;
    const came = shortened[route.id]?.(body) ?? body;
    expect({ status, body: maskVolatile(shown, came) }).toEqual({
      status: shownStatus(route),
      body: maskVolatile(shown, shown),
    });
    expect(route.responses[status]?.safeParse(body).error).toBeUndefined();
  });

  /** Asks for a page of the list, in an account that has what the route's example shows. */
  async function createAsking(id: string) {
    const [, route] = jsonRoutes.find(([name]) => name === id) ?? [];
    if (!route) throw new Error(`there is no route ${id}`);
    const { client } = await service.createAccount();
    const data = await createExampleData(service, client, route);
    const { query: _, ...sent } = exampleRequest(route, data);
    const asking = clientFor(service, client, route);
    return (query?: object) => asking.request({ ...sent, ...(query ? { query } : {}) } as never);
  }

  it.each(pages)(
    '%s gives %i items unless told, %i at most, and says on each page whether there is more',
    async (id, fallback, max) => {
      const ask = await createAsking(id);
      const told = (limit: number) => ({ status: 200, body: { pagination: { limit } } });
      expect(await ask()).toMatchObject(told(fallback));
      expect(await ask({ limit: max })).toMatchObject(told(max));
      expect(await ask({ limit: max + 1 })).toMatchObject({
        status: 422,
        body: { error: { details: { fields: { limit: { code: 'invalid_range', max } } } } },
      });
      const page = async (offset: number) => {
        const { body } = await ask({ limit: 1, offset });
        const { data, pagination } = body as { data: unknown[]; pagination: { total: number } };
        return { shown: data.length, pagination };
      };
      const { total } = (await page(0)).pagination;
      const expected = (offset: number) => ({
        shown: offset < total ? 1 : 0,
        pagination: { total, limit: 1, offset, has_more: offset + 1 < total, next_cursor: null },
      });
      expect(total).toBeGreaterThan(0);
      for (const offset of [0, total - 1, total]) {
        expect(await page(offset)).toEqual(expected(offset));
      }
    },
  );
});
