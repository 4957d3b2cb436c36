import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../../support/service.ts';
import { advanceToNextMinute } from '../limits/usage-and-windows.ts';
import { absentId, expectError } from '../memories/memory-requests.ts';
import {
  dayMs,
  openScriptedAccount,
  type ScriptedExtraction,
  startScriptedExtraction,
} from './scripted-extraction.ts';

describe.each(engines)('entities are merged on %s', (engine) => {
  let stage: ScriptedExtraction;
  beforeAll(async () => {
    stage = await startScriptedExtraction(engine);
  });
  afterAll(() => stage.service.stop());

  it.each(['merge', 'mergeEntities'] as const)(
    'by %s: the target takes over relationships, facts and names, and the id resolves',
    async (verb) => {
      const { client, remember, idOf, facts, names } = await openScriptedAccount(stage);
      await remember('person:Ann works_at organization:Acme; person:Ben knows person:Ann');
      await remember('person:Ana uses product:Rust');
      const [source_id, target_id] = [await idOf('Ann'), await idOf('Ana')];
      stage.clock.advance(dayMs);
      const merged = await client.knowledge[verb]({ body: { source_id, target_id } });
      expect(merged).toEqual({ merged: true, source_id, target_id });
      expect(await names({ type: 'person' })).toEqual(['Ana', 'Ben']);
      const all = ['Ana uses Rust … – …', 'Ana works_at Acme … – …', 'Ben knows Ana … – …'];
      expect(await facts(target_id)).toEqual(all);
      expect(await facts(source_id)).toEqual(all);
      const read = await client.knowledge.get({ params: { id: source_id } });
      expect(read).toMatchObject({
        id: target_id,
        merged_from: source_id,
        aliases: ['Ann'],
        relationship_count: 3,
        fact_count: 3,
      });
      await remember('person:Ann uses skill:Chess');
      expect(await names({ type: 'person' })).toEqual(['Ana', 'Ben']);
      expect(await facts(target_id)).toContain('Ana uses Chess … – …');
      const graph = await client.knowledge.subgraph({ params: { entityId: source_id } });
      expect(graph.root).toBe(target_id);
    },
  );

  it('and what was believed before is answered as it was then, over several merges', async () => {
    const { client, remember, idOf, facts } = await openScriptedAccount(stage);
    await remember('person:A uses skill:One; person:B uses skill:Two; person:C uses skill:Three');
    const [a, b, c] = [await idOf('A'), await idOf('B'), await idOf('C')];
    const times: string[] = [];
    for (const [source_id, target_id] of [
      [a, b],
      [b, c],
    ] as const) {
      times.push(stage.clock.now().toISOString());
      stage.clock.advance(dayMs);
      await client.knowledge.merge({ body: { source_id, target_id } });
    }
    const [first, between] = times;
    const said = async (id: string, known_at?: string) =>
      (await facts(id, known_at ? { known_at } : {})).map((text) => text.replace(/ … – …$/, ''));
    expect(await said(a, first)).toEqual(['A uses One']);
    expect(await said(b, first)).toEqual(['B uses Two']);
    expect(await said(a, between)).toEqual(['B uses One', 'B uses Two']);
    expect(await said(c, between)).toEqual(['C uses Three']);
    const all = ['C uses One', 'C uses Three', 'C uses Two'];
    for (const id of [a, b, c]) expect(await said(id)).toEqual(all);
    expect((await client.knowledge.get({ params: { id: a } })).id).toBe(c);
  });

  it('only with the same type, or with force', async () => {
    const { client, remember, idOf, names } = await openScriptedAccount(stage);
    await remember('person:Mercury; product:Hermes');
    const body = { source_id: await idOf('Mercury'), target_id: await idOf('Hermes') };
    expect(await expectError(client.knowledge.merge({ body }))).toMatchObject({
      status: 409,
      code: 'conflict',
      details: { source_type: 'person', target_type: 'product' },
    });
    await client.knowledge.merge({ body: { ...body, force: true } });
    await remember('person:Mercury ; product:Mercury');
    expect(await names()).toEqual(['Hermes']);
  });

  it('not with itself: 422; not in a circle, nor twice: 409', async () => {
    const { client, remember, idOf } = await openScriptedAccount(stage);
    await remember('person:A; person:B; person:C');
    const [a, b, c] = [await idOf('A'), await idOf('B'), await idOf('C')];
    const merge = (source_id: string, target_id: string) =>
      client.knowledge.merge({ body: { source_id, target_id } });
    const itself = await expectError(merge(a, a));
    expect(itself).toMatchObject({ status: 422, code: 'validation_error' });
    expect(itself.fields).toMatchObject({ source_id: { code: 'invalid_range' } });
    await merge(a, b);
    for (const [source, target] of [
      [b, a],
      [a, b],
      [a, c],
      [c, a],
    ] as const) {
      expect(await expectError(merge(source, target))).toMatchObject({
        status: 409,
        code: 'conflict',
        details: { entity_id: a, merged_into: b },
      });
    }
    await merge(b, c);
    expect(await expectError(merge(c, a))).toMatchObject({ status: 409 });
    const patch = client.knowledge.update({ params: { id: a }, body: { name: 'X' } });
    expect(await expectError(patch)).toMatchObject({ status: 409, details: { merged_into: b } });
  });

  it('needs both ids, of the form of ids', async () => {
    const { client } = await openScriptedAccount(stage);
    const nothing = await expectError(client.knowledge.merge({ body: {} as never }));
    expect(nothing).toMatchObject({ status: 422, code: 'validation_error' });
    expect(nothing.fields).toMatchObject({
      source_id: { code: 'required' },
      target_id: { code: 'required' },
    });
    const body = { source_id: 'Ana', target_id: absentId };
    expect((await expectError(client.knowledge.merge({ body }))).fields).toMatchObject({
      source_id: { code: 'invalid_format' },
    });
  });

  it('only within a space, the named one where one is named', async () => {
    const { client, remember, idOf } = await openScriptedAccount(stage);
    const { id: space_id } = await client.spaces.create({ body: { name: 'red' } });
    await remember('person:A; person:B');
    await remember('person:C', { space_id });
    const [a, b, c] = [await idOf('A'), await idOf('B'), await idOf('C')];
    const merge = (source_id: string, target_id: string, more = {}) =>
      client.knowledge.merge({ body: { source_id, target_id, ...more } });
    expect(await expectError(merge(a, c))).toMatchObject({ status: 409, code: 'conflict' });
    expect(await expectError(merge(a, b, { space_id }))).toMatchObject({ status: 404 });
    expect(await expectError(merge(a, absentId))).toMatchObject({ status: 404, code: 'not_found' });
    await merge(a, b, { space_id: 'default' });
  });

  it('ten times a minute at most, by both paths together', async () => {
    const { client } = await stage.service.createAccount('pro');
    const body = { source_id: absentId, target_id: absentId };
    advanceToNextMinute(stage.clock);
    for (let i = 0; i < 10; i += 1) {
      const verb = i % 2 === 0 ? 'merge' : 'mergeEntities';
      expect((await expectError(client.knowledge[verb]({ body }))).status).toBe(422);
    }
    for (const verb of ['merge', 'mergeEntities'] as const) {
      const refused = await expectError(client.knowledge[verb]({ body }));
      expect(refused).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
    }
  });
});
