import type { Relationship } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { AcceleratedClock } from '../memories/controlled-dependencies.ts';
import { absentId, expectError, listEvents } from '../memories/memory-requests.ts';
import { createMemories, createRelationship, relationshipParams } from './relationship-requests.ts';

const dayMs = 86_400_000;

describe.each(engines)('a relationship on %s', (engine) => {
  let service: Service;
  const clock = new AcceleratedClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());

  const linked = async (body = {}) => {
    const { client } = await service.createAccount();
    const [a = '', b = ''] = await createMemories(client, 2);
    const made = await createRelationship(client, a, b, { type: 'supports', ...body });
    return { client, a, b, made, params: relationshipParams(made) as never };
  };
  const now = async (client: Client, memoryId: string): Promise<Relationship> => {
    const { outgoing } = await client.relationships.list({ params: { memoryId } });
    return outgoing?.[0] as Relationship;
  };
  /** A weight after so many days; what the test itself takes is not a thousandth. */
  const near = (weight: number) => expect.closeTo(weight, 3);

  describe('PATCH', () => {
    it('sets the weight, the description and merged metadata', async () => {
      const { client, params, made } = await linked({ metadata: { a: 1, b: { c: 2 } } });
      const body = { weight: 0.4, description: 'new', metadata: { a: null, b: { d: 3 } } };
      const changed = await client.relationships.update({ params, body });
      expect(changed).toEqual({
        ...made,
        weight: 0.4,
        strength: 0.4,
        description: 'new',
        metadata: { b: { c: 2, d: 3 } },
        updated_at: expect.any(String),
      });
      expect(changed.updated_at > made.updated_at).toBe(true);
      const cleared = { description: null };
      expect(await client.relationships.update({ params, body: cleared })).toMatchObject({
        description: null,
        weight: near(0.4),
      });
    });

    it('takes strength for weight, and both when they agree', async () => {
      const { client, params } = await linked();
      const set = (body: object) => client.relationships.update({ params, body });
      expect(await set({ strength: 0.3 })).toMatchObject({ weight: 0.3 });
      expect(await set({ weight: 0.2, strength: 0.2 })).toMatchObject({ weight: 0.2 });
      expect(await expectError(set({ weight: 0.2, strength: 0.3 }))).toMatchObject({
        status: 422,
        details: { fields: { strength: { code: 'invalid_format' } } },
      });
    });

    it.each([
      ['a negative weight', { weight: -1 }, { weight: { code: 'invalid_range' } }],
      [
        'a type',
        { relationship_type: 'supports' },
        { relationship_type: { code: 'unknown_field' } },
      ],
      ['a rate', { decay_rate: 0 }, { decay_rate: { code: 'unknown_field' } }],
      [
        'a long description',
        { description: 'x'.repeat(1_001) },
        { description: { code: 'field_too_long' } },
      ],
    ])('refuses %s with 422', async (_name, body, fields) => {
      const { client, params } = await linked();
      const call = client.relationships.update({ params, body: body as never });
      expect(await expectError(call)).toMatchObject({
        status: 422,
        details: { fields },
      });
    });

    it('refuses metadata whose merged whole is over the limit', async () => {
      const { client, params } = await linked({ metadata: { a: 'x'.repeat(10_000) } });
      const body = { metadata: { b: 'x'.repeat(10_000) } };
      expect(await expectError(client.relationships.update({ params, body }))).toMatchObject({
        status: 422,
        details: { fields: { metadata: { code: 'field_too_long' } } },
      });
    });

    it('that says nothing new changes nothing and tells nobody', async () => {
      const { client, params, made } = await linked({ decay_rate: 0, description: 'same' });
      const body = { weight: 1, description: 'same', metadata: {} };
      expect(await client.relationships.update({ params, body })).toEqual(made);
      expect(await listEvents(client, 'relationship.updated')).toEqual([]);
    });

    it('changes one half of a pair alone', async () => {
      const { client, a, params } = await linked({ bidirectional: true });
      await client.relationships.update({ params, body: { weight: 0.1 } });
      const { incoming } = await client.relationships.list({ params: { memoryId: a } });
      expect(incoming).toMatchObject([{ weight: near(1) }]);
    });
  });

  describe('decay', () => {
    it('is computed when it is read: 2 % a day, or at the rate that was given', async () => {
      const { client, a } = await linked({ weight: 0.8 });
      const slow = await linked({ weight: 4, decay_rate: 0.5 });
      clock.advance(10 * dayMs);
      const left = 0.8 * 0.98 ** 10;
      expect(await now(client, a)).toMatchObject({ weight: near(left), strength: near(left) });
      expect(await now(slow.client, slow.a)).toMatchObject({ weight: near(4 / 1_024) });
    });

    it('leaves a rate of 0 untouched, and nothing at a rate of 1', async () => {
      const still = await linked({ weight: 0.7, decay_rate: 0 });
      const gone = await linked({ decay_rate: 1 });
      expect(gone.made).toMatchObject({ weight: 1, decay_rate: 1 });
      clock.advance(3_650 * dayMs);
      expect(await now(still.client, still.a)).toMatchObject({ weight: 0.7 });
      expect(await now(gone.client, gone.a)).toMatchObject({ weight: 0, strength: 0 });
    });

    it('shows a weight above 1 whole, and a strength of at most 1', async () => {
      const { client, a } = await linked({ weight: 3 });
      clock.advance(10 * dayMs);
      expect(await now(client, a)).toMatchObject({ weight: near(3 * 0.98 ** 10), strength: 1 });
    });

    it('stands still while either end is pinned, from when on it does not matter', async () => {
      for (const end of ['a', 'b'] as const) {
        const one = await linked({ weight: 0.9 });
        clock.advance(30 * dayMs);
        const params = { id: one[end] };
        await one.client.memories.pin({ params });
        expect(await now(one.client, one.a)).toMatchObject({ weight: 0.9 });
        await one.client.memories.unpin({ params });
        expect(await now(one.client, one.a)).toMatchObject({ weight: near(0.9 * 0.98 ** 30) });
      }
    });

    it('goes on when the last of two pinned ends is unpinned', async () => {
      const { client } = await service.createAccount();
      const [a = '', b = ''] = await createMemories(client, 2, { is_pinned: true });
      const made = await createRelationship(client, a, b);
      clock.advance(50 * dayMs);
      expect(await now(client, a)).toMatchObject({ weight: 1 });
      await client.memories.unpin({ params: { id: a } });
      expect(await now(client, a)).toMatchObject({ weight: 1 });
      await client.memories.unpin({ params: { id: b } });
      expect(await now(client, a)).toMatchObject({ id: made.id, weight: near(0.98 ** 50) });
    });

    it('begins anew when a weight is set', async () => {
      const { client, a, params } = await linked();
      clock.advance(100 * dayMs);
      await client.relationships.update({ params, body: { weight: 0.5 } });
      expect(await now(client, a)).toMatchObject({ weight: near(0.5) });
      clock.advance(10 * dayMs);
      expect(await now(client, a)).toMatchObject({ weight: near(0.5 * 0.98 ** 10) });
      await client.relationships.update({ params, body: { description: 'no new weight' } });
      expect(await now(client, a)).toMatchObject({ weight: near(0.5 * 0.98 ** 10) });
    });
  });

  describe('reinforce and weaken', () => {
    it('move the weight by a tenth, or by what is said', async () => {
      const { client, params } = await linked({ weight: 0.5, decay_rate: 0 });
      const up = await client.relationships.reinforce({ params });
      expect(up).toMatchObject({ weight: 0.6, usage_count: 1, reinforcement_count: 1 });
      expect(up.last_reinforced_at).toBe(up.updated_at);
      const down = await client.relationships.weaken({ params });
      expect(down).toMatchObject({ weight: near(0.5), usage_count: 1 });
      expect(down.last_reinforced_at).toBe(up.last_reinforced_at);
      const much = await client.relationships.reinforce({ params, body: { amount: 2 } });
      expect(much).toMatchObject({ weight: near(2.5), strength: 1, usage_count: 2 });
      expect(await client.relationships.weaken({ params, body: { amount: 9 } })).toMatchObject({
        weight: 0,
        strength: 0,
      });
    });

    it('start from what decay has left, and decay begins anew from there', async () => {
      const one = await linked();
      clock.advance(365 * dayMs);
      expect(await one.client.relationships.reinforce({ params: one.params })).toMatchObject({
        weight: expect.closeTo(0.98 ** 365 + 0.1, 5),
      });
      clock.advance(10 * dayMs);
      expect(await now(one.client, one.a)).toMatchObject({
        weight: near((0.98 ** 365 + 0.1) * 0.98 ** 10),
      });
      const other = await linked();
      clock.advance(10 * dayMs);
      expect(await other.client.relationships.weaken({ params: other.params })).toMatchObject({
        weight: expect.closeTo(0.98 ** 10 - 0.1, 5),
      });
    });

    it('move both halves of a pair, each from its own weight', async () => {
      const { client, a, b, params } = await linked({ bidirectional: true, decay_rate: 0 });
      const inverse = { sourceId: b, targetId: a, type: 'supported_by' } as const;
      await client.relationships.update({ params: inverse, body: { weight: 0.5 } });
      await client.relationships.reinforce({ params, body: { amount: 0.25 } });
      const seen = async () => {
        const { outgoing = [], incoming = [] } = await client.relationships.list({
          params: { memoryId: a },
        });
        return [...outgoing, ...incoming].map(({ weight, usage_count }) => [weight, usage_count]);
      };
      expect(await seen()).toEqual([
        [1.25, 1],
        [0.75, 1],
      ]);
      await client.relationships.weaken({ params: inverse, body: { amount: 0.5 } });
      expect(await seen()).toEqual([
        [0.75, 1],
        [0.25, 1],
      ]);
    });

    it('move a half without its other half, and two that were never a pair, alone', async () => {
      const { client, a, b, params } = await linked({ bidirectional: true, decay_rate: 0 });
      const inverse = { sourceId: b, targetId: a, type: 'supported_by' } as const;
      await client.relationships.remove({ params: inverse });
      expect(await client.relationships.reinforce({ params })).toMatchObject({ weight: 1.1 });
      const there = await createRelationship(client, a, b, { type: 'similar_to', decay_rate: 0 });
      const back = await createRelationship(client, b, a, { type: 'similar_to', decay_rate: 0 });
      await client.relationships.reinforce({ params: relationshipParams(there) as never });
      const body = { amount: 0 };
      const other = { params: relationshipParams(back) as never, body };
      expect(await client.relationships.weaken(other)).toMatchObject({ weight: 1 });
    });

    it('lose none of many at once', async () => {
      const { client, params } = await linked({ bidirectional: true, weight: 0, decay_rate: 0 });
      const body = { amount: 1 };
      await Promise.all(
        Array.from({ length: 10 }, () => client.relationships.reinforce({ params, body })),
      );
      expect(await client.relationships.weaken({ params, body: { amount: 0 } })).toMatchObject({
        weight: 10,
        usage_count: 10,
      });
    });

    it.each([-0.1, 1e10, '1', null])('refuse an amount of %s with 422', async (amount) => {
      const { client, params } = await linked();
      const body = { amount } as never;
      for (const verb of ['reinforce', 'weaken'] as const) {
        expect(await expectError(client.relationships[verb]({ params, body }))).toMatchObject({
          status: 422,
          details: { fields: { amount: expect.anything() } },
        });
      }
    });
  });

  describe('that is named by a path', () => {
    const verbs = (client: Client, params: never): (() => Promise<unknown>)[] => [
      () => client.relationships.update({ params, body: { weight: 1 } }),
      () => client.relationships.reinforce({ params }),
      () => client.relationships.weaken({ params }),
      () => client.relationships.remove({ params }),
    ];

    it('and that there is not is 404 relationship_not_found', async () => {
      const { client, a, b } = await linked();
      const stranger = await linked();
      const paths = [
        { sourceId: b, targetId: a, type: 'supports' },
        { sourceId: a, targetId: b, type: 'references' },
        { sourceId: b, targetId: a, type: 'supported_by' },
        { sourceId: a, targetId: absentId, type: 'supports' },
        { sourceId: 'nonsense', targetId: b, type: 'supports' },
        relationshipParams(stranger.made),
      ];
      for (const params of paths) {
        for (const verb of verbs(client, params as never)) {
          expect(await expectError(verb())).toMatchObject({
            status: 404,
            code: 'relationship_not_found',
          });
        }
      }
    });

    it('by a type that there cannot be is 422', async () => {
      const { client, a, b } = await linked();
      for (const type of ['likes', 'Supports', 'x'.repeat(65)]) {
        for (const verb of verbs(client, { sourceId: a, targetId: b, type } as never)) {
          expect(await expectError(verb())).toMatchObject({
            status: 422,
            details: { fields: { type: { code: 'invalid_enum_value' } } },
          });
        }
      }
    });

    it('takes ids in their published prefixed form', async () => {
      const { client, a, b } = await linked();
      const params = { sourceId: `mem_${a}`, targetId: `mem_${b}`, type: 'supports' } as const;
      expect(await client.relationships.reinforce({ params })).toMatchObject({ source_id: a });
    });

    it('with a soft-deleted end is left as it is, 409 conflict, but can be removed', async () => {
      const { client, a, b, params } = await linked();
      await client.memories.remove({ params: { id: b }, query: { soft: true } });
      for (const verb of verbs(client, params).slice(0, 3)) {
        expect(await expectError(verb())).toMatchObject({
          status: 409,
          code: 'conflict',
          details: { memory_id: b },
        });
      }
      await client.relationships.remove({ params });
      await client.memories.restore({ params: { id: b } });
      expect(await client.relationships.list({ params: { memoryId: a } })).toMatchObject({
        total: 0,
      });
    });
  });

  it('answers 200 with itself to a change, and 204 with nothing to a removal', async () => {
    const { client, a, b, made } = await linked({ decay_rate: 0 });
    const path = `/relationships/${a}/${b}/supports`;
    const ask = (method: string, more = '', body?: unknown) =>
      client.request({ method, path: `${path}${more}`, ...(body === undefined ? {} : { body }) });
    const fields = Object.keys(made).toSorted();
    for (const answer of [
      await ask('PATCH', '', { description: 'x' }),
      await ask('PATCH', '', {}),
      await ask('POST', '/reinforce'),
      await ask('POST', '/reinforce', {}),
      await ask('POST', '/weaken'),
      await ask('POST', '/weaken', { amount: 0.2 }),
    ]) {
      expect(answer.status).toBe(200);
      expect(Object.keys(answer.body as object).toSorted()).toEqual(fields);
      expect(answer.body).toMatchObject({ id: made.id, description: 'x' });
    }
    expect(await ask('DELETE')).toMatchObject({ status: 204, body: undefined });
  });

  describe('DELETE', () => {
    it('removes one half of a pair and leaves the other, which can then be made anew', async () => {
      const { client, a, b, params } = await linked({ bidirectional: true });
      await client.relationships.remove({ params });
      const left = await client.relationships.list({ params: { memoryId: a } });
      expect(left).toMatchObject({ total: 1, incoming: [{ type: 'supported_by' }] });
      expect(await expectError(client.relationships.remove({ params }))).toMatchObject({
        status: 404,
      });
      await createRelationship(client, a, b, { type: 'supports' });
    });
  });
});
