import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelScales } from '../../../packages/server/src/domains/search-index/index.ts';
import {
  createEmbedder,
  type Embedder,
} from '../../../packages/server/src/providers/embedding/index.ts';
import {
  createDataLocation,
  createSiblingLocation,
  type DataLocation,
} from '../../support/server-process.ts';
import { engines, serverEngine } from '../../support/service.ts';
import {
  runReembedding,
  type StartedService,
  shareAdminKey,
  startServiceAt,
} from '../reembed/started-service.ts';
import { DistortedEmbedder } from './distorted-embedder.ts';

const contents = [
  'I moved into a flat above the bakery in Ghent last March.',
  'My sister Noor trains guide dogs and is away most weekends.',
  'The dentist wants to see me again before the end of November.',
  'Penicillin gives me a rash, so doctors use something else.',
  'We eat no meat on weekdays, only fish on Fridays.',
  'The car goes to the garage in Zelzate, the owner is called Bram.',
  'I quit the law firm and now teach history at a secondary school.',
  'Our daughter started the violin with Mrs Peeters on Tuesdays.',
  'The mortgage runs until 2041 at a fixed rate of 1.9 percent.',
  'I cannot stand coriander, it tastes of soap.',
  'Backups of the laptop go to the grey drive in the desk drawer.',
  'Every June we rent the same cottage near Durbuy.',
  'My manager is called Lieve and prefers short written updates.',
  'The password manager moved from one vendor to another in spring.',
  'I run ten kilometres along the canal on Sunday mornings.',
  'The neighbours complained about the drum kit after nine.',
  'Grandfather was born in Ostend and fished for thirty years.',
  'The allotment has pumpkins, beans and far too much mint.',
  'I am learning Portuguese with an evening class.',
  'The heating engineer comes each October to check the boiler.',
  'My glasses are minus three on both sides.',
  'For the trip to Lisbon we booked seats by the window.',
];
const queries = [
  'where is my home',
  'which medicine must I avoid',
  'what do I do for a living',
  'who repairs my vehicle',
  'what is the name of my boss',
  'which herb do I hate',
  'how do I keep fit',
  'where did my ancestors come from',
  'music lessons of my child',
  'when does somebody look after the boiler',
  'which language do I study',
  'what is planted in the garden',
];

/** Cosines of .7 to .95, of −.05 to .2, and of 0 to 1 that small ones are pressed together in. */
const distortions = {
  shifted: (cosine: number) => 0.75 + 0.25 * cosine,
  shrunk: (cosine: number) => 0.2 * cosine,
  bent: (cosine: number) => ((1 + cosine) / 2) ** 2,
} as const;
type Distortion = keyof typeof distortions;

type Ranking = ReadonlyMap<string, number>;

/** By query, the score of each content, best first. */
async function searchAll(client: Client): Promise<Ranking[]> {
  const rankings: Ranking[] = [];
  for (const q of queries) {
    const { results } = await client.search.post({ body: { q, limit: contents.length } });
    rankings.push(
      new Map(results.flatMap((one) => (one.type === 'memory' ? [[one.content, one.score]] : []))),
    );
  }
  return rankings;
}

/** Scores that differ by less are equal up to the rounding of vectors to bytes. */
const tie = 0.02;

function expectSameRankings(actual: readonly Ranking[], expected: readonly Ranking[]): void {
  for (const [i, ranking] of actual.entries()) {
    const other = expected[i] as Ranking;
    const [found, wanted] = [[...ranking.keys()], [...other.keys()]];
    expect(found[0], queries[i]).toBe(wanted[0]);
    expect(found.toSorted(), queries[i]).toEqual(wanted.toSorted());
    for (const [content, score] of ranking) {
      const expectedScore = other.get(content) as number;
      expect(Math.abs(score - expectedScore), `${queries[i]}: ${content}`).toBeLessThan(0.05);
    }
    for (const [place, content] of found.entries()) {
      const best = Math.max(...found.slice(place).map((one) => other.get(one) as number));
      const behind = best - (other.get(content) as number);
      expect(behind, `${queries[i]}: ${content}`).toBeLessThan(tie);
    }
  }
}

