import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDataLocation, type DataLocation } from '../../support/server-process.ts';
import { engines } from '../../support/service.ts';
import { startServiceAt, vectorCounts } from './started-service.ts';

const contents = [
  'I can never eat prawns or mussels, they make my throat swell.',
  'Our vet is Dr. Okafor; she treats the tortoise as well.',
  'Deploys are frozen on Fridays after 15:00.',
  // Several passages.
  ['The roof was tiled anew. ', 'The last train leaves at midnight. ', 'Geese nest here. ']
    .map((sentence) => sentence.repeat(25))
    .join('\n\n'),
];

describe.each(engines)('a database of the word vectors on %s', (engine) => {
  let place: DataLocation;
  beforeAll(async () => {
    place = await createDataLocation(engine);
    await using former = await startServiceAt(place);
    for (const content of contents) await former.client.memories.create({ body: { content } });
  });
  afterAll(() => place.remove());

  it('moves to the sentence encoder after the start, without a command', async () => {
    const env = { MNEME_EMBEDDING_PROVIDER: 'encoder' };
    await using service = await startServiceAt(place, {}, env);
    const { app, worker, encodingWorker } = service.running.context;
    await service.running.context.formerModelsChecked;
    const { id } = await service.client.memories.create({ body: { content: 'A red kayak.' } });
    await worker.drain();
    // The passages of stored memories change with the account, not later.
    const { rows } = await sql<{ bytes: number }>`
      select length(passages) as bytes from vectors
      where model = ${app.embedder.model} and passages is not null`.execute(app.engine.db);
    expect(rows.map(({ bytes }) => bytes)).toEqual([5 * app.embedder.dimensions]);
    await encodingWorker.drain();
    expect((await service.client.account.get()).embedding.model).toBe(app.embedder.model);
    expect(await vectorCounts(service)).toEqual({ [app.embedder.model]: contents.length + 1 });
    const search = async (q: string) => (await service.client.search.post({ body: { q } })).results;
    expect((await search('which seafood is dangerous for me'))[0]).toMatchObject({
      content: contents[0],
    });
    expect((await search('the final railway service of the day'))[0]).toMatchObject({
      passage: { text: expect.stringContaining('The last train leaves') },
    });
    expect(
      (await search('a boat to paddle')).map((one) => one.type === 'memory' && one.id),
    ).toContain(id);
  });
});
