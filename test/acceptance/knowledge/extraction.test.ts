import { factPredicates } from '@mneme/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { listEvents } from '../memories/memory-requests.ts';

/** One sentence for each relation that is published, and what it says. */
const sentences: Readonly<Record<string, readonly [string, string]>> = {
  works_at: ['Ana Ruiz works at Acme Corp.', 'Ana Ruiz works_at Acme Corp.'],
  reports_to: ['Ben Ito reports to Ana Ruiz.', 'Ben Ito reports_to Ana Ruiz'],
  collaborates_with: ['Ana Ruiz collaborates with Ben Ito.', 'Ana Ruiz collaborates_with Ben Ito'],
  located_in: ['Ana Ruiz moved to Berlin in May.', 'Ana Ruiz located_in Berlin'],
  uses: ['Ana Ruiz uses Redis.', 'Ana Ruiz uses Redis'],
  knows: ['Ana Ruiz knows Python.', 'Ana Ruiz knows Python'],
  part_of: ['Acme Labs is part of Acme Corp.', 'Acme Labs part_of Acme Corp.'],
  related_to: ['Ana Ruiz is related to Ben Ruiz.', 'Ana Ruiz related_to Ben Ruiz'],
  lives_in: ['I live in Lisbon.', 'user lives_in Lisbon'],
  job_title: ['I work as a nurse.', 'user job_title nurse'],
  partner_of: ['My wife is Ana Ruiz.', 'user partner_of Ana Ruiz'],
  parent_of: ['My son is called Leo.', 'user parent_of Leo'],
  pet: ['I have a dog named Biscuit.', 'user pet Biscuit'],
  allergic_to: ['I am allergic to peanuts.', 'user allergic_to peanuts'],
  likes: ['I love hiking.', 'user likes hiking'],
  dislikes: ['I hate coriander.', 'user dislikes coriander'],
  prefers: ['I prefer tea.', 'user prefers tea'],
  owns: ['I own a canoe.', 'user owns canoe'],
  studies: ['I study biology.', 'user studies biology'],
  birthday: ['My birthday is 14 March.', 'user birthday 14 March'],
  plans: ['I plan to learn sailing.', 'user plans learn sailing'],
  decided: ['I decided to sell the car.', 'user decided sell the car'],
};

/** Of so many characters is read what a memory says, whatever it holds. */
const charactersRead = 20_000;

describe.each(engines)('what is read of memories on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());
  const drain = () => service.running.context.extractionWorker.drain();
  const occurred_at = '2026-03-02T10:00:00Z';

  it.each(factPredicates)('%s is read out of a sentence', async (predicate) => {
    const [content = '', says] = sentences[predicate] ?? [];
    const { client } = await service.createAccount();
    const { id: memory_id } = await client.memories.create({ body: { content, occurred_at } });
    const { model, facts } = await client.knowledge.extract({ body: { memory_id } });
    expect(model).toBe('local');
    const said = facts.map((fact) => `${fact.subject_name} ${fact.predicate} ${fact.object_value}`);
    expect(said).toEqual([says]);
    expect(facts[0]).toMatchObject({
      source_memory_ids: [memory_id],
      statement: expect.any(String),
    });
    // A month is of the year that is meant when the memory was told.
    if (predicate === 'located_in') expect(facts[0]?.valid_from).toBe('2025-05-01T00:00:00.000Z');
  });

  it('follows a create, a change and a bulk create without being asked', async () => {
    const { client } = await service.createAccount();
    const people = async () =>
      (await client.knowledge.entities({ query: { type: 'person' } })).entities.map(
        ({ name }) => name,
      );
    const { id } = await client.memories.create({ body: { content: 'Ana Ruiz uses Redis.' } });
    await drain();
    expect(await people()).toEqual(['Ana Ruiz']);
    const body = { content: 'Ben Ito uses Redis.' };
    await client.memories.update({ params: { id }, body });
    await drain();
    expect(await people()).toEqual(['Ben Ito']);
    const memories = Array.from({ length: 60 }, (_, i) => ({
      content: `Clara Marsh met David Keller, for the ${i}. time.`,
      // To compare each with all others would take most of the time.
      detect_updates: 'off' as const,
    }));
    await client.memories.bulkCreate({ body: { memories } });
    await drain();
    expect(await people()).toEqual(['Ben Ito', 'Clara Marsh', 'David Keller']);
    const told = (await listEvents(client, 'entity.extracted')).map(({ data }) => data.memory_id);
    expect(told).toHaveLength(62);
    expect(new Set(told).size).toBe(61);
  });

  it('the same text says the same, however often it is read', async () => {
    const { client } = await service.createAccount();
    const content = 'Ana Ruiz moved to Berlin in May and reports to Ben Ito at Acme Corp.';
    const { id: memory_id } = await client.memories.create({ body: { content, occurred_at } });
    const first = await client.knowledge.extract({ body: { memory_id } });
    expect(first.facts.length).toBeGreaterThan(1);
    const again = await client.knowledge.extract({ body: { memory_id } });
    const byId = ({ entities, facts }: typeof first) => ({
      entities: entities.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      facts: facts.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    });
    expect(byId(again)).toEqual(byId(first));
  });

  it('long runs of brackets, names or emoji are read as far as 20,000 characters', async () => {
    const { client } = await service.createAccount();
    const among = ', who sits at the long table by the window, ';
    const names = Array.from({ length: 1_000 }, (_, i) => `Ana${i} Lu${i}`).join(among);
    const poisons = ['['.repeat(40_000), names, '😀'.repeat(20_000)];
    for (const content of poisons) await client.memories.create({ body: { content } });
    await client.memories.create({ body: { content: 'Clara Marsh uses Redis.' } });
    await drain();
    const { total, entities } = await client.knowledge.entities({ query: { q: 'Clara' } });
    expect([total, entities[0]?.name]).toEqual([1, 'Clara Marsh']);
    const all = (await client.knowledge.entities()).total;
    expect(all).toBeGreaterThan(100);
    expect(all).toBeLessThan(charactersRead / `Ana1 Lu1${among}`.length);
    const { data } = await client.memories.list();
    expect(data.map(({ quality_score }) => typeof quality_score)).toEqual(Array(4).fill('number'));
  });
});
