import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneEngine, type Service } from '../../support/service.ts';
import {
  byteRoutes,
  createExampleData,
  exampleRequest,
  expectedError,
  jsonRoutes,
  startContractService,
} from './example-data.ts';

/** Every route that reaches something by its id, but the operator's, which has no strangers. */
const reaching = [...jsonRoutes, ...byteRoutes].filter(
  ([, { notFound, access }]) =>
    notFound !== undefined && access !== 'operator' && access !== 'public',
);

describe.each(oneEngine)('what belongs to another account on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startContractService(engine);
  });
  afterAll(() => service.stop());

  it('can be asked for by many routes', () => {
    expect(reaching.length).toBeGreaterThan(35);
  });

  it.each(reaching)("%s of another account's is 404", async (_id, route) => {
    const owner = await service.createAccount();
    const stranger = await service.createAccount();
    const sent = exampleRequest(route, await createExampleData(service, owner.client, route));
    expect(await stranger.client.request(sent)).toMatchObject({
      status: 404,
      body: expectedError(route, route.notFound),
    });
    // It is there, and as it was: its owner still gets what the example shows.
    expect((await owner.client.request(sent)).status).toBeLessThan(300);
  });
});
