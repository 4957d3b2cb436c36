import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { absentId, expectError, listEvents } from '../memories/memory-requests.ts';
import { createMemories, createRelationship, idsOf } from './relationship-requests.ts';

/** As published: each type with that of the other half of a bidirectional pair. */
const inverses = [
  ['related_to', 'related_to'],
  ['parent_of', 'child_of'],
  ['child_of', 'parent_of'],
  ['supersedes', 'superseded_by'],
  ['references', 'referenced_by'],
  ['derived_from', 'source_of'],
  ['contradicts', 'contradicts'],
  ['supports', 'supported_by'],
  ['similar_to', 'similar_to'],
  ['depends_on', 'dependency_of'],
  ['caused_by', 'leads_to'],
  ['leads_to', 'caused_by'],
] as const;
const halvesAlone = [
  'superseded_by',
  'referenced_by',
  'source_of',
  'dependency_of',
  'supported_by',
] as const;

const bareId = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f-]{17}$/);

describe.each(engines)('POST /relationships/:memoryId on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  const two = async (fields = {}) => {
    const { client, key } = await service.createAccount();
    const [a = '', b = ''] = await createMemories(client, 2, fields);
    return { client, key, a, b };
  };
  const send = (client: Client, sourceId: string, body: unknown, headers = {}) =>
    client.request({ method: 'POST', path: `/relationships/${sourceId}`, body, headers });
  const faultsOf = async (client: Client, sourceId: string, body: unknown) => {
    const { status, body: answer } = await send(client, sourceId, body);
    const { error } = answer as { error: { details: { fields: Record<string, unknown> } } };
    return [status, error.details?.fields];
  };

  it('answers the relationship in both naming forms, with the published defaults', async () => {
    const { client, a, b } = await two();
    const body = { target_id: b, relationship_type: 'supports' };
    const { status, body: made } = await send(client, a, body);
    expect(status).toBe(201);
    expect(made).toEqual({
      id: bareId,
      source_id: a,
      target_id: b,
      relationship_type: 'supports',
      type: 'supports',
      description: null,
      weight: 1,
      strength: 1,
      usage_count: 0,
      reinforcement_count: 0,
      last_reinforced_at: null,
      decay_rate: 0.02,
      rules: {},
      metadata: {},
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: (made as { created_at: string }).created_at,
    });
  });

  it('keeps every field that was sent, and a list answers the same', async () => {
    const { client, a, b } = await two();
    const fields = {
      description: 'because',
      weight: 2.5,
      decay_rate: 0,
      rules: { until: 'spring' },
      metadata: { by: 'Ana', deep: { er: [1, null] } },
    };
    const made = await createRelationship(client, a, b, { type: 'leads_to', ...fields });
    expect(made).toMatchObject({ ...fields, type: 'leads_to', strength: 1 });
    const params = { memoryId: a };
    expect((await client.relationships.list({ params })).outgoing).toEqual([made]);
  });

  it('takes strength for weight, type for relationship_type, both when they agree', async () => {
    const { client, a } = await two();
    const targets = await createMemories(client, 3);
    const bodies = [
      { type: 'supports', strength: 0.5 },
      { relationship_type: 'supports', weight: 0.5 },
      { relationship_type: 'supports', type: 'supports', weight: 0.5, strength: 0.5 },
    ];
    for (const [i, body] of bodies.entries()) {
      const { status, body: made } = await send(client, a, { target_id: targets[i], ...body });
      expect([status, made]).toMatchObject([201, { type: 'supports', weight: 0.5 }]);
    }
  });

  it('takes ids in the published prefixed form and shows them bare', async () => {
    const { client, a, b } = await two();
    const { body } = await send(client, `mem_${a}`, { target_id: `mem_${b}`, type: 'supports' });
    expect(body).toMatchObject({ source_id: a, target_id: b });
  });

  it.each(inverses)('makes both halves of a bidirectional %s, or one', async (type, inverse) => {
    const { client, a, b } = await two();
    const made = await createRelationship(client, a, b, { type, bidirectional: true, weight: 0.7 });
    expect(made.inverse_relationship).toEqual({
      id: bareId,
      source_id: b,
      target_id: a,
      type: inverse,
      strength: 0.7,
    });
    const seen = await client.relationships.list({ params: { memoryId: a } });
    expect(seen).toMatchObject({ total: 2, outgoing: [{ id: made.id }] });
    expect(idsOf(seen.incoming)).toEqual([made.inverse_relationship?.id]);

    const [c = ''] = await createMemories(client, 1);
    const single = await createRelationship(client, a, c, { type });
    expect(single).not.toHaveProperty('inverse_relationship');
    expect(await client.relationships.list({ params: { memoryId: c } })).toMatchObject({
      total: 1,
    });
  });

  const faulty: readonly [string, object, object][] = [
    ['no type', {}, { relationship_type: 'required' }],
    ['no target', { target_id: undefined, type: 'supports' }, { target_id: 'required' }],
    ['a malformed target', { target_id: 'x', type: 'supports' }, { target_id: 'invalid_format' }],
    ['an unknown type', { type: 'likes' }, { type: 'invalid_enum_value' }],
    ['a type of the inverse', { type: 'superseded_by' }, { type: 'invalid_enum_value' }],
    [
      'a name no type can have',
      { relationship_type: 'Likes it' },
      { relationship_type: 'invalid_enum_value' },
    ],
    ['a type that is no text', { type: 7 }, { type: 'invalid_type' }],
    [
      'types that differ',
      { type: 'supports', relationship_type: 'caused_by' },
      { type: 'invalid_format' },
    ],
    [
      'weights that differ',
      { type: 'supports', weight: 1, strength: 0.5 },
      { strength: 'invalid_format' },
    ],
    ['a negative weight', { type: 'supports', weight: -0.1 }, { weight: 'invalid_range' }],
    ['a weight in words', { type: 'supports', strength: 'much' }, { strength: 'invalid_type' }],
    ['a weight beyond bounds', { type: 'supports', weight: 1e10 }, { weight: 'invalid_range' }],
    ['a decay over 1', { type: 'supports', decay_rate: 1.1 }, { decay_rate: 'invalid_range' }],
    ['a decay under 0', { type: 'supports', decay_rate: -0.1 }, { decay_rate: 'invalid_range' }],
    ['rules that are none', { type: 'supports', rules: [] }, { rules: 'invalid_type' }],
    ['metadata that is none', { type: 'supports', metadata: 'x' }, { metadata: 'invalid_type' }],
    [
      'a description over 1,000 characters',
      { type: 'supports', description: 'x'.repeat(1_001) },
      { description: 'field_too_long' },
    ],
    [
      'more metadata than 16 KB',
      { type: 'supports', metadata: { a: 'x'.repeat(16_384) } },
      { metadata: 'field_too_long' },
    ],
    ['an unknown field', { type: 'supports', wieght: 1 }, { wieght: 'unknown_field' }],
    [
      'several faults at once',
      { type: 'likes', weight: -1, bidirectional: 'yes', colour: 'red' },
      { weight: 'invalid_range', bidirectional: 'invalid_type', colour: 'unknown_field' },
    ],
  ];
  it.each(faulty)('refuses %s with 422 and names the field', async (_name, body, faults) => {
    const { client, a, b } = await two();
    const expected = Object.fromEntries(
      Object.entries(faults).map(([name, code]) => [name, expect.objectContaining({ code })]),
    );
    expect(await faultsOf(client, a, { target_id: b, ...body })).toEqual([422, expected]);
    expect(await client.relationships.list({ params: { memoryId: a } })).toMatchObject({
      total: 0,
    });
  });

  it.each(halvesAlone)('never takes %s on create, custom types allowed or not', async (type) => {
    const { client, a, b } = await two();
    const refused = [422, { type: expect.objectContaining({ code: 'invalid_enum_value' }) }];
    expect(await faultsOf(client, a, { target_id: b, type })).toEqual(refused);
    await client.account.update({ body: { settings: { allow_custom_relationship_types: true } } });
    expect(await faultsOf(client, a, { target_id: b, type })).toEqual(refused);
  });

  it('refuses a link of a memory with itself: 422', async () => {
    const { client, a } = await two();
    const fault = expect.objectContaining({ code: 'invalid_format' });
    const body = { target_id: `mem_${a}`, type: 'supports' };
    expect(await faultsOf(client, a, body)).toEqual([422, { target_id: fault }]);
  });

  it('takes custom types where the account allows them, in one direction alone', async () => {
    const { client, a, b } = await two();
    const body = { target_id: b, type: 'admires_2' };
    expect((await send(client, a, body)).status).toBe(422);
    const settings = { allow_custom_relationship_types: true };
    await client.account.update({ body: { settings } });
    expect(await send(client, a, body)).toMatchObject({
      status: 201,
      body: { type: 'admires_2', relationship_type: 'admires_2' },
    });
    const pair = { target_id: b, type: 'fears', bidirectional: true };
    expect(await faultsOf(client, a, pair)).toEqual([
      422,
      { bidirectional: expect.objectContaining({ code: 'invalid_enum_value' }) },
    ]);
    for (const type of ['Fears', '2fears', 'fears it', 'f'.repeat(65), '']) {
      expect((await send(client, a, { target_id: b, type })).status).toBe(422);
    }
    const params = { sourceId: a, targetId: b, type: 'admires_2' };
    expect(await client.relationships.reinforce({ params })).toMatchObject({ usage_count: 1 });
    const query = { type: 'admires_2' };
    expect(await client.relationships.list({ params: { memoryId: b }, query })).toMatchObject({
      total: 1,
    });
    await client.relationships.remove({ params });
  });

  it('tells a missing end, or one of another account: 404 memory_not_found', async () => {
    const { client, a } = await two();
    const stranger = await two();
    const missing = { status: 404, code: 'memory_not_found' };
    expect(await expectError(createRelationship(client, a, absentId))).toMatchObject(missing);
    expect(await expectError(createRelationship(client, absentId, a))).toMatchObject(missing);
    expect(await expectError(createRelationship(client, a, stranger.a))).toMatchObject(missing);
    expect(await expectError(createRelationship(client, stranger.a, a))).toMatchObject(missing);
    expect(await expectError(createRelationship(client, 'nonsense', a))).toMatchObject(missing);
  });

  it('does not link a soft-deleted memory: 409 conflict', async () => {
    const { client, a, b } = await two();
    await client.memories.remove({ params: { id: b }, query: { soft: true } });
    const conflict = { status: 409, code: 'conflict', details: { memory_id: b } };
    expect(await expectError(createRelationship(client, a, b))).toMatchObject(conflict);
    expect(await expectError(createRelationship(client, b, a))).toMatchObject(conflict);
    await client.memories.restore({ params: { id: b } });
    await createRelationship(client, a, b);
  });

  it('makes a triple once; another type, or the other way round, is another one', async () => {
    const { client, a, b } = await two();
    const first = await createRelationship(client, a, b);
    expect(await expectError(createRelationship(client, a, b, { weight: 0.5 }))).toMatchObject({
      status: 409,
      code: 'relationship_exists',
      details: { relationship_id: first.id },
    });
    await createRelationship(client, b, a);
    await createRelationship(client, a, b, { type: 'supports' });
    expect(await client.relationships.list({ params: { memoryId: a } })).toMatchObject({
      total: 3,
    });
  });

  it('of a pair of which one half exists makes nothing: 409 with the id of that half', async () => {
    const { client, a, b } = await two();
    const half = await createRelationship(client, b, a, { type: 'child_of' });
    const pair = createRelationship(client, a, b, { type: 'parent_of', bidirectional: true });
    expect(await expectError(pair)).toMatchObject({
      status: 409,
      code: 'relationship_exists',
      details: { relationship_id: half.id },
    });
    const seen = await client.relationships.list({ params: { memoryId: a } });
    expect(idsOf([...(seen.outgoing ?? []), ...(seen.incoming ?? [])])).toEqual([half.id]);
    expect(await listEvents(client, 'relationship.created')).toHaveLength(1);
  });

  it('of many at once for one triple exactly one is made', async () => {
    const { client, a, b } = await two();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        send(client, i % 2 ? a : b, {
          target_id: i % 2 ? b : a,
          type: 'similar_to',
          bidirectional: true,
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
    expect(await client.relationships.list({ params: { memoryId: a } })).toMatchObject({
      total: 2,
    });
  });

  it('with an Idempotency-Key is done once and answered twice', async () => {
    const { client, a, b } = await two();
    const headers = { 'idempotency-key': 'one' };
    const body = { target_id: b, type: 'supports', bidirectional: true };
    const first = await send(client, a, body, headers);
    const again = await send(client, a, body, headers);
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await client.relationships.list({ params: { memoryId: a } })).toMatchObject({
      total: 2,
    });
  });

  it('tells relationship.created with the relationship, for each half', async () => {
    const { client, a, b } = await two();
    const made = await createRelationship(client, a, b, { type: 'parent_of', bidirectional: true });
    const { inverse_relationship: inverse, ...whole } = made;
    expect(await listEvents(client, 'relationship.created')).toEqual([
      expect.objectContaining({ data: whole, space_id: null, previous_data: null, changes: null }),
      expect.objectContaining({ data: expect.objectContaining({ ...inverse, weight: 1 }) }),
    ]);
  });
});
