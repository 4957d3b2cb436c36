import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service } from '../../support/service.ts';
import {
  clientFor,
  createExampleData,
  exampleRequest,
  jsonRoutes,
  startContractService,
} from './example-data.ts';

const creating = jsonRoutes.filter(([, { idempotent }]) => idempotent === true);
const merges = ['clusters.merge', 'knowledge.merge', 'knowledge.mergeEntities'];

describe.each(engines)('an Idempotency-Key on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startContractService(engine);
  });
  afterAll(() => service.stop());

  it('is taken by every POST that creates, and by merges, which cannot be repeated', () => {
    const posts = jsonRoutes.filter(
      ([, { method, responses }]) => method === 'POST' && (201 in responses || 202 in responses),
    );
    const ids = posts.map(([id]) => id);
    expect(creating.map(([id]) => id).toSorted()).toEqual([...ids, ...merges].toSorted());
  });

  it.each(creating)('%s is done once for one Idempotency-Key, and replayed', async (id, route) => {
    const { client } = await service.createAccount();
    const sent = exampleRequest(route, await createExampleData(service, client, route));
    const asking = clientFor(service, client, route);
    const headers = { ...sent.headers, 'idempotency-key': `${id} ${engine}` };
    const first = await asking.request({ ...sent, headers });
    const again = await asking.request({ ...sent, headers });
    expect(first.status).toBeLessThan(300);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });
});
