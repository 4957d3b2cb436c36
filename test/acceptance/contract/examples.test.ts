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

describe.each(engines)('the contract on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startContractService(engine);
  });
  afterAll(() => service.stop());

  it.each(jsonRoutes)('%s is answered as its example says', async (_id, route) => {
    const account = await service.createAccount('pro');
    const { client } = account;
    await service.operator().admin.updateAccount({
      params: { id: account.id },
      body: { name: 'acme' },
    });
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
});
