import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTextGenerator, readVocabulary } from '../../../bench/text-generator.ts';
import { onlyMemoryResults } from '../../support/memory-results.ts';
import { engines, type Service, startService } from '../../support/service.ts';

/** Facts hidden in a text of a megabyte, and a question for each in part of its words. */
const facts = [
  ['The spare key hangs behind the third flower pot.', 'spare key flower pot'],
  ['Doctor Okonkwo moved the appointment to the ninth.', 'appointment doctor okonkwo'],
  ['Invoice 88213 was never paid by the bakery.', 'bakery invoice 88213'],
  ['The telescope needs a new equatorial mount.', 'telescope mount'],
  ['Grandmother’s recipe takes twelve egg yolks.', 'recipe egg yolks'],
] as const;

describe.each(engines)('a memory of a megabyte, on %s', (engine) => {
  let service: Service;
  let client: Awaited<ReturnType<Service['createAccount']>>['client'];
  let long = '';
  beforeAll(async () => {
    service = await startService(engine);
    ({ client } = await service.createAccount());
    const texts = createTextGenerator(await readVocabulary(), 11);
    const sentences: string[] = [];
    for (let length = 0; length < 1_045_000; length += (sentences.at(-1)?.length ?? 0) + 1) {
      sentences.push(texts.memory());
    }
    const step = Math.floor(sentences.length / (facts.length + 1));
    for (const [i, [fact]] of facts.entries()) sentences.splice(step * (i + 1), 0, fact);
    long = sentences.join(' ');
    await client.memories.create({ body: { content: long } });
    const short = Array.from({ length: 100 }, () => ({ content: texts.memory() }));
    await client.memories.bulkCreate({ body: { memories: short } });
  });
  afterAll(() => service.stop());

  it.each(facts)('is found by “%s”, and shows it', async (fact, query) => {
    const { results } = await client.search.post({ body: { q: query, limit: 3 } });
    expect(onlyMemoryResults(results)[0]?.content).toBe(long);
    expect(results[0]?.highlight).toContain(fact.slice(0, 20));
    expect(results[0]?.highlight.length).toBeLessThanOrEqual(404);
  });

  it('shows a score of at least .9 for a passage as it stands', async () => {
    // Passages are packed from the beginning, up to 80 words each.
    const words = (text: string): number => text.split(' ').length;
    const sentences = long.split(/(?<=\.) /);
    let passage = sentences[0] ?? '';
    for (const next of sentences.slice(1)) {
      if (words(passage) + words(next) > 80) break;
      passage += ` ${next}`;
    }
    const { results } = await client.search.post({ body: { q: passage, limit: 1 } });
    expect(onlyMemoryResults(results)[0]?.content).toBe(long);
    expect(results[0]?.score).toBeGreaterThanOrEqual(0.9);
  });
});
