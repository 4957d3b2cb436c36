import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { testSeed } from '../../support/run-count.ts';
import { createDataLocation, type DataLocation } from '../../support/server-process.ts';
import { engines } from '../../support/service.ts';
import { createSeededRandom, rareWord } from '../durability/seeded-random.ts';
import { RandomWorkload } from '../verify/random-workload.ts';
import { type StartedService, startServiceAt, vectorCounts } from './started-service.ts';
import { TinyEmbedder, wordCountVector } from './tiny-embedder.ts';

const steadyCount = 160;

const contentOf = (n: number): string => `${rareWord(n)} ${rareWord(n + 1_000)} meets ${n} friends`;

/** Memories that nobody changes. */
async function fill(client: Client): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < steadyCount; from += 80) {
    const bodies = Array.from({ length: 80 }, (_, i) => ({ content: contentOf(from + i) }));
    const { memories } = await client.memories.bulkCreate({ body: { memories: bodies } });
    ids.push(...memories.map(({ id }) => id));
  }
  return ids;
}

/** Each vector is the one of its memory's present content, and none of another model is left. */
async function strangeVectors(
  { running }: StartedService,
  embedder: TinyEmbedder,
): Promise<string[]> {
  const rows = await running.context.app.engine.db
    .selectFrom('memories')
    .innerJoin('vectors', (join) =>
      join
        .onRef('vectors.account_id', '=', 'memories.account_id')
        .onRef('vectors.document_id', '=', 'memories.id'),
    )
    .select(['memories.id', 'content', 'model', 'vector'])
    .where('erased_at', 'is', null)
    .execute();
  return rows
    .filter(({ content, model, vector }) => {
      const floats = wordCountVector(content, embedder.dimensions);
      const largest = Math.max(...floats.map(Math.abs));
      const bytes = Int8Array.from(floats, (value) => Math.round((value * 127) / largest));
      return model !== embedder.model || !Buffer.from(bytes.buffer).equals(vector);
    })
    .map(({ id }) => id);
}

describe.each(engines)('a change of the embedding model beside live traffic on %s', (engine) => {
  let place: DataLocation;
  let ids: string[] = [];
  beforeAll(async () => {
    place = await createDataLocation(engine);
    await using first = await startServiceAt(place);
    ids = await fill(first.client);
    await new RandomWorkload(first.client, createSeededRandom(testSeed)).run(100);
  });
  afterAll(() => place.remove());

  it('finds every memory at every moment, by meaning too, and mixes no models', async () => {
    const embedder = new TinyEmbedder();
    await using service = await startServiceAt(place, { embedder });
    const { client } = service;
    let isOver = false;
    let searches = 0;
    const chance = createSeededRandom(testSeed + 1);
    const wrong: unknown[] = [];
    const search = async (): Promise<void> => {
      const n = chance.integer(0, steadyCount - 1);
      const body = { q: contentOf(n), limit: 1, explain: true };
      const [hit] = (await client.search.post({ body })).results;
      searches += 1;
      // The same words have the same vector by either model; by two of them they have not.
      const { semantic_rank: rank, semantic_score: score } = hit?.why_matched ?? {};
      if (hit?.id !== ids[n] || rank !== 1 || (score ?? 0) < 0.95) {
        wrong.push({ n, id: hit?.id, rank, score });
      }
    };
    // No batch of the change is done before others were answered.
    embedder.gate = async (texts) => {
      if (texts.length < 20) return;
      const enough = searches + 5;
      await eventually(
        async () => searches,
        (count) => count >= enough,
      );
    };
    const untilOver = async (step: () => Promise<void>): Promise<void> => {
      while (!isOver) await step();
    };
    const lives = [2, 3].map((n) => new RandomWorkload(client, createSeededRandom(testSeed + n)));
    const busy = [...lives.map((life) => untilOver(() => life.step())), untilOver(search)];
    try {
      await search();
      const { job_id: id } = await client.admin.startReembedding();
      const report = await eventually(
        () => client.admin.getReembedding({ params: { id } }),
        ({ status }) => status === 'completed' || status === 'failed',
        120_000,
      );
      expect(report).toMatchObject({ status: 'completed', refused: 0, accounts: 1 });
      expect(report.embedded).toBeGreaterThanOrEqual(steadyCount);
      for (let i = 0; i < 20; i += 1) await search();
    } finally {
      isOver = true;
      await Promise.all(busy);
    }
    expect(wrong).toEqual([]);
    expect(searches).toBeGreaterThan(25);
    expect(Object.keys(await vectorCounts(service))).toEqual(['tiny@1']);
    expect(await strangeVectors(service, embedder)).toEqual([]);
    const { job_id } = await client.admin.startVerification();
    const verified = await eventually(
      () => client.admin.getVerification({ params: { id: job_id } }),
      ({ status }) => status === 'completed' || status === 'failed',
      60_000,
    );
    expect(verified).toMatchObject({ status: 'completed', faults: [] });
  });
});
