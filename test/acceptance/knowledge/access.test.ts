import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../../support/service.ts';
import { expectError, listEvents } from '../memories/memory-requests.ts';
import {
  openScriptedAccount,
  type ScriptedAccount,
  type ScriptedExtraction,
  startScriptedExtraction,
} from './scripted-extraction.ts';

interface Ends {
  readonly subject: string;
  readonly object: string;
  readonly fact: string;
  readonly memory: string;
}

/** Everything that reaches an entity or a fact by its id. */
const reaching = (client: Client, { subject, object, fact, memory }: Ends) => {
  const params = { id: subject };
  const entityId = subject;
  const said = { subject_id: subject, predicate: 'uses', object_value: 'x' };
  return [
    () => client.knowledge.get({ params }),
    () => client.knowledge.timeline({ params }),
    () => client.knowledge.relationships({ params }),
    () => client.knowledge.facts({ params }),
    () => client.knowledge.subgraph({ params: { entityId } }),
    () => client.knowledge.path({ query: { from: subject, to: object } }),
    () => client.knowledge.update({ params, body: { name: 'Mine' } }),
    () => client.knowledge.createFact({ body: said }),
    () => client.knowledge.removeFact({ params: { id: fact } }),
    () => client.knowledge.merge({ body: { source_id: subject, target_id: object, force: true } }),
    () => client.knowledge.extract({ body: { memory_id: memory } }),
  ];
};

describe.each(engines)('who may read and write knowledge on %s', (engine) => {
  let stage: ScriptedExtraction;
  let told: ScriptedAccount;
  let ends: Ends;
  let red: string;
  beforeAll(async () => {
    stage = await startScriptedExtraction(engine);
    told = await openScriptedAccount(stage);
    red = (await told.client.spaces.create({ body: { name: 'red' } })).id;
    const memory = await told.remember('person:Ana works_at organization:Acme');
    await told.remember('person:Ben works_at organization:Acme', { space_id: red });
    const [subject, object] = [
      await told.idOf('Ana'),
      await told.idOf('Acme', { space_id: 'null' }),
    ];
    const { facts } = await told.client.knowledge.facts({ params: { id: subject } });
    ends = { subject, object, fact: facts[0]?.id ?? '', memory: memory.id };
  });
  afterAll(() => stage.service.stop());

  const keyWith = async (body: object): Promise<Client> => {
    const { key } = await told.client.keys.create({ body: { name: 'limited', ...body } });
    return stage.service.client(key);
  };

  it('another account is told that there is nothing: 404', async () => {
    const { client } = await stage.service.createAccount();
    for (const call of reaching(client, ends)) {
      expect(await expectError(call())).toMatchObject({ status: 404 });
    }
    expect((await client.knowledge.entities()).total).toBe(0);
    expect((await client.knowledge.atTime()).total).toBe(0);
    const query = { countable_category: 'people' };
    expect((await client.knowledge.count({ query })).count).toBe(0);
  });

  it('a key limited to a space is refused what lies in others: 403', async () => {
    const client = await keyWith({ space_ids: [red] });
    for (const call of reaching(client, ends)) {
      expect(await expectError(call())).toMatchObject({ status: 403, code: 'space_access_denied' });
    }
    for (const space_id of ['null', 'default']) {
      const refused = await expectError(client.knowledge.entities({ query: { space_id } }));
      expect(refused).toMatchObject({ status: 403, code: 'space_access_denied' });
    }
    const made = client.knowledge.create({ body: { name: 'X', type: 'person' } });
    expect(await expectError(made)).toMatchObject({ status: 403, code: 'space_access_denied' });
  });

  it('a key limited to a space sees in lists what lies there, and no other number', async () => {
    const client = await keyWith({ space_ids: [red] });
    const { entities, total } = await client.knowledge.entities();
    expect([entities.map(({ name }) => name), total]).toEqual([['Acme', 'Ben'], 2]);
    expect((await client.knowledge.atTime()).total).toBe(2);
    const query = { countable_category: 'people' };
    expect((await client.knowledge.count({ query })).count).toBe(1);
    const acme = entities[0]?.id ?? '';
    const { facts } = await client.knowledge.facts({ params: { id: acme } });
    expect(facts.map(({ subject_name }) => subject_name)).toEqual(['Ben']);
    const graph = await client.knowledge.subgraph({ params: { entityId: acme } });
    expect(graph.nodes.map(({ name }) => name)).toEqual(['Acme', 'Ben']);
    const unknown = { space_id: ends.memory };
    expect(await expectError(told.client.knowledge.entities({ query: unknown }))).toMatchObject({
      status: 404,
      code: 'space_not_found',
    });
  });

  it('reading takes knowledge:read, writing knowledge:write', async () => {
    const reader = await keyWith({ scopes: ['knowledge:read'] });
    const writer = await keyWith({ scopes: ['knowledge:write'] });
    const reads = reaching(reader, ends).slice(0, 6);
    for (const call of reads) await call();
    const refused = [...reaching(reader, ends).slice(6), ...reaching(writer, ends).slice(0, 6)];
    for (const call of refused) {
      expect(await expectError(call())).toMatchObject({
        status: 403,
        code: 'insufficient_permissions',
      });
    }
    const made = await writer.knowledge.create({ body: { name: 'Cleo', type: 'person' } });
    expect(made.name).toBe('Cleo');
  });

  it('each memory that speaks of somebody is told of in its space, once a reading', async () => {
    const { client, remember, idOf } = await openScriptedAccount(stage);
    const { id: space_id } = await client.spaces.create({ body: { name: 'red' } });
    const memory = await remember('person:Ana works_at organization:Acme', { space_id });
    await remember('nobody');
    const events = await listEvents(client, 'entity.extracted');
    expect(events).toMatchObject([{ space_id, data: { memory_id: memory.id } }]);
    const entities = events[0]?.data.entities as { id: string }[];
    expect(entities.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))).toEqual(
      [
        { id: await idOf('Ana'), name: 'Ana', type: 'person' },
        { id: await idOf('Acme'), name: 'Acme', type: 'organization' },
      ].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
    await client.memories.update({ params: { id: memory.id }, body: { priority: 3 } });
    await stage.extractAll();
    expect(await listEvents(client, 'entity.extracted')).toHaveLength(1);
    await client.memories.update({ params: { id: memory.id }, body: { content: 'person:Ana' } });
    await stage.extractAll();
    expect(await listEvents(client, 'entity.extracted')).toHaveLength(2);
    const limited = await client.keys.create({ body: { name: 'l', space_ids: ['default'] } });
    expect(await listEvents(stage.service.client(limited.key), 'entity.extracted')).toEqual([]);
  });
});
