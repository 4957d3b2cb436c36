import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../../support/service.ts';
import { expectError } from '../memories/memory-requests.ts';
import {
  day,
  dayMs,
  openScriptedAccount,
  type ScriptedExtraction,
  startScriptedExtraction,
} from './scripted-extraction.ts';

describe.each(engines)('entities that were told of on %s', (engine) => {
  let stage: ScriptedExtraction;
  beforeAll(async () => {
    stage = await startScriptedExtraction(engine);
  });
  afterAll(() => stage.service.stop());

  it('are listed by name, page by page, each with id, name, type and time', async () => {
    const { client, remember } = await openScriptedAccount(stage);
    await remember('person:Cleo; person:ana; organization:Acme; person:Ben');
    const all = await client.knowledge.entities();
    expect(all).toMatchObject({ total: 4, limit: 100, offset: 0, has_more: false });
    expect(all.entities.map(({ name }) => name)).toEqual(['Acme', 'ana', 'Ben', 'Cleo']);
    expect(Object.keys(all.entities[0] ?? {})).toEqual(['id', 'name', 'type', 'created_at']);
    const page = await client.knowledge.entities({ query: { limit: 2, offset: 1 } });
    expect(page).toMatchObject({ total: 4, limit: 2, offset: 1, has_more: true });
    expect(page.entities).toEqual(all.entities.slice(1, 3));
    const last = await client.knowledge.entities({ query: { limit: 2, offset: 2 } });
    expect(last.has_more).toBe(false);
  });

  it('are listed by space, type and a part of a name or alias', async () => {
    const { client, remember, names } = await openScriptedAccount(stage);
    const { id: space_id } = await client.spaces.create({ body: { name: 'red' } });
    await remember('person:Ana_Ruiz; organization:Acme');
    await remember('person:Ana_Ruiz; person:Ben', { space_id });
    expect(await names({ space_id })).toEqual(['Ana Ruiz', 'Ben']);
    expect(await names({ space_id: 'null' })).toEqual(['Acme', 'Ana Ruiz']);
    expect(await names({ type: 'person' })).toEqual(['Ana Ruiz', 'Ana Ruiz', 'Ben']);
    expect(await names({ type: 'person', q: 'RUI' })).toEqual(['Ana Ruiz', 'Ana Ruiz']);
    const { id } = await client.knowledge.create({
      body: { name: 'Globex', type: 'organization', aliases: ['Glob. Industries'] },
    });
    const { entities } = await client.knowledge.entities({ query: { q: 'industr' } });
    expect(entities.map((one) => one.id)).toEqual([id]);
  });

  it.each([{ limit: 0 }, { limit: 201 }, { offset: -1 }])(
    'are not listed with %o: 422 invalid_range',
    async (query) => {
      const { client } = await openScriptedAccount(stage);
      const refused = await expectError(client.knowledge.entities({ query }));
      expect(refused).toMatchObject({ status: 422, code: 'validation_error' });
      expect(Object.values(refused.fields)).toMatchObject([{ code: 'invalid_range' }]);
      const { entities } = await client.knowledge.entities({ query: { limit: 200 } });
      expect(entities).toEqual([]);
    },
  );

  it('takes each of the eight types, and no other', async () => {
    const { client } = await openScriptedAccount(stage);
    const published = [
      'person',
      'organization',
      'location',
      'product',
      'concept',
      'event',
      'skill',
      'date',
    ] as const;
    for (const type of published) {
      const { id } = await client.knowledge.create({ body: { name: 'Mercury', type } });
      const { entities } = await client.knowledge.entities({ query: { type } });
      expect(entities).toMatchObject([{ id, type }]);
    }
    const query = { type: 'planet' as never };
    const asked: (() => Promise<unknown>)[] = [
      () => client.knowledge.create({ body: { name: 'Mercury', ...query } }),
      () => client.knowledge.entities({ query }),
      () => client.knowledge.atTime({ query }),
    ];
    for (const call of asked) {
      expect((await expectError(call())).fields).toMatchObject({
        type: { code: 'invalid_enum_value' },
      });
    }
  });

  it('are counted by type and by noun phrase, singular or plural', async () => {
    const { client, remember } = await openScriptedAccount(stage);
    await remember('person:Ana; person:Ben; organization:Acme; skill:Python; skill:Cooking');
    await remember('skill:Python_scripting; product:Python_Anywhere');
    const count = async (countable_category: string) =>
      (await client.knowledge.count({ query: { countable_category } })).count;
    for (const noun of ['person', 'people', 'persons', 'colleagues']) {
      expect([noun, await count(noun)]).toEqual([noun, 2]);
    }
    for (const noun of ['organization', 'companies', 'company']) {
      expect([noun, await count(noun)]).toEqual([noun, 1]);
    }
    expect(await count('python skills')).toBe(2);
    expect(await count('Python skill')).toBe(2);
    expect(await count('python')).toBe(3);
    expect(await count('unicorns')).toBe(0);
    expect(await count('…')).toBe(0);
  });

  it('are counted by when memories speak of them', async () => {
    const { client, remember } = await openScriptedAccount(stage);
    await remember('person:Ana', { occurred_at: '2024-03-01' });
    await remember('person:Ben; person:Ana', { occurred_at: '2025-03-01' });
    const count = (query: object) =>
      client.knowledge.count({ query: { countable_category: 'people', ...query } });
    expect(await count({})).toEqual({
      countable_category: 'people',
      count: 2,
      time_start: null,
      time_end: null,
    });
    expect(await count({ time_end: '2025-01-01' })).toMatchObject({
      count: 1,
      time_end: '2025-01-01T00:00:00.000Z',
    });
    expect((await count({ time_start: '2025-01-01' })).count).toBe(2);
    expect((await count({ time_start: '2024-04-01', time_end: '2025-03-01' })).count).toBe(0);
    const refused = await expectError(client.knowledge.count({ query: {} as never }));
    expect(refused.fields).toMatchObject({ countable_category: { code: 'required' } });
  });

  it('are there at a time from the first memory that speaks of them', async () => {
    const { client, remember } = await openScriptedAccount(stage);
    const began = stage.clock.now();
    await remember('person:Ana', { occurred_at: '2024-03-01' });
    stage.clock.advance(dayMs);
    await remember('person:Ben; organization:Acme', { occurred_at: '2023-03-01' });
    const at = async (query: object) =>
      (await client.knowledge.atTime({ query })).entities.map(({ name }) => name);
    expect(await at({})).toEqual(['Acme', 'Ana', 'Ben']);
    expect(await at({ type: 'person' })).toEqual(['Ana', 'Ben']);
    expect(await at({ as_of: '2023-12-31' })).toEqual(['Acme', 'Ben']);
    expect(await at({ as_of: '2023-02-28' })).toEqual([]);
    expect(await at({ known_at: began.toISOString() })).toEqual(['Ana']);
    expect(await at({ known_at: began.toISOString(), as_of: '2023-12-31' })).toEqual([]);
    expect(await at({ known_at: day(-1) })).toEqual([]);
    const now = stage.clock.now().toISOString();
    const page = await client.knowledge.atTime({ query: { limit: 1, offset: 1 } });
    expect(page).toMatchObject({ as_of: now, known_at: now, total: 3 });
    expect(page.entities.map(({ name }) => name)).toEqual(['Ana']);
  });

  it('are there at a time when a fact says that they were', async () => {
    const { client, remember } = await openScriptedAccount(stage);
    await remember('person:Ana works_at organization:Acme from 2019 to 2020');
    const at = async (as_of: string) => (await client.knowledge.atTime({ query: { as_of } })).total;
    expect(await at('2018-12-31')).toBe(0);
    expect(await at('2019-06-01')).toBe(2);
    expect(await at('2021-06-01')).toBe(0);
  });

  it('that were merged are there before the merge, and after it no more', async () => {
    const { client, remember, idOf } = await openScriptedAccount(stage);
    await remember('person:Ana', { occurred_at: '2020-01-01' });
    await remember('person:Ann', { occurred_at: '2022-01-01' });
    const before = stage.clock.now().toISOString();
    stage.clock.advance(dayMs);
    await client.knowledge.merge({
      body: { source_id: await idOf('Ana'), target_id: await idOf('Ann') },
    });
    const at = async (query: object) =>
      (await client.knowledge.atTime({ query })).entities.map(({ name }) => name);
    expect(await at({})).toEqual(['Ann']);
    expect(await at({ known_at: before })).toEqual(['Ana', 'Ann']);
    expect(await at({ known_at: before, as_of: '2021-01-01' })).toEqual(['Ana']);
    expect(await at({ as_of: '2021-01-01' })).toEqual(['Ann']);
  });
});
