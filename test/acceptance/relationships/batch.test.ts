import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { absentId, expectError, failedItem, listEvents } from '../memories/memory-requests.ts';
import { createMemories, createRelationship, idsOf } from './relationship-requests.ts';

describe.each(engines)('POST /relationships/batch on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  const batch = (client: Client, relationships: readonly unknown[]) =>
    client.relationships.batch({ body: { relationships: relationships as never } });
  const four = async () => {
    const { client } = await service.createAccount();
    const [a = '', b = '', c = '', d = ''] = await createMemories(client, 4);
    return { client, a, b, c, d };
  };

  it('makes each on its own, in order, and tells the others by index', async () => {
    const { client, a, b, c, d } = await four();
    const { id: taken } = await createRelationship(client, a, b, { type: 'supports' });
    const item = (source_id: string, target_id: string, rest: object = {}) => ({
      source_id,
      target_id,
      relationship_type: 'supports',
      ...rest,
    });
    const answer = await batch(client, [
      item(a, c, { weight: 0.5, description: 'first', metadata: { n: 1 } }),
      item(a, b),
      item(a, absentId),
      item(a, a),
      'nonsense',
      item(a, d, { colour: 'red' }),
      item(c, d, { bidirectional: true, decay_rate: 0, rules: { a: 1 } }),
      item(a, c),
      { source_id: `mem_${b}`, target_id: `mem_${d}`, type: 'caused_by', strength: 0.25 },
    ]);
    expect(answer.succeeded).toMatchObject([
      {
        source_id: a,
        target_id: c,
        relationship_type: 'supports',
        weight: 0.5,
        description: 'first',
        metadata: { n: 1 },
      },
      { source_id: c, target_id: d, decay_rate: 0, rules: { a: 1 } },
      { source_id: b, target_id: d, relationship_type: 'caused_by', weight: 0.25 },
    ]);
    const [first, second] = answer.succeeded;
    expect(second?.inverse_relationship).toMatchObject({ source_id: d, type: 'supported_by' });
    expect(answer.failed).toEqual([
      failedItem(1, 'relationship_exists'),
      failedItem(2, 'memory_not_found'),
      failedItem(3, 'validation_error'),
      failedItem(4, 'validation_error'),
      failedItem(5, 'validation_error'),
      failedItem(7, 'relationship_exists'),
    ]);
    const told = answer.failed.map(({ error }) => error.details);
    expect(told[0]).toEqual({ relationship_id: taken });
    expect(told[3]).toMatchObject({ fields: { body: { code: 'invalid_type' } } });
    expect(told[4]).toMatchObject({ fields: { colour: { code: 'unknown_field' } } });
    expect(told[5]).toEqual({ relationship_id: first?.id });
    const seen = await client.relationships.list({ params: { memoryId: a } });
    expect(idsOf(seen.outgoing)).toEqual([first?.id, taken]);
    expect(await listEvents(client, 'relationship.created')).toHaveLength(5);
  });

  it('is batch by its name: no memory is called that', async () => {
    const { client, a, b } = await four();
    const body = { target_id: b, type: 'supports' };
    const answer = await client.request({ method: 'POST', path: '/relationships/batch', body });
    expect(answer).toMatchObject({ status: 422 });
    expect(await client.relationships.list({ params: { memoryId: a } })).toMatchObject({
      total: 0,
    });
  });

  it.each([
    ['none', [], { min: 1 }],
    ['101', Array(101).fill({}), { max: 100 }],
  ])('refuses %s at once with 422 invalid_range', async (_name, items, bounds) => {
    const { client } = await four();
    const fault = { code: 'invalid_range', ...bounds };
    expect(await expectError(batch(client, items))).toMatchObject({
      status: 422,
      details: { fields: { relationships: fault } },
    });
  });

  it('takes a hundred, and answers 201 also where all have failed', async () => {
    const { client, a } = await four();
    const targets = await createMemories(client, 100);
    const items = targets.map((target_id) => ({ source_id: a, target_id, type: 'references' }));
    const made = await client.request({
      method: 'POST',
      path: '/relationships/batch',
      body: { relationships: items },
      headers: { 'idempotency-key': 'hundred' },
    });
    expect(made).toMatchObject({ status: 201, body: { failed: [] } });
    const again = await client.request({
      method: 'POST',
      path: '/relationships/batch',
      body: { relationships: items },
      headers: { 'idempotency-key': 'hundred' },
    });
    expect(again).toMatchObject({ status: 201, body: made.body });
    const { succeeded, failed } = await batch(client, items);
    expect([succeeded.length, failed.length]).toEqual([0, 100]);
    expect(await client.relationships.list({ params: { memoryId: a } })).toMatchObject({
      total: 100,
    });
  });
});
