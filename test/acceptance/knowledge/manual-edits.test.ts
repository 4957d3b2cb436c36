import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../../support/service.ts';
import { absentId, expectError } from '../memories/memory-requests.ts';
import {
  dayMs,
  describeFact,
  openScriptedAccount,
  type ScriptedExtraction,
  startScriptedExtraction,
} from './scripted-extraction.ts';

describe.each(engines)('knowledge by hand on %s', (engine) => {
  let stage: ScriptedExtraction;
  beforeAll(async () => {
    stage = await startScriptedExtraction(engine);
  });
  afterAll(() => stage.service.stop());

  it('an entity is made with aliases, and memories that name it find it', async () => {
    const { client, remember, names } = await openScriptedAccount(stage);
    const made = await client.knowledge.create({
      body: { name: 'Acme', type: 'organization', aliases: ['The Acme Company of Ohio', 'ACO'] },
    });
    expect(made).toMatchObject({
      name: 'Acme',
      type: 'organization',
      space_id: null,
      aliases: ['ACO', 'The Acme Company of Ohio'],
    });
    await remember('organization:ACO; organization:Acme_Corp.');
    expect(await names()).toEqual(['Acme']);
    const read = await client.knowledge.get({ params: { id: made.id } });
    expect(read).toMatchObject({ id: made.id, relationship_count: 0, fact_count: 0 });
  });

  it('an entity whose name is known in its space is 409 conflict, with its id', async () => {
    const { client, remember, idOf } = await openScriptedAccount(stage);
    await remember('organization:Acme');
    const { id: space_id } = await client.spaces.create({ body: { name: 'red' } });
    const body = { name: 'Acme Corp.', type: 'organization' } as const;
    const refused = await expectError(client.knowledge.create({ body }));
    expect(refused).toMatchObject({ status: 409, code: 'conflict' });
    expect(refused.details).toEqual({ entity_id: await idOf('Acme') });
    const alias = { ...body, name: 'Other', aliases: ['ACME'] };
    expect((await expectError(client.knowledge.create({ body: alias }))).code).toBe('conflict');
    await client.knowledge.create({ body: { ...body, type: 'product' } });
    expect(await client.knowledge.create({ body: { ...body, space_id } })).toMatchObject({
      space_id,
    });
    const nowhere = await expectError(
      client.knowledge.create({ body: { ...body, space_id: absentId } }),
    );
    expect(nowhere).toMatchObject({ status: 404, code: 'space_not_found' });
  });

  it('a new name stays when the memory is read again; the former one still finds it', async () => {
    const { client, remember, idOf, names } = await openScriptedAccount(stage);
    const memory = await remember('person:Ana');
    const params = { id: await idOf('Ana') };
    const renamed = await client.knowledge.update({ params, body: { name: 'Ana Ruiz' } });
    expect(renamed).toMatchObject({ name: 'Ana Ruiz', aliases: ['Ana'] });
    await client.memories.update({ params: { id: memory.id }, body: { content: 'person:Ana ;' } });
    await stage.extractAll();
    await remember('person:Ana ; person:Ben');
    expect(await names()).toEqual(['Ana Ruiz', 'Ben']);
  });

  it('aliases are replaced, and the type is corrected for good', async () => {
    const { client, remember, idOf, names } = await openScriptedAccount(stage);
    await remember('person:Mneme');
    const params = { id: await idOf('Mneme') };
    await client.knowledge.update({ params, body: { aliases: ['Nemo'] } });
    const again = await client.knowledge.update({ params, body: { aliases: ['Memo'] } });
    expect(again.aliases).toEqual(['Memo']);
    const typed = await client.knowledge.update({ params, body: { type: 'product' } });
    expect(typed).toMatchObject({ name: 'Mneme', type: 'product', aliases: ['Memo'] });
    await remember('person:Mneme ; product:Memo');
    expect(await names()).toEqual(['Mneme']);
    await remember('person:Ben');
    const other = { id: await idOf('Ben') };
    const taken = await expectError(
      client.knowledge.update({ params: other, body: { aliases: ['Mneme'] } }),
    );
    expect(taken).toMatchObject({ status: 409, details: { entity_id: params.id } });
  });

  it('a fact is said of an entity or a value, of just one of them', async () => {
    const { client, remember, idOf } = await openScriptedAccount(stage);
    await remember('person:Ana; organization:Acme');
    const [subject_id, object_id] = [await idOf('Ana'), await idOf('Acme')];
    const said = { subject_id, predicate: 'founded' };
    const made = await client.knowledge.createFact({ body: { ...said, object_id } });
    expect(made).toMatchObject({
      ...said,
      object_id,
      subject_name: 'Ana',
      object_value: 'Acme',
      statement: 'Ana founded Acme',
      confidence: 1,
      source_memory_ids: [],
      recorded_at: stage.clock.now().toISOString(),
      invalidated_at: null,
    });
    const valued = await client.knowledge.createFact({
      body: { ...said, object_value: 'a club', confidence: 0.5, statement: 'Ana made a club.' },
    });
    expect(valued).toMatchObject({ object_id: null, object_value: 'a club', confidence: 0.5 });
    const faults = async (body: object) =>
      (await expectError(client.knowledge.createFact({ body: { ...said, ...body } }))).fields;
    expect(await faults({})).toMatchObject({ object_id: { code: 'required' } });
    expect(await faults({ object_id, object_value: 'x' })).toMatchObject({
      object_value: { code: 'invalid_range' },
    });
    expect(await faults({ object_id: subject_id })).toMatchObject({
      object_id: { code: 'invalid_range' },
    });
    const backwards = { object_id, valid_from: '2025-01-01', valid_to: '2025-01-01' };
    expect(await faults(backwards)).toMatchObject({ valid_to: { code: 'invalid_range' } });
    expect(await faults({ object_id, predicate: 'Works At' })).toMatchObject({
      predicate: { code: 'invalid_format' },
    });
    const nobody = await expectError(
      client.knowledge.createFact({ body: { ...said, object_id: absentId } }),
    );
    expect(nobody).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('a fact of a memory comes and goes with it, and stands when its text changes', async () => {
    const { client, remember, idOf, facts } = await openScriptedAccount(stage);
    await remember('person:Ana works_at organization:Acme from 2020; organization:Bolt');
    const memory = await remember('a letter', { occurred_at: '2024-06-01' });
    const params = { id: memory.id };
    const id = await idOf('Ana');
    const said = { subject_id: id, predicate: 'works_at', object_id: await idOf('Bolt') };
    const body = { ...said, source_memory_id: memory.id };
    const made = await client.knowledge.createFact({ body });
    expect(made.source_memory_ids).toEqual([memory.id]);
    const moved = ['Ana works_at Acme 2020-01-01 – 2024-06-01', 'Ana works_at Bolt 2024-06-01 – …'];
    expect(await facts(id)).toEqual(moved);
    await client.memories.update({ params, body: { content: 'person:Ana likes tea' } });
    await stage.extractAll();
    expect(await facts(id)).toEqual(moved);
    stage.clock.advance(dayMs);
    await client.memories.remove({ params, query: { soft: true } });
    await stage.extractAll();
    const stayed = ['Ana works_at Acme 2020-01-01 – …'];
    expect(await facts(id)).toEqual(stayed);
    stage.clock.advance(dayMs);
    await client.memories.restore({ params });
    await stage.extractAll();
    expect(await facts(id)).toEqual(moved);
    await client.knowledge.extract({ body: { memory_id: memory.id } });
    expect(await facts(id)).toEqual(moved);
    await client.memories.remove({ params });
    expect(await facts(id)).toEqual(stayed);
    expect(await expectError(client.knowledge.createFact({ body }))).toMatchObject({
      status: 404,
      code: 'memory_not_found',
    });
  });

  it('a fact of a memory needs one that is active and of the same space', async () => {
    const { client, remember, idOf } = await openScriptedAccount(stage);
    const { id: space_id } = await client.spaces.create({ body: { name: 'red' } });
    const memory = await remember('person:Ana');
    const elsewhere = await remember('person:Ana', { space_id });
    const said = { subject_id: await idOf('Ana', { space_id: 'null' }), predicate: 'likes' };
    const create = (source_memory_id: string, key?: string) =>
      expectError(
        (key ? stage.service.client(key) : client).knowledge.createFact({
          body: { ...said, object_value: 'tea', source_memory_id },
        }),
      );
    expect(await create(elsewhere.id)).toMatchObject({ status: 409, code: 'conflict' });
    const { key } = await client.keys.create({ body: { name: 'l', space_ids: ['default'] } });
    expect(await create(elsewhere.id, key)).toMatchObject({ code: 'space_access_denied' });
    await client.memories.remove({ params: { id: memory.id }, query: { soft: true } });
    expect(await create(memory.id)).toMatchObject({ status: 409, code: 'conflict' });
    expect((await create('nonsense')).fields).toMatchObject({
      source_memory_id: { code: 'invalid_format' },
    });
  });

  it('a fact of a memory that was taken back stays so when the memory returns', async () => {
    const { client, remember, idOf, facts } = await openScriptedAccount(stage);
    const memory = await remember('person:Ana; person:Ann');
    const [id, target_id] = [await idOf('Ana'), await idOf('Ann')];
    const said = { predicate: 'likes', source_memory_id: memory.id };
    const tea = await client.knowledge.createFact({
      body: { ...said, subject_id: id, object_value: 'tea' },
    });
    await client.knowledge.createFact({ body: { ...said, subject_id: id, object_value: 'ink' } });
    await client.knowledge.removeFact({ params: { id: tea.id } });
    await client.memories.remove({ params: { id: memory.id }, query: { soft: true } });
    await stage.extractAll();
    await client.knowledge.createFact({
      body: { subject_id: target_id, predicate: 'likes', object_value: 'rain' },
    });
    await client.knowledge.merge({ body: { source_id: id, target_id } });
    await client.memories.restore({ params: { id: memory.id } });
    await stage.extractAll();
    expect(await facts(target_id)).toEqual(['Ann likes ink … – …', 'Ann likes rain … – …']);
  });

  it('a fact between two spaces is 409 conflict', async () => {
    const { client, remember, idOf } = await openScriptedAccount(stage);
    const { id: space_id } = await client.spaces.create({ body: { name: 'red' } });
    await remember('person:Ana');
    await remember('organization:Acme', { space_id });
    const body = {
      subject_id: await idOf('Ana'),
      predicate: 'works_at',
      object_id: await idOf('Acme'),
    };
    expect(await expectError(client.knowledge.createFact({ body }))).toMatchObject({
      status: 409,
      code: 'conflict',
    });
  });

  it('a fact of one at a time closes the one before, which is recorded anew', async () => {
    const { client, remember, idOf, facts } = await openScriptedAccount(stage);
    await remember('person:Ana works_at organization:Acme from 2020; organization:Bolt');
    const id = await idOf('Ana');
    const known_at = stage.clock.now().toISOString();
    stage.clock.advance(dayMs);
    const body = { subject_id: id, predicate: 'works_at', object_id: await idOf('Bolt') };
    await client.knowledge.createFact({ body: { ...body, valid_from: '2024-06-01' } });
    expect(await facts(id)).toEqual([
      'Ana works_at Acme 2020-01-01 – 2024-06-01',
      'Ana works_at Bolt 2024-06-01 – …',
    ]);
    expect(await facts(id, { known_at })).toEqual(['Ana works_at Acme 2020-01-01 – …']);
  });

  it('a correction takes the place of a fact, which stays in the history', async () => {
    const { client, remember, idOf, facts } = await openScriptedAccount(stage);
    await remember('person:Ana uses product:Rust');
    const id = await idOf('Ana');
    const known_at = stage.clock.now().toISOString();
    const { facts: before } = await client.knowledge.facts({ params: { id } });
    stage.clock.advance(dayMs);
    const body = { subject_id: id, predicate: 'uses', object_value: 'Zig' };
    const corrects = before[0]?.id ?? '';
    const made = await client.knowledge.createFact({ body: { ...body, corrects } });
    expect(describeFact(made)).toBe('Ana uses Zig … – …');
    expect(await facts(id)).toEqual(['Ana uses Zig … – …']);
    expect(await facts(id, { known_at })).toEqual(['Ana uses Rust … – …']);
    const again = await expectError(client.knowledge.createFact({ body: { ...body, corrects } }));
    expect(again).toMatchObject({ status: 409, code: 'conflict' });
    const absent = { ...body, corrects: absentId };
    expect((await expectError(client.knowledge.createFact({ body: absent }))).status).toBe(404);
  });

  it('a fact taken back is not said again by the same words, nor after a merge', async () => {
    const { client, remember, idOf, facts, kinds } = await openScriptedAccount(stage);
    const memory = await remember('person:Ana uses product:Rust; person:Ann');
    const id = await idOf('Ana');
    const known_at = stage.clock.now().toISOString();
    const { facts: before } = await client.knowledge.facts({ params: { id } });
    const params = { id: before[0]?.id ?? '' };
    stage.clock.advance(dayMs);
    const removed = await client.knowledge.removeFact({ params });
    expect(removed).toMatchObject({ ...params, invalidated_at: stage.clock.now().toISOString() });
    expect(await expectError(client.knowledge.removeFact({ params }))).toMatchObject({
      status: 409,
    });
    const readAgain = async (content: string) => {
      await client.memories.update({ params: { id: memory.id }, body: { content } });
      await stage.extractAll();
      return facts(id);
    };
    expect(await facts(id)).toEqual([]);
    expect(await readAgain('person:Ana uses product:Rust; person:Ann ')).toEqual([]);
    expect(await readAgain('person:Ana')).toEqual([]);
    expect(await readAgain('person:Ana uses product:Rust; person:Ann')).toEqual([]);
    await client.knowledge.extract({ body: { memory_id: memory.id } });
    expect(await facts(id)).toEqual([]);
    expect(await facts(id, { known_at })).toEqual(['Ana uses Rust … – …']);
    expect(await kinds(id)).toEqual(['entity_created', 'fact_added', 'fact_invalidated']);
    stage.clock.advance(dayMs);
    const target_id = await idOf('Ann');
    await client.knowledge.merge({ body: { source_id: id, target_id } });
    expect(await readAgain('person:Ana uses product:Rust; person:Ann ;')).toEqual([]);
    await remember('person:Ana uses product:Rust');
    expect(await facts(target_id)).toEqual(['Ann uses Rust … – …']);
  });

  it('a memory is read on request, with who read it and how sure', async () => {
    const { client, idOf, facts } = await openScriptedAccount(stage);
    const { id: memory_id } = await client.memories.create({
      body: { content: 'person:Ana uses product:Rust' },
    });
    const extracted = await client.knowledge.extract({ body: { memory_id } });
    expect(extracted).toMatchObject({ memory_id, model: 'scripted' });
    expect(extracted.entities.map(({ name, confidence }) => [name, confidence]).toSorted()).toEqual(
      [
        ['Ana', 0.9],
        ['Rust', 0.9],
      ],
    );
    expect(extracted.facts.map(describeFact)).toEqual(['Ana uses Rust … – …']);
    await stage.extractAll();
    expect(await facts(await idOf('Ana'))).toEqual(['Ana uses Rust … – …']);
    await client.memories.remove({ params: { id: memory_id }, query: { soft: true } });
    expect(await expectError(client.knowledge.extract({ body: { memory_id } }))).toMatchObject({
      status: 409,
      code: 'conflict',
    });
    await client.memories.remove({ params: { id: memory_id } });
    expect(await expectError(client.knowledge.extract({ body: { memory_id } }))).toMatchObject({
      status: 404,
      code: 'memory_not_found',
    });
  });
});
