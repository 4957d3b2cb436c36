import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countBlockedBy } from '../../support/blocked-transactions.ts';
import { eventually } from '../../support/eventually.ts';
import { runCount } from '../../support/run-count.ts';
import { engines, serverEngine } from '../../support/service.ts';
import {
  dayMs,
  openScriptedAccount,
  type ScriptedExtraction,
  startScriptedExtraction,
} from './scripted-extraction.ts';

/** How many reads come before the merge. */
const rounds = runCount([0, 2, 5], [0, 1, 2, 3, 4, 5]);
const range = Array.from({ length: 8 }, (_, i) => i);

describe.each(engines)('extraction and merge at the same time on %s', (engine) => {
  let stage: ScriptedExtraction;
  beforeAll(async () => {
    stage = await startScriptedExtraction(engine);
  });
  afterAll(() => stage.service.stop());

  it.each(rounds)('lose no relation and no fact: round %i', async (round) => {
    const { client, remember, idOf, facts, names } = await openScriptedAccount(stage);
    await remember('person:Ana; person:Ann; person:Anne');
    const [ana, ann, anne] = [await idOf('Ana'), await idOf('Ann'), await idOf('Anne')];
    const { knowledge } = client;
    const tell = async (content: string) => {
      const { id } = await client.memories.create({ body: { content } });
      await knowledge.extract({ body: { memory_id: id } });
    };
    const say = async (i: number) => {
      const body = { subject_id: anne, predicate: 'likes', object_value: `tea ${i}` };
      // Who comes after the merge is told so, and says it of the one that is left.
      await knowledge
        .createFact({ body })
        .catch(() => knowledge.createFact({ body: { ...body, subject_id: ana } }));
    };
    await Promise.all([
      ...range.flatMap((i) => [
        tell(`person:Ann knows person:P${i}; person:Q${i} reports_to person:Ann`),
        tell(`person:Anne uses product:R${i}; person:Ana uses skill:S${i}`),
        say(i),
      ]),
      stage.extractAll(),
      (async () => {
        for (let i = 0; i < round; i += 1) await client.memories.list({ query: { limit: 1 } });
        await knowledge.merge({ body: { source_id: ann, target_id: anne } });
        await knowledge.merge({ body: { source_id: anne, target_id: ana } });
      })(),
      stage.extractAll(),
    ]);
    await stage.extractAll();
    const all = range.flatMap((i) => [
      `Ana knows P${i} … – …`,
      `Q${i} reports_to Ana … – …`,
      `Ana uses R${i} … – …`,
      `Ana uses S${i} … – …`,
      `Ana likes tea ${i} … – …`,
    ]);
    for (const id of [ana, ann, anne]) expect(await facts(id)).toEqual(all.toSorted());
    const others = range.flatMap((i) => [`P${i}`, `Q${i}`]);
    expect(await names({ type: 'person' })).toEqual(['Ana', ...others].toSorted());
    const { total } = await knowledge.relationships({ params: { id: ana } });
    expect(total).toBe(4 * range.length);
  });

  it('with deletions between them leave nothing of what was erased', async () => {
    const { client, remember, idOf, facts, names } = await openScriptedAccount(stage);
    await remember('person:Ana; person:Ann');
    const [ana, ann] = [await idOf('Ana'), await idOf('Ann')];
    const made = await Promise.all(
      range.map((i) =>
        client.memories.create({ body: { content: `person:Ann knows person:P${i}` } }),
      ),
    );
    stage.clock.advance(dayMs);
    await Promise.all([
      stage.extractAll(),
      client.knowledge.merge({ body: { source_id: ann, target_id: ana } }),
      ...made
        .filter((_, i) => i % 2 === 0)
        .map(({ id }) => client.memories.remove({ params: { id } })),
      ...made.map(({ id }) =>
        client.knowledge.extract({ body: { memory_id: id } }).catch(() => null),
      ),
    ]);
    await stage.extractAll();
    const left = range.filter((i) => i % 2 === 1);
    expect(await facts(ann)).toEqual(left.map((i) => `Ana knows P${i} … – …`));
    expect(await names()).toEqual(['Ana', ...left.map((i) => `P${i}`)]);
  });

  it('a reading on request never brings back what was changed meanwhile', async () => {
    const { client, remember, idOf, facts } = await openScriptedAccount(stage);
    const memory = await remember('person:Ana uses product:R0');
    const ana = await idOf('Ana');
    for (let i = 1; i <= 10; i += 1) {
      stage.clock.advance(dayMs);
      const content = `person:Ana uses product:R${i}`;
      const reading = { body: { memory_id: memory.id } };
      await Promise.all([
        client.knowledge.extract(reading).catch(() => null),
        client.memories
          .update({ params: { id: memory.id }, body: { content } })
          .then(() => stage.extractAll()),
        client.knowledge.extract(reading).catch(() => null),
      ]);
      await stage.extractAll();
      expect(await facts(ana)).toEqual([`Ana uses R${i} … – …`]);
    }
  });
});

describe.each(engines.filter((engine) => engine === serverEngine))('a merge on %s', (engine) => {
  it('waits for memories that are being erased before it locks the knowledge', async () => {
    const stage = await startScriptedExtraction(engine);
    try {
      const { id: accountId, client, remember, idOf, names } = await openScriptedAccount(stage);
      await remember('person:Ana');
      const memory = await remember('person:Ann knows person:Ben');
      const [ana, ann] = [await idOf('Ana'), await idOf('Ann')];
      const { engine: database } = stage.service.running.context.app;
      const held = Promise.withResolvers<void>();
      // As an erasure does: first the memory, then the knowledge.
      const erasing = database.transaction(async (tx) => {
        await sql`select from memories
          where account_id = ${accountId}::uuid and id = ${memory.id}::uuid for update`.execute(tx);
        held.resolve();
        await eventually(() => countBlockedBy(tx), Boolean);
        await sql`set local lock_timeout = '500ms'`.execute(tx);
        await sql`select from extraction_cursors
          where account_id = ${accountId}::uuid for update`.execute(tx);
      });
      await held.promise;
      const merging = client.knowledge.merge({ body: { source_id: ann, target_id: ana } });
      await Promise.all([erasing, merging]);
      expect(await names()).toEqual(['Ana', 'Ben']);
    } finally {
      await stage.service.stop();
    }
  });
});
