import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { engines } from '../../support/service.ts';
import { absentId, expectError } from '../memories/memory-requests.ts';
import {
  day,
  openScriptedAccount,
  type ScriptedAccount,
  type ScriptedExtraction,
  startScriptedExtraction,
} from './scripted-extraction.ts';

describe.each(engines)('the neighbourhood of a memory or an entity on %s', (engine) => {
  let stage: ScriptedExtraction;
  let told: ScriptedAccount;
  beforeAll(async () => {
    stage = await startScriptedExtraction(engine);
  });
  afterAll(() => stage.service.stop());
  beforeEach(async () => {
    told = await openScriptedAccount(stage);
  });

  const around = (query: object, client: Client = told.client) =>
    client.knowledge.neighbourhood({ query });
  /** Nodes as `hops label`, in the order of the alphabet. */
  const nodesAround = async (query: object, client: Client = told.client) =>
    (await around(query, client)).nodes.map(({ hops, label }) => `${hops} ${label}`).toSorted();
  const link = (source: string, target_id: string, relationship_type = 'supports' as const) =>
    told.client.relationships.create({
      params: { memoryId: source },
      body: { target_id, relationship_type },
    });
  const keyWith = async (body: object): Promise<Client> => {
    const { key } = await told.client.keys.create({ body: { name: 'limited', ...body } });
    return stage.service.client(key);
  };

  it('joins memories with entities that they mention, facts and relationships', async () => {
    const first = await told.remember('person:Ana works_at organization:Acme sure 0.8');
    const second = await told.remember('person:Ben');
    await link(first.id, second.id);
    const graph = await around({ memory_id: first.id });
    expect(graph).toMatchObject({ root: first.id, truncated: false });
    expect(graph.nodes[0]).toMatchObject({ id: first.id, type: 'memory', hops: 0 });
    expect(graph.nodes.map(({ label }) => label).toSorted()).toEqual([
      ...['Acme', 'Ana', first.content, second.content].toSorted(),
    ]);
    const [ana, acme] = [await told.idOf('Ana'), await told.idOf('Acme')];
    const edges = graph.edges.map((edge) => [edge.kind, edge.relationship_type, edge.source_id]);
    expect(edges).toContainEqual(['mention', 'mentions', first.id]);
    expect(edges).toContainEqual(['relationship', 'supports', first.id]);
    const fact = graph.edges.find(({ kind }) => kind === 'fact');
    expect(fact).toMatchObject({
      source_id: ana,
      target_id: acme,
      relationship_type: 'works_at',
      weight: expect.closeTo(0.8, 5),
    });
    expect(graph.edges).toHaveLength(4);
    const ben = graph.nodes.find(({ id }) => id === second.id);
    expect(ben?.hidden_neighbours).toBe(1);
  });

  it('reaches as many steps as asked, three at most', async () => {
    await told.remember('person:A knows person:B');
    await told.remember('person:B knows person:C');
    await told.remember('person:C knows person:D');
    const entity_id = await told.idOf('A');
    const people = async (depth: number) => {
      const query = { entity_id, depth, relationship_types: ['knows'] };
      return (await around(query)).nodes.map(({ label }) => label).toSorted();
    };
    expect(await people(1)).toEqual(['A', 'B']);
    expect(await people(2)).toEqual(['A', 'B', 'C']);
    expect(await people(3)).toEqual(['A', 'B', 'C', 'D']);
    for (const depth of [0, 4]) {
      expect((await expectError(around({ entity_id, depth }))).fields).toMatchObject({
        depth: { code: 'invalid_range' },
      });
    }
  });

  it('is cut to the strongest, says how many are hidden, and is the same each time', async () => {
    const leaves = Array.from(
      { length: 30 },
      (_, i) => `person:Hub knows person:L${i} sure 0.${i + 10}`,
    );
    await told.remember(leaves.join(';'));
    const query = { entity_id: await told.idOf('Hub'), limit: 11, relationship_types: ['knows'] };
    const graph = await around(query);
    expect(graph.nodes.slice(1).map(({ label }) => label)).toEqual([
      ...Array.from({ length: 10 }, (_, i) => `L${29 - i}`),
    ]);
    expect(graph).toMatchObject({ truncated: true });
    expect(graph.nodes[0]?.hidden_neighbours).toBe(20);
    expect(await around(query)).toEqual(graph);
  });

  it('has only nodes and edges of the types that are asked for', async () => {
    const memory = await told.remember(
      'person:Ana works_at organization:Acme; person:Ana knows person:Ben',
    );
    const entity_id = await told.idOf('Ana');
    expect(await nodesAround({ entity_id, node_types: ['person'] })).toEqual(['0 Ana', '1 Ben']);
    expect(await nodesAround({ entity_id, node_types: ['memory'] })).toEqual([
      '0 Ana',
      `1 ${memory.content}`,
    ]);
    expect(await nodesAround({ entity_id, relationship_types: ['works_at'] })).toEqual([
      '0 Ana',
      '1 Acme',
    ]);
    expect(await nodesAround({ entity_id, relationship_types: ['mentions'] })).toEqual([
      '0 Ana',
      `1 ${memory.content}`,
    ]);
    const refused = await expectError(around({ entity_id, node_types: ['robot'] }));
    expect(refused.status).toBe(422);
  });

  it('shows facts as they hold at a time, and what was known at a time', async () => {
    await told.remember('person:Ana works_at organization:Acme from 2024 to 2025');
    await told.remember('person:Ana works_at organization:Bolt from 2025');
    const entity_id = await told.idOf('Ana');
    const relationship_types = ['works_at'];
    expect(await nodesAround({ entity_id, relationship_types })).toEqual(['0 Ana', '1 Bolt']);
    const asOf = { entity_id, relationship_types, as_of: '2024-06-01T00:00:00Z' };
    expect(await nodesAround(asOf)).toEqual(['0 Ana', '1 Acme']);
    const early = { entity_id, relationship_types, known_at: day(-1) };
    expect(await nodesAround(early)).toEqual(['0 Ana']);
    stage.clock.advance(86_400_000);
    await told.remember('person:Ana knows person:Cleo');
    const before = { entity_id, known_at: new Date(stage.clock.now().getTime() - 3_600_000) };
    const known = await nodesAround({ ...before, known_at: before.known_at.toISOString() });
    expect(known.join()).not.toContain('Cleo');
    expect((await nodesAround({ entity_id })).join()).toContain('Cleo');
  });

  it('shows memories of what had happened by a time', async () => {
    const early = await told.remember('person:Ana early', { occurred_at: '2020-01-01T00:00:00Z' });
    const late = await told.remember('person:Ana late', { occurred_at: '2025-01-01T00:00:00Z' });
    await link(early.id, late.id);
    const entity_id = await told.idOf('Ana');
    expect(await nodesAround({ entity_id, as_of: '2022-01-01T00:00:00Z' })).toEqual([
      '0 Ana',
      '1 person:Ana early',
    ]);
    const of = { memory_id: early.id, as_of: '2022-01-01T00:00:00Z' };
    expect(await nodesAround(of)).toEqual(['0 person:Ana early', '1 Ana']);
    expect(await nodesAround({ entity_id })).toHaveLength(3);
  });

  it('is that of a key that is limited to spaces, without hints of others', async () => {
    const { id: red } = await told.client.spaces.create({ body: { name: 'red' } });
    const open = await told.remember('person:Ana knows person:Ben', { space_id: red });
    const secret = await told.remember('person:Ana knows person:Secret');
    await link(open.id, secret.id);
    const limited = await keyWith({ space_ids: [red] });
    const graph = await around({ memory_id: open.id, depth: 3 }, limited);
    expect(graph.nodes.map(({ label }) => label).toSorted()).toEqual(
      ['Ana', 'Ben', open.content].toSorted(),
    );
    expect(graph.nodes.map(({ hidden_neighbours }) => hidden_neighbours)).toEqual([0, 0, 0]);
    const refused = await expectError(around({ memory_id: secret.id }, limited));
    expect(refused).toMatchObject({ status: 403, code: 'space_access_denied' });
    const other = { entity_id: await told.idOf('Secret') };
    expect(await expectError(around(other, limited))).toMatchObject({ status: 403 });
  });

  it('is that of one user for a token of the user, and with the user as filter', async () => {
    const own = await told.remember('person:Ana knows person:Ben', { user_id: 'ana' });
    const others = await told.remember('person:Ana knows person:Secret', { user_id: 'ben' });
    await link(own.id, others.id);
    const { token } = await told.client.auth.createToken({ body: { user_id: 'ana' } });
    const ana = stage.service.client(token);
    const entity_id = await told.idOf('Ana');
    const expected = ['0 Ana', '1 Ben', `1 ${own.content}`];
    expect(await nodesAround({ entity_id }, ana)).toEqual(expected.toSorted());
    expect(await nodesAround({ entity_id, user_id: 'ana' })).toEqual(expected.toSorted());
    const graph = await around({ memory_id: own.id, depth: 3 }, ana);
    expect(JSON.stringify(graph)).not.toMatch(new RegExp(`Secret|${others.id}`));
    expect(graph.nodes.every(({ hidden_neighbours: hidden }) => hidden === 0)).toBe(true);
    const foreign = await expectError(around({ memory_id: others.id }, ana));
    expect(foreign).toMatchObject({ status: 404, code: 'memory_not_found' });
    const denied = await expectError(around({ entity_id, user_id: 'ben' }, ana));
    expect(denied.code).toBe('user_access_denied');
  });

  it('forgets a deleted memory and what it alone says at once', async () => {
    const memory = await told.remember('person:Ana knows person:Ben');
    await told.remember('person:Ana');
    const entity_id = await told.idOf('Ana');
    await told.client.memories.remove({ params: { id: memory.id }, query: { soft: true } });
    expect(await nodesAround({ entity_id })).toEqual(['0 Ana', '1 person:Ana']);
    const deleted = await around({ memory_id: memory.id });
    expect(deleted.nodes.map(({ label }) => label)).toEqual([memory.content]);
    expect(deleted.edges).toEqual([]);
  });

  it('needs rights to knowledge and contents, and shows relationships with theirs', async () => {
    const [one, other] = [await told.remember('person:Ana'), await told.remember('person:Ben')];
    await link(one.id, other.id);
    const query = { memory_id: one.id };
    const without = await keyWith({ scopes: ['knowledge:read', 'memories:read'] });
    expect(await nodesAround(query, without)).toEqual(['0 person:Ana', '1 Ana']);
    expect(await nodesAround(query)).toHaveLength(3);
    for (const scopes of [['knowledge:read'], ['memories:read', 'relationships:read']]) {
      expect(await expectError(around(query, await keyWith({ scopes })))).toMatchObject({
        status: 403,
        code: 'insufficient_permissions',
      });
    }
  });

  it('asks for exactly one centre that exists', async () => {
    const { id: memory_id } = await told.remember('person:Ana');
    const entity_id = await told.idOf('Ana');
    expect((await expectError(around({}))).fields).toMatchObject({
      entity_id: { code: 'required' },
    });
    expect((await expectError(around({ memory_id, entity_id }))).fields).toMatchObject({
      entity_id: { code: 'invalid_range' },
    });
    expect(await expectError(around({ memory_id: absentId }))).toMatchObject({
      status: 404,
      code: 'memory_not_found',
    });
    expect(await expectError(around({ entity_id: absentId }))).toMatchObject({
      status: 404,
      code: 'not_found',
    });
  });

  it('has beside it what one memory states, without a new extraction', async () => {
    const memory = await told.remember('person:Ana works_at organization:Acme');
    await told.remember('person:Ben works_at organization:Acme');
    const params = { id: memory.id };
    const known = await told.client.knowledge.ofMemory({ params });
    expect(known.entities.map(({ name }) => name).toSorted()).toEqual(['Acme', 'Ana']);
    expect(known.facts.map(({ statement }) => statement)).toEqual([memory.content]);
    const reader = await keyWith({ scopes: ['knowledge:read'] });
    expect((await reader.knowledge.ofMemory({ params })).facts).toHaveLength(1);
    const { token } = await told.client.auth.createToken({ body: { user_id: 'ana' } });
    const stranger = stage.service.client(token).knowledge.ofMemory({ params });
    expect(await expectError(stranger)).toMatchObject({ status: 404, code: 'memory_not_found' });
  });
});
