import type { Client } from '@mneme/sdk';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { engines, type Service } from '../../support/service.ts';
import {
  dayMs,
  openScriptedAccount,
  type ScriptedAccount,
  type ScriptedExtraction,
  startScriptedExtraction,
} from './scripted-extraction.ts';

const ofKnowledge = [
  'entities',
  'entity_names',
  'mentions',
  'assertions',
  'facts',
  'entity_changes',
];

/** Which tables of an account still hold a word, and how many rows. */
async function holding(service: Service, accountId: string, word: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of ofKnowledge) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.table(name)} as t
      where account_id = ${accountId}::uuid and position(${word} in t::text) > 0
    `.execute(service.running.context.app.engine.db);
    if (rows[0]?.count) found.push(`${name}: ${rows[0].count}`);
  }
  return found;
}

/** Every way by which a memory goes for good. */
const ways: Readonly<Record<string, (client: Client, id: string) => Promise<unknown>>> = {
  'one by one': (client, id) => client.memories.remove({ params: { id } }),
  'after a soft deletion': async (client, id) => {
    await client.memories.remove({ params: { id }, query: { soft: true } });
    await client.memories.remove({ params: { id } });
  },
  'in bulk': (client, id) => client.memories.bulkDelete({ body: { ids: [id] } }),
  'with its session': async (client, id) => {
    const { session_id } = await client.memories.get({ params: { id } });
    await client.cliSessions.remove({ params: { id: session_id ?? '' } });
  },
};

describe.each(engines)('what a memory says on %s', (engine) => {
  let stage: ScriptedExtraction;
  let told: ScriptedAccount;
  beforeAll(async () => {
    stage = await startScriptedExtraction(engine);
  });
  afterAll(() => stage.service.stop());

  const setContent = async (id: string, content: string) => {
    await told.client.memories.update({ params: { id }, body: { content } });
    await stage.extractAll();
  };

  it('follows its content: what it says no longer is believed no longer', async () => {
    told = await openScriptedAccount(stage);
    const memory = await told.remember('person:Ana uses product:Rust; person:Ana');
    const id = await told.idOf('Ana');
    const known_at = stage.clock.now().toISOString();
    stage.clock.advance(dayMs);
    await setContent(memory.id, 'person:Ana uses product:Zig');
    expect(await told.facts(id)).toEqual(['Ana uses Zig … – …']);
    expect(await told.facts(id, { known_at })).toEqual(['Ana uses Rust … – …']);
    expect(await told.names()).toEqual(['Ana', 'Zig']);
    stage.clock.advance(dayMs);
    await setContent(memory.id, 'person:Ana uses product:Rust');
    expect(await told.facts(id)).toEqual(['Ana uses Rust … – …']);
    const kinds = [
      'fact_added',
      'fact_added',
      'fact_invalidated',
      'fact_added',
      'fact_invalidated',
    ];
    expect((await told.kinds(id)).slice(1).toSorted()).toEqual(kinds.toSorted());
  });

  it('follows when it happened', async () => {
    told = await openScriptedAccount(stage);
    const first = await told.remember('person:Ana works_at organization:Acme', {
      occurred_at: '2020-01-01',
    });
    await told.remember('person:Ana works_at organization:Bolt', { occurred_at: '2022-01-01' });
    const id = await told.idOf('Ana');
    const now = ['Ana works_at Acme … – 2022-01-01', 'Ana works_at Bolt 2022-01-01 – …'];
    expect(await told.facts(id)).toEqual(now);
    await told.client.memories.remove({ params: { id: first.id } });
    await told.remember('person:Ana works_at organization:Acme', { occurred_at: '2024-01-01' });
    expect(await told.facts(id)).toEqual([
      'Ana works_at Acme 2024-01-01 – …',
      'Ana works_at Bolt … – 2024-01-01',
    ]);
  });

  it('is hidden at once by a soft deletion, retracted, and said again by a restore', async () => {
    told = await openScriptedAccount(stage);
    const memory = await told.remember('person:Ana works_at organization:Acme');
    await told.remember('person:Ben knows person:Cleo');
    const params = { id: await told.idOf('Ana') };
    const known_at = stage.clock.now().toISOString();
    stage.clock.advance(dayMs);
    await told.client.memories.remove({ params: { id: memory.id }, query: { soft: true } });
    const isHidden = async () => {
      expect(await told.names()).toEqual(['Ben', 'Cleo']);
      await expect(told.client.knowledge.get({ params })).rejects.toMatchObject({ status: 404 });
      const count = { countable_category: 'people' };
      expect((await told.client.knowledge.count({ query: count })).count).toBe(2);
      expect((await told.client.knowledge.atTime()).total).toBe(2);
    };
    await isHidden();
    await stage.extractAll();
    await isHidden();
    stage.clock.advance(dayMs);
    await told.client.memories.restore({ params: { id: memory.id } });
    await stage.extractAll();
    expect(await told.names()).toEqual(['Acme', 'Ana', 'Ben', 'Cleo']);
    expect(await told.facts(params.id)).toEqual(['Ana works_at Acme … – …']);
    expect(await told.facts(params.id, { known_at })).toEqual(['Ana works_at Acme … – …']);
    expect(await told.kinds(params.id)).toEqual([
      'entity_created',
      'fact_added',
      'fact_invalidated',
      'fact_added',
    ]);
  });

  it('that is softly deleted opens again what it had closed', async () => {
    told = await openScriptedAccount(stage);
    await told.remember('person:Ana works_at organization:Acme from 2020');
    const memory = await told.remember('person:Ana works_at organization:Bolt from 2022');
    const id = await told.idOf('Ana');
    expect(await told.facts(id)).toHaveLength(2);
    stage.clock.advance(dayMs);
    await told.client.memories.remove({ params: { id: memory.id }, query: { soft: true } });
    await stage.extractAll();
    expect(await told.facts(id)).toEqual(['Ana works_at Acme 2020-01-01 – …']);
  });

  it.each(Object.keys(ways))(
    'goes for good when it is erased %s: names, facts and every version',
    async (way) => {
      told = await openScriptedAccount(stage);
      const { client, id: accountId } = told;
      const session = await client.cliSessions.create({ body: { name: 'chat' } });
      await told.remember('person:Ana works_at organization:Acme from 2020; person:Ann');
      const place = { session_id: session.id };
      const memory = await told.remember(
        'person:Ana works_at organization:Secretive from 2022; person:Confidant knows person:Ana',
        place,
      );
      const id = await told.idOf('Ana');
      const known_at = stage.clock.now().toISOString();
      stage.clock.advance(dayMs);
      await setContent(
        memory.id,
        'person:Ana works_at organization:Secretive from 2023;' +
          'person:Dr._Ana knows person:Undisclosed',
      );
      stage.clock.advance(dayMs);
      const params = {
        source_id: await told.idOf('Undisclosed'),
        target_id: await told.idOf('Ann'),
      };
      await client.knowledge.merge({ body: params });
      expect(await holding(stage.service, accountId, 'Secretive')).not.toEqual([]);
      stage.clock.advance(dayMs);
      await ways[way]?.(client, memory.id);
      const isGone = async () =>
        (
          await Promise.all(
            ['Secretive', 'Confidant', 'Undisclosed', 'Dr.'].map((word) =>
              holding(stage.service, accountId, word),
            ),
          )
        ).flat();
      await stage.service.running.context.worker.drain();
      await eventually(isGone, (left) => left.length === 0);
      await stage.extractAll();
      expect(await told.names()).toEqual(['Acme', 'Ana', 'Ann']);
      const open = ['Ana works_at Acme 2020-01-01 – …'];
      expect(await told.facts(id)).toEqual(open);
      expect(await told.facts(id, { known_at })).toEqual(open);
      expect(await told.kinds(id)).toEqual(['entity_created', 'fact_added']);
      expect(await isGone()).toEqual([]);
    },
  );

  it('that others say too stays, without it among the sources', async () => {
    told = await openScriptedAccount(stage);
    const first = await told.remember('person:Ana uses product:Rust');
    const second = await told.remember('person:Ana uses product:Rust ');
    const id = await told.idOf('Ana');
    await told.client.memories.remove({ params: { id: first.id } });
    const { facts } = await told.client.knowledge.facts({ params: { id } });
    expect(facts).toMatchObject([{ source_memory_ids: [second.id], confidence: 0.5 }]);
  });

  it('that a person made by hand stays when no memory speaks of it', async () => {
    told = await openScriptedAccount(stage);
    await told.client.knowledge.create({ body: { name: 'Ana', type: 'person' } });
    const memory = await told.remember('person:Ana; person:Ben');
    await told.client.memories.remove({ params: { id: memory.id } });
    expect(await told.names()).toEqual(['Ana']);
  });

  it('moves with it to another space', async () => {
    told = await openScriptedAccount(stage);
    const { id: space_id } = await told.client.spaces.create({ body: { name: 'red' } });
    const memory = await told.remember('person:Ana uses product:Rust');
    const former = await told.idOf('Ana');
    await told.client.memories.update({ params: { id: memory.id }, body: { space_id } });
    await stage.extractAll();
    expect(await told.names({ space_id: 'null' })).toEqual([]);
    expect(await told.names({ space_id })).toEqual(['Ana', 'Rust']);
    expect(await told.facts(await told.idOf('Ana'))).toEqual(['Ana uses Rust … – …']);
    expect(await told.idOf('Ana')).not.toBe(former);
  });

  it('with a space that is removed goes what was said in it by hand', async () => {
    told = await openScriptedAccount(stage);
    const { client } = told;
    const { id } = await client.spaces.create({ body: { name: 'red' } });
    const place = { type: 'person', space_id: id } as const;
    const ana = await client.knowledge.create({ body: { ...place, name: 'Unsaid' } });
    await client.knowledge.createFact({
      body: { subject_id: ana.id, predicate: 'likes', object_value: 'Unsaid tea' },
    });
    await client.spaces.remove({ params: { id } });
    expect(await told.names()).toEqual([]);
    expect(await holding(stage.service, told.id, 'Unsaid')).toEqual([]);
  });

  it('goes for good also where its entity is merged at the same time', async () => {
    told = await openScriptedAccount(stage);
    const target_id = (
      await told.client.knowledge.create({ body: { name: 'Target', type: 'person' } })
    ).id;
    for (let round = 0; round < 10; round += 1) {
      const name = `Source${round}`;
      const { id } = await told.remember(`person:${name}`);
      const source_id = await told.idOf(name);
      // Whichever comes first: a source that is gone is not found.
      await Promise.allSettled([
        told.client.knowledge.merge({ body: { source_id, target_id } }),
        told.client.memories.remove({ params: { id } }),
      ]);
      await stage.extractAll();
      stage.clock.advance(dayMs);
      expect(await holding(stage.service, told.id, name)).toEqual([]);
    }
  });

  it('by hand is not said again of one that has become the other meanwhile', async () => {
    told = await openScriptedAccount(stage);
    const memory = await told.remember('person:Ana; person:Ben');
    const [subject_id, object_id] = [await told.idOf('Ana'), await told.idOf('Ben')];
    const said = { subject_id, object_id, predicate: 'knows', source_memory_id: memory.id };
    await told.client.knowledge.createFact({ body: said });
    const params = { id: memory.id };
    await told.client.memories.remove({ params, query: { soft: true } });
    await stage.extractAll();
    const body = { source_id: subject_id, target_id: object_id };
    await told.client.knowledge.merge({ body });
    await told.client.memories.restore({ params });
    await stage.extractAll();
    expect(await told.facts(object_id)).toEqual([]);
  });
});
