import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../../support/service.ts';
import { absentId, expectError } from '../memories/memory-requests.ts';
import {
  dayMs,
  openScriptedAccount,
  type ScriptedExtraction,
  startScriptedExtraction,
} from './scripted-extraction.ts';

describe.each(engines)('an entity on %s', (engine) => {
  let stage: ScriptedExtraction;
  beforeAll(async () => {
    stage = await startScriptedExtraction(engine);
  });
  afterAll(() => stage.service.stop());

  it('is read with its relationships and facts, of which only active ones count', async () => {
    const { client, remember, idOf } = await openScriptedAccount(stage);
    const memory = await remember(
      'person:Ana works_at organization:Acme from 2020 to 2021; person:Ana uses product:Rust;' +
        'person:Ben reports_to person:Ana; person:Ana knows person:Cleo from 2999',
    );
    const id = await idOf('Ana');
    const said = { subject_id: id, predicate: 'birthday', object_value: '3 May' };
    await client.knowledge.createFact({ body: said });
    const read = await client.knowledge.get({ params: { id } });
    const { relationships, facts, entity, ...fields } = read;
    expect(fields).toMatchObject({ id, name: 'Ana', type: 'person', space_id: null });
    expect(fields).toMatchObject({ relationship_count: 2, fact_count: 3 });
    expect(entity).toEqual(fields);
    expect(read).not.toHaveProperty('merged_from');
    expect(relationships.map((one) => [one.direction, one.relationship_type]).toSorted()).toEqual([
      ['incoming', 'reports_to'],
      ['outgoing', 'uses'],
    ]);
    const rust = relationships.find(({ target_name }) => target_name === 'Rust');
    expect(rust).toMatchObject({ target_type: 'product', weight: 0.5, valid_to: null });
    expect(facts).toHaveLength(3);
    expect(facts.find(({ predicate }) => predicate === 'uses')).toMatchObject({
      subject_id: id,
      subject_name: 'Ana',
      object_value: 'Rust',
      statement: 'person:Ana uses product:Rust',
      confidence: 0.5,
      source_memory_ids: [memory.id],
      valid_from: null,
      valid_to: null,
      invalidated_at: null,
    });
  });

  it('is said the surer, the more memories say it', async () => {
    const { client, remember, idOf } = await openScriptedAccount(stage);
    const first = await remember('person:Ana uses product:Rust sure 0.5');
    const second = await remember('person:Ana uses product:Rust sure 0.8 ');
    const { facts } = await client.knowledge.facts({ params: { id: await idOf('Ana') } });
    expect(facts).toHaveLength(1);
    expect(facts[0]?.confidence).toBeCloseTo(0.9, 5);
    expect(facts[0]?.source_memory_ids).toEqual([first.id, second.id]);
  });

  it('lists relationships by direction and by the CLI session that speaks of them', async () => {
    const { client, remember, idOf } = await openScriptedAccount(stage);
    const session = await client.cliSessions.create({ body: { name: 'chat' } });
    await remember('person:Ana uses product:Rust', { session_id: session.id });
    await remember('person:Ben knows person:Ana');
    const params = { id: await idOf('Ana') };
    const listed = async (query: object) => {
      const answer = await client.knowledge.relationships({ params, query });
      expect(answer.total).toBe(answer.relationships.length);
      return answer.relationships.map(({ target_name }) => target_name).toSorted();
    };
    expect(await listed({})).toEqual(['Ben', 'Rust']);
    expect(await listed({ direction: 'both' })).toEqual(['Ben', 'Rust']);
    expect(await listed({ direction: 'outgoing' })).toEqual(['Rust']);
    expect(await listed({ direction: 'incoming' })).toEqual(['Ben']);
    expect(await listed({ session_id: session.id })).toEqual(['Rust']);
    expect(await listed({ session_id: session.id, direction: 'incoming' })).toEqual([]);
    const refused = await expectError(
      client.knowledge.relationships({ params, query: { direction: 'up' as never } }),
    );
    expect(refused.fields).toMatchObject({ direction: { code: 'invalid_enum_value' } });
  });

  it('lists 200 relationships where no limit is asked for, and the rest page by page', async () => {
    const { client, remember, idOf } = await openScriptedAccount(stage);
    const said = Array.from({ length: 210 }, (_, i) => `person:Ana knows person:P${i}`);
    await remember(said.join(';'));
    const params = { id: await idOf('Ana') };
    const first = await client.knowledge.relationships({ params });
    expect([first.relationships.length, first.total]).toEqual([200, 210]);
    const rest = await client.knowledge.relationships({ params, query: { offset: 200 } });
    const ids = [...first.relationships, ...rest.relationships].map(({ id }) => id);
    expect(new Set(ids).size).toBe(210);
    expect((await client.knowledge.get({ params })).relationship_count).toBe(210);
    for (const limit of [0, 201]) {
      const refused = await expectError(
        client.knowledge.relationships({ params, query: { limit } }),
      );
      expect(refused.fields).toMatchObject({ limit: { code: 'invalid_range' } });
    }
  });

  it('lists facts newest first, by predicate, by both times and page by page', async () => {
    const { client, remember, idOf, facts } = await openScriptedAccount(stage);
    await remember('person:Ana works_at organization:Acme from 2020');
    const before = stage.clock.now().toISOString();
    stage.clock.advance(dayMs);
    await remember('person:Ana works_at organization:Bolt from 2022; person:Ana uses skill:Go');
    const id = await idOf('Ana');
    const now = ['Ana works_at Acme 2020-01-01 – 2022-01-01', 'Ana works_at Bolt 2022-01-01 – …'];
    expect(await facts(id)).toEqual(['Ana uses Go … – …', ...now]);
    expect(await facts(id, { predicate: 'works_at' })).toEqual(now);
    expect(await facts(id, { as_of: '2021-01-01', predicate: 'works_at' })).toEqual([now[0]]);
    expect(await facts(id, { as_of: '2022-01-01', predicate: 'works_at' })).toEqual([now[1]]);
    expect(await facts(id, { known_at: before })).toEqual(['Ana works_at Acme 2020-01-01 – …']);
    expect(await facts(id, { known_at: before, as_of: '2019-01-01' })).toEqual([]);
    const page = await client.knowledge.facts({ params: { id }, query: { limit: 2, offset: 2 } });
    expect([page.entity_id, page.total, page.facts.length]).toEqual([id, 3, 1]);
    for (const limit of [0, 201]) {
      const refused = await expectError(
        client.knowledge.facts({ params: { id }, query: { limit } }),
      );
      expect(refused.fields).toMatchObject({ limit: { code: 'invalid_range' } });
    }
  });

  it('lists 50 facts where no limit is asked for', async () => {
    const { client, remember, idOf } = await openScriptedAccount(stage);
    const said = Array.from({ length: 60 }, (_, i) => `person:Ana knows person:P${i}`);
    await remember(said.join(';'));
    const params = { id: await idOf('Ana') };
    const { facts, total } = await client.knowledge.facts({ params });
    expect([facts.length, total]).toEqual([50, 60]);
  });

  it('has a timeline of all that became known of it, in order and page by page', async () => {
    const { client, remember, idOf } = await openScriptedAccount(stage);
    await remember('person:Ana works_at organization:Acme from 2020');
    stage.clock.advance(dayMs);
    await remember('person:Ana works_at organization:Bolt from 2022');
    stage.clock.advance(dayMs);
    const id = await idOf('Ana');
    const params = { id };
    await client.knowledge.update({ params, body: { name: 'Ana Ruiz' } });
    stage.clock.advance(dayMs);
    await remember('person:Anna');
    await client.knowledge.merge({ body: { source_id: await idOf('Anna'), target_id: id } });
    const { entity_id, entries, total } = await client.knowledge.timeline({ params });
    expect([entity_id, total]).toEqual([id, entries.length]);
    expect(entries.map(({ kind }) => kind)).toEqual([
      'entity_created',
      'fact_added',
      'fact_added',
      'fact_added',
      'fact_invalidated',
      'renamed',
      'merged',
    ]);
    expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).toSorted());
    expect(entries.find(({ kind }) => kind === 'fact_invalidated')).toMatchObject({
      detail: 'person:Ana works_at organization:Acme from 2020',
      fact: { object_value: 'Acme', valid_to: null, invalidated_at: entries[4]?.at },
    });
    expect(entries[5]?.detail).toBe('Ana → Ana Ruiz');
    expect(entries[6]?.detail).toContain('Anna');
    for (let offset = 0; offset <= total; offset += 2) {
      const page = await client.knowledge.timeline({ params, query: { limit: 2, offset } });
      const expected = entries.slice(offset, offset + 2);
      const pagination = { limit: 2, total, offset, has_more: offset + 2 < total };
      expect(page).toEqual({
        entity_id: id,
        entries: expected,
        total,
        data: expected,
        pagination: { ...pagination, next_cursor: null },
      });
    }
  });

  it('that there is not is 404 not_found everywhere', async () => {
    const { client } = await openScriptedAccount(stage);
    for (const id of [absentId, 'nonsense']) {
      const params = { id };
      const asked: (() => Promise<unknown>)[] = [
        () => client.knowledge.get({ params }),
        () => client.knowledge.timeline({ params }),
        () => client.knowledge.relationships({ params }),
        () => client.knowledge.facts({ params }),
        () => client.knowledge.update({ params, body: { name: 'x' } }),
        () => client.knowledge.removeFact({ params }),
        () => client.knowledge.subgraph({ params: { entityId: id } }),
      ];
      for (const call of asked) {
        expect(await expectError(call())).toMatchObject({ status: 404, code: 'not_found' });
      }
    }
  });
});
