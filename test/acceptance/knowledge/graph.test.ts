import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../../support/service.ts';
import { absentId, expectError } from '../memories/memory-requests.ts';
import {
  openScriptedAccount,
  type ScriptedAccount,
  type ScriptedExtraction,
  startScriptedExtraction,
} from './scripted-extraction.ts';

const people = (count: number): string =>
  Array.from({ length: count }, (_, i) => `person:N${i} knows person:N${i + 1}`).join(';');

describe.each(engines)('the graph of entities on %s', (engine) => {
  let stage: ScriptedExtraction;
  let told: ScriptedAccount;
  /** A chain of twelve, with the last three in a triangle at hop two of N0's other side. */
  beforeAll(async () => {
    stage = await startScriptedExtraction(engine);
    told = await openScriptedAccount(stage);
    await told.remember(people(11));
    await told.remember(
      'person:X knows person:N0; person:X knows person:Y; person:X knows person:Z',
    );
    await told.remember('person:Y knows person:Z; person:Alone');
    await told.remember('person:N0 knows person:Past from 2001 to 2002');
  });
  afterAll(() => stage.service.stop());

  const around = async (name: string, query: object = {}) => {
    const params = { entityId: await told.idOf(name) };
    return told.client.knowledge.subgraph({ params, query });
  };

  it('a neighbourhood has what is within two hops, with how far it is', async () => {
    const graph = await around('N0');
    expect(graph).toMatchObject({ root: await told.idOf('N0'), truncated: false });
    const hops = graph.nodes.map(({ name, hops: far }) => `${far} ${name}`);
    expect(hops[0]).toBe('0 N0');
    expect(hops.toSorted()).toEqual(['0 N0', '1 N1', '1 X', '2 N2', '2 Y', '2 Z']);
  });

  it('a neighbourhood has all relationships between its nodes, unless told otherwise', async () => {
    const graph = await around('N0');
    const nameOf = new Map(graph.nodes.map(({ id, name }) => [id, name]));
    const edges = graph.edges.map(
      (one) => `${nameOf.get(one.source_id)} ${nameOf.get(one.target_id)}`,
    );
    expect(edges.toSorted()).toEqual(['N0 N1', 'N1 N2', 'X N0', 'X Y', 'X Z', 'Y Z']);
    expect(graph.edges[0]).toMatchObject({ relationship_type: 'knows', weight: 0.5 });
    const bare = await around('N0', { includeRelationships: 'false' });
    expect(bare.edges).toEqual([]);
    expect(bare.nodes).toHaveLength(6);
  });

  it('a neighbourhood reaches as far as asked, five hops at most', async () => {
    expect((await around('N5', { hops: 1 })).nodes).toHaveLength(3);
    expect((await around('N5', { hops: 5 })).nodes).toHaveLength(11);
    for (const hops of [0, 6]) {
      expect((await expectError(around('N5', { hops }))).fields).toMatchObject({
        hops: { code: 'invalid_range' },
      });
    }
  });

  it('a neighbourhood of more than 500 is cut, the surest first, and says so', async () => {
    const { client, remember, idOf } = await openScriptedAccount(stage);
    const leaves = Array.from(
      { length: 520 },
      (_, i) => `person:Hub knows person:L${i} sure ${i < 499 ? 0.9 : 0.1}`,
    );
    await remember(leaves.join(';'));
    const params = { entityId: await idOf('Hub') };
    const graph = await client.knowledge.subgraph({ params });
    expect([graph.nodes.length, graph.edges.length, graph.truncated]).toEqual([500, 499, true]);
    expect(Math.min(...graph.edges.map(({ weight }) => weight))).toBeCloseTo(0.9, 5);
  });

  const path = async (from: string, to: string, query: object = {}) =>
    told.client.knowledge.path({
      query: { from: await told.idOf(from), to: await told.idOf(to), ...query },
    });

  it('a path is the shortest, from one end to the other, in either direction', async () => {
    const found = await path('Y', 'N2');
    expect(found).toMatchObject({
      from: await told.idOf('Y'),
      to: await told.idOf('N2'),
      length: 4,
    });
    expect(found.nodes.map(({ name }) => name)).toEqual(['Y', 'X', 'N0', 'N1', 'N2']);
    for (const [i, edge] of found.edges.entries()) {
      const ends = [found.nodes[i]?.id, found.nodes[i + 1]?.id];
      expect([edge.source_id, edge.target_id].toSorted()).toEqual(ends.toSorted());
    }
    const back = await path('N2', 'Y');
    expect(back.nodes.map(({ id }) => id)).toEqual(found.nodes.map(({ id }) => id).toReversed());
  });

  it('nothing that a deleted memory said is gone along, before that is read either', async () => {
    const { client, remember, idOf } = await openScriptedAccount(stage);
    const link = await remember('person:A knows person:B sure 0.9');
    await remember('person:A knows person:C; person:C knows person:B; person:B knows person:D');
    const [from, to] = [await idOf('A'), await idOf('B')];
    const short = await client.knowledge.path({ query: { from, to } });
    expect(short.length).toBe(1);
    await client.memories.remove({ params: { id: link.id }, query: { soft: true } });
    const way = await client.knowledge.path({ query: { from, to } });
    expect(way.nodes.map(({ name }) => name)).toEqual(['A', 'C', 'B']);
    const graph = await client.knowledge.subgraph({ params: { entityId: from } });
    const hops = graph.nodes.map(({ name, hops: far }) => `${far} ${name}`);
    expect(hops).toEqual(['0 A', '1 C', '2 B']);
    expect(graph.edges).toHaveLength(2);
  });

  it('a path needs both its ends', async () => {
    const nothing = await expectError(told.client.knowledge.path({ query: {} as never }));
    expect(nothing.fields).toMatchObject({ from: { code: 'required' }, to: { code: 'required' } });
    const query = { from: 'Ana', to: absentId };
    expect((await expectError(told.client.knowledge.path({ query }))).fields).toMatchObject({
      from: { code: 'invalid_format' },
    });
  });

  it('a path to itself has no length', async () => {
    const found = await path('N3', 'N3');
    expect([found.length, found.edges, found.nodes.map(({ name }) => name)]).toEqual([
      0,
      [],
      ['N3'],
    ]);
  });

  it('no path within maxHops is 404 with details.code no_path', async () => {
    expect((await path('N0', 'N5')).length).toBe(5);
    expect((await path('N0', 'N10', { maxHops: 10 })).length).toBe(10);
    const without: [string, string, object][] = [
      ['N0', 'N6', {}],
      ['N0', 'N11', { maxHops: 10 }],
      ['N0', 'N2', { maxHops: 1 }],
      ['N0', 'Alone', { maxHops: 10 }],
      ['N0', 'Past', {}],
    ];
    for (const [from, to, query] of without) {
      expect(await expectError(path(from, to, query))).toMatchObject({
        status: 404,
        code: 'not_found',
        details: { code: 'no_path' },
      });
    }
    const from = await told.idOf('N0');
    const nobody = await expectError(told.client.knowledge.path({ query: { from, to: absentId } }));
    expect(nobody).toMatchObject({ status: 404, details: {} });
    for (const maxHops of [0, 11]) {
      expect((await expectError(path('N0', 'N1', { maxHops }))).fields).toMatchObject({
        maxHops: { code: 'invalid_range' },
      });
    }
  });
});
