import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../../support/service.ts';
import { expectError } from '../memories/memory-requests.ts';
import {
  day,
  describeFact,
  openScriptedAccount,
  type ScriptedExtraction,
  startScriptedExtraction,
} from './scripted-extraction.ts';

describe.each(engines)('the graph of a token of one user on %s', (engine) => {
  let stage: ScriptedExtraction;
  beforeAll(async () => {
    stage = await startScriptedExtraction(engine);
  });
  afterAll(() => stage.service.stop());

  /** An account with tokens of Ana and of Ben. */
  const openUsers = async () => {
    const told = await openScriptedAccount(stage);
    const tokenOf = async (user_id: string): Promise<Client> => {
      const { token } = await told.client.auth.createToken({ body: { user_id } });
      return stage.service.client(token);
    };
    const [ana, ben] = [await tokenOf('ana'), await tokenOf('ben')];
    const says =
      (user_id: string) =>
      (content: string, fields: object = {}) =>
        told.remember(content, { user_id, ...fields });
    return { ...told, ana, ben, anaSays: says('ana'), benSays: says('ben') };
  };
  const factsOf = async (client: Client, id: string, query: object = {}): Promise<string[]> => {
    const { facts } = await client.knowledge.facts({ params: { id }, query });
    return facts.map(describeFact).toSorted();
  };
  const namesOf = async (client: Client): Promise<string[]> =>
    (await client.knowledge.entities()).entities.map(({ name }) => name);

  it("has only entities that the user's memories mention, in lists and counts", async () => {
    const { ana, client, idOf, anaSays, benSays } = await openUsers();
    await benSays('person:Ben works_at organization:Zeus');
    await anaSays('person:Ana works_at organization:Acme');
    await client.knowledge.create({ body: { name: 'Manual', type: 'person' } });
    const listed = await ana.knowledge.entities();
    expect([await namesOf(ana), listed.total]).toEqual([['Acme', 'Ana'], 2]);
    expect((await ana.knowledge.entities({ query: { q: 'zeus' } })).total).toBe(0);
    for (const [countable_category, count] of [
      ['people', 1],
      ['organizations', 1],
      ['zeus', 0],
    ] as const) {
      const query = { countable_category };
      expect((await ana.knowledge.count({ query })).count, countable_category).toBe(count);
    }
    const at = await ana.knowledge.atTime({ query: { as_of: day(1), known_at: day(1) } });
    expect([at.entities.map(({ name }) => name), at.total]).toEqual([['Acme', 'Ana'], 2]);
    const [ben, acme] = [await idOf('Ben'), await idOf('Acme')];
    const params = { id: ben };
    const hidden: (() => Promise<unknown>)[] = [
      () => ana.knowledge.get({ params }),
      () => ana.knowledge.facts({ params }),
      () => ana.knowledge.timeline({ params }),
      () => ana.knowledge.relationships({ params }),
      () => ana.knowledge.subgraph({ params: { entityId: ben } }),
      () => ana.knowledge.path({ query: { from: acme, to: ben } }),
      () => ana.knowledge.path({ query: { from: ben, to: acme } }),
    ];
    for (const call of hidden) {
      expect(await expectError(call())).toMatchObject({ status: 404, code: 'not_found' });
    }
  });

  it('shows names and times as its own memories give them', async () => {
    const { ana, idOf, anaSays, benSays } = await openUsers();
    await benSays('organization:Acme_Corp. uses product:Hammer');
    stage.clock.advance(60_000);
    await anaSays('person:Ana works_at organization:ACME');
    const id = await idOf('Acme Corp.');
    const detail = await ana.knowledge.get({ params: { id } });
    const first = stage.clock.now().toISOString();
    expect(detail).toMatchObject({ name: 'ACME', aliases: [], fact_count: 1 });
    expect([detail.created_at, detail.updated_at]).toEqual([first, first]);
    expect(JSON.stringify(detail)).not.toMatch(/Acme Corp|Hammer/);
    expect(await namesOf(ana)).toEqual(['ACME', 'Ana']);
    expect((await ana.knowledge.entities({ query: { q: 'corp' } })).total).toBe(0);
    await anaSays('organization:The_Acme');
    const again = await ana.knowledge.get({ params: { id } });
    expect(again).toMatchObject({ name: 'ACME', aliases: ['The Acme'] });
  });

  it("derives facts from the user's memories alone: confidence, end and sources", async () => {
    const { ana, client, idOf, anaSays, benSays } = await openUsers();
    const own = await anaSays('person:Mia works_at organization:Acme from 2020');
    await benSays('person:Mia works_at organization:Zeus from 2024');
    await benSays('person:Mia works_at organization:Acme from 2020 sure 0.9');
    const id = await idOf('Mia');
    expect(await factsOf(client, id, { as_of: day(0) })).toEqual([
      'Mia works_at Zeus 2024-01-01 – …',
    ]);
    const { facts, total } = await ana.knowledge.facts({ params: { id } });
    expect([facts.map(describeFact), total]).toEqual([['Mia works_at Acme 2020-01-01 – …'], 1]);
    expect(facts[0]).toMatchObject({ confidence: 0.5, source_memory_ids: [own.id] });
    const stored = await client.knowledge.facts({ params: { id }, query: { known_at: day(1) } });
    expect(stored.facts.map((fact) => fact.id)).not.toContain(facts[0]?.id);
    const { entries } = await ana.knowledge.timeline({ params: { id } });
    expect(entries.map(({ kind }) => kind)).toEqual(['entity_created', 'fact_added']);
    const { relationships } = await ana.knowledge.relationships({ params: { id } });
    expect(relationships).toMatchObject([{ target_name: 'Acme', weight: 0.5 }]);
  });

  it('has the past of its own memories: known_at before and after a change', async () => {
    const { ana, client, idOf, anaSays, benSays } = await openUsers();
    await benSays('person:Mia works_at organization:Zeus');
    stage.clock.advance(60_000);
    await anaSays('organization:Acme ; organization:Globex');
    const memory = await anaSays('person:Mia works_at organization:Acme');
    const before = stage.clock.now().toISOString();
    stage.clock.advance(60_000);
    const body = { content: 'person:Mia works_at organization:Globex' };
    await client.memories.update({ params: { id: memory.id }, body });
    await stage.extractAll();
    const id = await idOf('Mia');
    expect(await factsOf(ana, id, { known_at: before })).toEqual(['Mia works_at Acme … – …']);
    expect(await factsOf(ana, id)).toEqual(['Mia works_at Globex … – …']);
    const early = new Date(Date.parse(before) - 60_000).toISOString();
    expect(await factsOf(ana, id, { known_at: early })).toEqual([]);
    const query = { known_at: early, as_of: early };
    expect(await ana.knowledge.atTime({ query })).toMatchObject({ entities: [], total: 0 });
  });

  it("never leads through a fact that another user's memory states", async () => {
    const { ana, idOf, anaSays, benSays } = await openUsers();
    await anaSays('person:Ana knows person:Bob');
    await anaSays('person:Cleo knows person:Dan');
    await benSays('person:Bob knows person:Cleo');
    const [from, to] = [await idOf('Ana'), await idOf('Dan')];
    const refused = await expectError(ana.knowledge.path({ query: { from, to } }));
    expect(refused).toMatchObject({ status: 404, details: { code: 'no_path' } });
    const subgraph = () => ana.knowledge.subgraph({ params: { entityId: from } });
    expect((await subgraph()).nodes.map(({ name }) => name)).toEqual(['Ana', 'Bob']);
    await anaSays('person:Bob collaborates_with person:Cleo');
    const path = await ana.knowledge.path({ query: { from, to } });
    expect(path.nodes.map(({ name }) => name)).toEqual(['Ana', 'Bob', 'Cleo', 'Dan']);
    expect(path.edges.map((edge) => edge.relationship_type)).toEqual([
      'knows',
      'collaborates_with',
      'knows',
    ]);
    const { nodes, edges, truncated } = await subgraph();
    expect(nodes.map(({ name, hops }) => [name, hops])).toContainEqual(['Cleo', 2]);
    expect(edges.map((edge) => edge.relationship_type)).toContain('collaborates_with');
    expect(truncated).toBe(false);
  });

  it('learns no name from a merge, and no id of what was merged', async () => {
    const { ana, ben, client, idOf, anaSays, benSays } = await openUsers();
    await anaSays('person:Ana works_at organization:Acme');
    await benSays('person:Ben works_at organization:Zeus');
    await benSays('person:Ben knows person:Dan');
    const ids = {
      acme: await idOf('Acme'),
      zeus: await idOf('Zeus'),
      ana: await idOf('Ana'),
      dan: await idOf('Dan'),
    };
    await client.knowledge.merge({ body: { source_id: ids.acme, target_id: ids.zeus } });
    await client.knowledge.merge({ body: { source_id: ids.dan, target_id: ids.ana } });
    const acme = await ana.knowledge.get({ params: { id: ids.acme } });
    expect(acme).toMatchObject({ id: ids.zeus, name: 'Acme', aliases: [], fact_count: 1 });
    expect(await factsOf(ana, ids.acme)).toEqual(['Ana works_at Acme … – …']);
    expect(JSON.stringify(await ana.knowledge.timeline({ params: { id: ids.zeus } }))).not.toMatch(
      /Zeus|Ben|merged/,
    );
    const own = await ana.knowledge.get({ params: { id: ids.ana } });
    expect(JSON.stringify(own)).not.toMatch(/Dan|Ben|Zeus/);
    const params = { id: ids.dan };
    expect(await expectError(ana.knowledge.get({ params }))).toMatchObject({ status: 404 });
    expect(await ben.knowledge.get({ params })).toMatchObject({ name: 'Dan', id: ids.ana });
    expect(await namesOf(ben)).toEqual(['Ben', 'Dan', 'Zeus']);
  });

  it('forgets with its memories: deleted, expired and erased ones, and other users', async () => {
    const { ana, ben, client, idOf, anaSays, benSays } = await openUsers();
    await benSays('person:Mia works_at organization:Zeus');
    const one = await anaSays('person:Mia works_at organization:Acme');
    const expires_at = new Date(stage.clock.now().getTime() + 60_000).toISOString();
    await anaSays('person:Nia works_at organization:Acme', { expires_at });
    const mia = await idOf('Mia');
    expect(await namesOf(ana)).toEqual(['Acme', 'Mia', 'Nia']);
    stage.clock.advance(61_000);
    expect(await namesOf(ana)).toEqual(['Acme', 'Mia']);
    await ana.memories.remove({ params: { id: one.id }, query: { soft: true } });
    await stage.extractAll();
    expect(await namesOf(ana)).toEqual([]);
    const hidden = await expectError(ana.knowledge.facts({ params: { id: mia } }));
    expect(hidden).toMatchObject({ status: 404 });
    await ana.memories.restore({ params: { id: one.id } });
    await stage.extractAll();
    expect(await factsOf(ana, mia)).toEqual(['Mia works_at Acme … – …']);
    const { data } = await client.memories.list({ query: { user_id: 'ana' } });
    for (const { id } of data) await client.memories.remove({ params: { id } });
    expect(await namesOf(ana)).toEqual([]);
    expect(await factsOf(ben, mia)).toEqual(['Mia works_at Zeus … – …']);
  });

  it('shows a manual fact of its memory in its own words, and no other manual one', async () => {
    const { ana, client, idOf, anaSays, benSays } = await openUsers();
    await benSays('organization:Acme_Corp.');
    const own = await anaSays('person:Ana ; organization:ACME');
    const zeus = await benSays('organization:Zeus');
    const [subject_id, acme, other] = [await idOf('Ana'), await idOf('Acme Corp.'), zeus];
    const fact = { subject_id, predicate: 'uses', source_memory_id: own.id };
    const create = (body: object) =>
      client.knowledge.createFact({ body: { subject_id, predicate: 'uses', ...body } });
    await create({ ...fact, object_id: acme });
    await create({ ...fact, object_id: await idOf('Zeus') });
    await create({ object_value: 'of nobody' });
    await create({ object_value: 'of Ben', source_memory_id: other.id });
    const { facts, total } = await ana.knowledge.facts({ params: { id: subject_id } });
    expect([facts.map(({ statement }) => statement), total]).toEqual([['Ana uses ACME'], 1]);
  });

  it('keeps a corrected name, also where no text uses it', async () => {
    const { ana, client, idOf, anaSays } = await openUsers();
    await anaSays('organization:Acmee');
    const params = { id: await idOf('Acmee') };
    await client.knowledge.update({ params, body: { name: 'Acme', aliases: [] } });
    expect(await ana.knowledge.get({ params })).toMatchObject({ name: 'Acme', aliases: [] });
  });

  it("extracts a memory of its user, and no other user's", async () => {
    const { ana, idOf, anaSays, benSays } = await openUsers();
    const other = await benSays('organization:Acme_Corp. uses product:Hammer');
    const { id: memory_id } = await anaSays('person:Ana works_at organization:ACME');
    const body = { memory_id };
    const extracted = await ana.knowledge.extract({ body });
    expect(extracted.entities.map(({ name }) => name).toSorted()).toEqual(['ACME', 'Ana']);
    expect(extracted.facts.map(describeFact)).toEqual(['Ana works_at ACME … – …']);
    const id = await idOf('Acme Corp.');
    expect(extracted.facts).toEqual((await ana.knowledge.facts({ params: { id } })).facts);
    const refused = () => ana.knowledge.extract({ body: { memory_id: other.id } });
    const unknown = { status: 404, code: 'memory_not_found' };
    expect(await expectError(refused())).toMatchObject(unknown);
  });

  it('keeps to the spaces of its key', async () => {
    const { client, anaSays, idOf } = await openUsers();
    const space = await client.spaces.create({ body: { name: 'red' } });
    await anaSays('person:Ana works_at organization:Acme');
    await anaSays('person:Mia works_at organization:Acme', { space_id: space.id });
    const { key } = await client.keys.create({ body: { name: 'red', space_ids: [space.id] } });
    const { token } = await stage.service
      .client(key)
      .auth.createToken({ body: { user_id: 'ana' } });
    const red = stage.service.client(token);
    expect(await namesOf(red)).toEqual(['Acme', 'Mia']);
    const params = { id: await idOf('Ana') };
    expect(await expectError(red.knowledge.get({ params }))).toMatchObject({ status: 404 });
  });

  it('is what a key reads with the owner as filter; a token names no other user', async () => {
    const { ana, client, idOf, anaSays, benSays } = await openUsers();
    await anaSays('person:Ana works_at organization:Acme', { agent_id: 'a', run_id: 'r' });
    await benSays('person:Ben works_at organization:Acme');
    const id = await idOf('Acme');
    const params = { id };
    for (const owner of [{ user_id: 'ana' }, { agent_id: 'a' }, { run_id: 'r' }]) {
      const category = { countable_category: 'people' };
      expect((await client.knowledge.entities({ query: owner })).total).toBe(2);
      expect((await client.knowledge.atTime({ query: owner })).total).toBe(2);
      expect(await client.knowledge.count({ query: { ...category, ...owner } })).toMatchObject({
        count: 1,
      });
      expect(await factsOf(client, id, owner)).toEqual(['Ana works_at Acme … – …']);
      const query = owner;
      expect(await client.knowledge.relationships({ params, query })).toMatchObject({ total: 1 });
      expect(await client.knowledge.timeline({ params, query })).toMatchObject({ total: 2 });
      const { nodes } = await client.knowledge.subgraph({ params: { entityId: id }, query });
      expect(nodes.map(({ name }) => name)).toEqual(['Acme', 'Ana']);
    }
    const ends = { from: await idOf('Ana'), to: await idOf('Ben') };
    expect(await client.knowledge.path({ query: ends })).toMatchObject({ length: 2 });
    const query = { user_id: 'ben' };
    const refused: (() => Promise<unknown>)[] = [
      () => client.knowledge.path({ query: { ...ends, user_id: 'ana' } }),
      () => ana.knowledge.entities({ query }),
      () => ana.knowledge.facts({ params, query }),
      () => ana.knowledge.subgraph({ params: { entityId: id }, query }),
    ];
    const codes: unknown[] = [];
    for (const call of refused) codes.push((await expectError(call())).code);
    const denied = 'user_access_denied';
    expect(codes).toEqual(['not_found', denied, denied, denied]);
  });
});