describe.each(engines)('models of very different scales on %s', (engine) => {
  let encoder: Embedder;
  const places: DataLocation[] = [];
  beforeAll(async () => {
    encoder = await createEmbedder({ provider: 'encoder' });
  });
  afterAll(async () => {
    await encoder[Symbol.asyncDispose]();
    for (const place of places) await place.remove();
  });

  const createPlace = async (): Promise<DataLocation> => {
    const place = await createDataLocation(engine);
    places.push(place);
    return place;
  };
  const createModel = (distortion: Distortion): Embedder =>
    new DistortedEmbedder(`${distortion}@1`, encoder, distortions[distortion]);
  const store = async ({ client, running }: StartedService): Promise<void> => {
    // Facts would change scores between two searches.
    running.context.extractionWorker.pause();
    const memories = contents.map((content) => ({ content }));
    await client.memories.bulkCreate({ body: { memories } });
  };
  /** Stored and searched with a model of its own. */
  async function rankingsBy(embedder: Embedder): Promise<Ranking[]> {
    await using service = await startServiceAt(await createPlace(), { embedder });
    await store(service);
    return await searchAll(service.client);
  }

  it('give it during and after a change of the model, in every process', async () => {
    const place = await createPlace();
    const models = { shifted: createModel('shifted'), shrunk: createModel('shrunk') };
    const makeEmbedder = async (name: string): Promise<Embedder> =>
      name === 'shifted@1' ? models.shifted : models.shrunk;
    const starting = await startServiceAt(place, { embedder: models.shifted, makeEmbedder });
    await store(starting);
    const before = await searchAll(starting.client);
    const isShared = engine === serverEngine;
    if (!isShared) await starting.running.stop();
    const second = isShared ? await createSiblingLocation(place) : place;
    if (isShared) {
      places.push(second);
      shareAdminKey(place, second);
    }
    const changed = await startServiceAt(second, { embedder: models.shrunk, makeEmbedder });
    changed.running.context.extractionWorker.pause();
    const services = isShared ? [starting, changed] : [changed];
    let isDone = false;
    const searching = (async () => {
      do {
        for (const { client } of services) expectSameRankings(await searchAll(client), before);
      } while (!isDone);
    })();
    const { status } = await runReembedding(changed);
    isDone = true;
    await searching;
    expect(status).toBe('completed');
    for (const { client } of services) {
      expectSameRankings(await searchAll(client), before);
      expect((await client.account.get()).embedding.model).toBe('shrunk@1');
    }
    for (const { running } of services) await running.stop();
  });

  // Scores do not depend on the engine; who takes part in a change does.
  if (engine === engines[0]) {
    it('give the same order, and scores within .05, as the shipped encoder does', async () => {
      await using service = await startServiceAt(
        await createPlace(),
        {},
        { MNEME_EMBEDDING_PROVIDER: 'encoder' },
      );
      await store(service);
      await service.running.context.encodingWorker.drain();
      const shipped = await searchAll(service.client);
      const shifted = await rankingsBy(createModel('shifted'));
      expectSameRankings(shifted, shipped);
      expectSameRankings(await rankingsBy(createModel('shrunk')), shifted);
      expectSameRankings(await rankingsBy(createModel('bent')), shifted);
    });

    it('are measured again by `reembed`, and the next search uses that', async () => {
      const embedder = createModel('shrunk');
      await using service = await startServiceAt(await createPlace(), { embedder });
      await store(service);
      const before = await searchAll(service.client);
      const wrong = new DistortedEmbedder('shrunk@1', encoder, distortions.shifted);
      await modelScales.of(service.running.context.app).measure(wrong);
      const misled = await searchAll(service.client);
      expect(() => expectSameRankings(misled, before)).toThrow();
      expect((await runReembedding(service)).status).toBe('completed');
      expectSameRankings(await searchAll(service.client), before);
    });
  }
});
