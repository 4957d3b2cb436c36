import type { Client } from '@mneme/sdk';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EmbeddingFailed } from '../../../packages/server/src/providers/embedding/index.ts';
import { eventually } from '../../support/eventually.ts';
import {
  copyDataLocation,
  createDataLocation,
  createSiblingLocation,
  type DataLocation,
} from '../../support/server-process.ts';
import { engines } from '../../support/service.ts';
import {
  runReembedding,
  type StartedService,
  shareAdminKey,
  startServiceAt,
  vectorCounts,
} from './started-service.ts';
import { rejectedWord, TinyEmbedder, wordCountVector } from './tiny-embedder.ts';

const contents = [
  'The car would not start because its battery was dead.',
  'Ana prefers tea over coffee.',
  'The boiler in the cellar leaks.',
  'Ben booked a flight to Lisbon.',
];
const shipped = 'static-en-192@1';

const store = async (client: Client, content: string, fields: object = {}): Promise<string> =>
  (await client.memories.create({ body: { content, ...fields } })).id;

const find = async (client: Client, q: string) =>
  (await client.search.post({ body: { q, explain: true } })).results;

/** The similarity of two memories by the vectors that the index has now. */
const likeness = async (client: Client, a: string, b: string): Promise<number | undefined> => {
  const query = { threshold: 0, limit: 50 };
  const { results } = await client.search.similar({ params: { memoryId: a }, query });
  return results.find(({ memory }) => memory.id === b)?.similarity;
};

const cosine = (a: string, b: string, { dimensions }: TinyEmbedder): number => {
  const [x, y] = [wordCountVector(a, dimensions), wordCountVector(b, dimensions)];
  return x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0);
};

describe.each(engines)('another embedding model on %s', (engine) => {
  let place: DataLocation;
  let ids: string[];
  let open: StartedService[] = [];
  let filled: DataLocation;
  beforeAll(async () => {
    filled = await createDataLocation(engine);
    const first = await startServiceAt(filled);
    ids = [];
    for (const content of contents) ids.push(await store(first.client, content));
    await first[Symbol.asyncDispose]();
  });
  afterAll(() => filled.remove());
  beforeEach(async () => {
    place = await copyDataLocation(filled);
    shareAdminKey(filled, place);
  });
  afterEach(async () => {
    for (const one of open) await one[Symbol.asyncDispose]();
    open = [];
    await place.remove();
  });
  const start = async (...given: Parameters<typeof startServiceAt>): Promise<StartedService> => {
    const started = await startServiceAt(...given);
    open.push(started);
    return started;
  };

  /** As another process does it, of which this one knows nothing. */
  async function changedElsewhere(service: StartedService, tiny: TinyEmbedder): Promise<void> {
    const { db } = service.running.context.app.engine;
    const rows = await db.selectFrom('vectors').selectAll().execute();
    for (const [i, { document_id }] of rows.entries()) {
      const content = contents[ids.indexOf(document_id)] ?? String(i);
      const vector = wordCountVector(content, tiny.dimensions);
      const bytes = Int8Array.from(vector, (value) => Math.round(value * 127));
      await db
        .insertInto('vectors')
        .values({
          account_id: rows[i]?.account_id ?? '',
          document_id,
          model: tiny.model,
          dimensions: tiny.dimensions,
          vector: new Uint8Array(bytes.buffer),
        })
        .execute();
    }
    const model = { model: tiny.model, dimensions: tiny.dimensions, settings: null };
    await db
      .insertInto('embedding_models')
      .values({ ...model, created_at: new Date(0) })
      .execute();
    await db.updateTable('account_positions').set({ model: tiny.model }).execute();
  }

  it('gets vectors of new contents ahead of the change, beside those that are used', async () => {
    const service = await start(place, { embedder: new TinyEmbedder() });
    await store(service.client, 'A new automobile with an old accumulator.');
    const [first = ''] = ids;
    await service.client.memories.update({
      params: { id: first },
      body: { content: 'Its tyres are flat.' },
    });
    expect(await vectorCounts(service)).toEqual({ [shipped]: 5, 'tiny@1': 2 });
    expect((await find(service.client, 'flat tyres'))[0]?.id).toBe(first);
  });

  it('finds by its own vectors after the change; those of the former one are gone', async () => {
    const embedder = new TinyEmbedder();
    const service = await start(place, { embedder });
    const [a = '', b = ''] = ids;
    await service.client.memories.remove({ params: { id: ids[3] ?? '' }, query: { soft: true } });
    const former = await likeness(service.client, a, b);
    const report = await runReembedding(service);
    expect(report).toMatchObject({
      status: 'completed',
      progress: 1,
      model: 'tiny@1',
      dimensions: 40,
      accounts: 1,
      embedded: 4,
      refused: 0,
      erased: 4,
    });
    expect(await vectorCounts(service)).toEqual({ 'tiny@1': 4 });
    const now = await likeness(service.client, a, b);
    expect(now).toBeCloseTo(cosine(contents[0] ?? '', contents[1] ?? '', embedder), 1);
    expect(now).not.toBeCloseTo(former ?? 0, 2);
    await service.client.memories.restore({ params: { id: ids[3] ?? '' } });
    const [hit] = await find(service.client, 'booked a flight to Lisbon');
    expect(hit).toMatchObject({ id: ids[3], why_matched: { semantic_rank: 1 } });
  });

  it('changes back and forth, also to a model of the same length', async () => {
    const tiny = new TinyEmbedder();
    for (const embedder of [tiny, new TinyEmbedder('other@1'), undefined]) {
      const service = await startServiceAt(place, {
        ...(embedder ? { embedder } : {}),
        makeEmbedder: async (model) => new TinyEmbedder(model),
      });
      expect(await runReembedding(service)).toMatchObject({ status: 'completed', embedded: 4 });
      expect(await vectorCounts(service)).toEqual({ [embedder?.model ?? shipped]: 4 });
      const [hit] = await find(service.client, 'the boiler leaks');
      expect(hit).toMatchObject({ id: ids[2], why_matched: { semantic_rank: 1 } });
      await service[Symbol.asyncDispose]();
    }
  });

  it('is a change that runs once, however often it is asked for, and to one model', async () => {
    const embedder = new TinyEmbedder();
    const reached = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    embedder.gate = async ([text = '']) => {
      if (text === 'dimensions') return;
      reached.resolve();
      await held.promise;
    };
    const service = await startServiceAt(place, { embedder });
    const { job_id: first } = await service.client.admin.startReembedding();
    await reached.promise;
    expect(await service.client.admin.startReembedding()).toEqual({ job_id: first });
    held.resolve();
    await service[Symbol.asyncDispose]();
    const makeEmbedder = async (model: string) => new TinyEmbedder(model);
    const other = await start(place, { embedder: new TinyEmbedder('other@1', 24), makeEmbedder });
    const { job_id: second } = await other.client.admin.startReembedding();
    if (second !== first) {
      const ended = await other.client.admin.getReembedding({ params: { id: first } });
      expect(ended.status).toMatch(/cancelled|completed/);
    }
    expect(await runReembedding(other)).toMatchObject({ status: 'completed', model: 'other@1' });
    expect(await vectorCounts(other)).toEqual({ 'other@1': 4 });
  });

  it('is told of to whoever searches by the former one', async () => {
    const tiny = new TinyEmbedder();
    const service = await start(place, { makeEmbedder: async () => tiny });
    await find(service.client, 'tea');
    await changedElsewhere(service, tiny);
    const [hit] = await find(service.client, contents[1] ?? '');
    expect(hit).toMatchObject({ id: ids[1], why_matched: { semantic_rank: 1 } });
    expect(hit?.why_matched?.semantic_score).toBeCloseTo(1, 1);
  });

  it('is told of to whoever writes by the former one', async () => {
    const tiny = new TinyEmbedder();
    const service = await start(place, { makeEmbedder: async () => tiny });
    await find(service.client, 'tea');
    await changedElsewhere(service, tiny);
    const { db } = service.running.context.app.engine;
    const added = await store(service.client, 'Two kettles of tea for Ana.');
    const changed = ids[2] ?? '';
    await service.client.memories.update({
      params: { id: changed },
      body: { content: 'The boiler was mended.' },
    });
    const of = async (id: string) =>
      (await db.selectFrom('vectors').select('model').where('document_id', '=', id).execute())
        .map((row) => row.model)
        .sort();
    expect(await of(added)).toEqual([shipped, tiny.model]);
    expect(await of(changed)).toEqual([shipped, tiny.model]);
    const similar = await likeness(service.client, ids[1] ?? '', added);
    expect(similar).toBeCloseTo(cosine(contents[1] ?? '', 'Two kettles of tea for Ana.', tiny), 1);
    const [hit] = await find(service.client, 'two kettles of tea');
    expect(hit).toMatchObject({ id: added, why_matched: { semantic_rank: 1 } });
  });

  // What embedders and searches do about it does not depend on the engine.
  if (engine === engines[0]) {
    it('leaves every search as it was until it is changed to', async () => {
      const before = await startServiceAt(place);
      const was = await find(before.client, 'why did the vehicle fail?');
      await before[Symbol.asyncDispose]();
      const service = await start(place, { embedder: new TinyEmbedder() });
      const is = await find(service.client, 'why did the vehicle fail?');
      // The first search was an access, which raises the salience and with it the score.
      const evidence = ({ id, why_matched }: (typeof is)[number]) => {
        const { keyword, whole_text, semantic, restated, bias } = why_matched?.features ?? {};
        return { id, keyword, whole_text, semantic, restated, bias };
      };
      expect(is.map(evidence)).toEqual(was.map(evidence));
      expect(evidence(is[0] as (typeof is)[number]).semantic).toBeGreaterThan(0);
      await eventually(
        async () => service.logLines.join('\n'),
        (log) => /"model":"static-en-192@1","configured":"tiny@1".*mneme reembed/.test(log),
      );
    });

    it('keeps no vector of a content that is no more, also while it cannot embed', async () => {
      const embedder = new TinyEmbedder();
      const service = await start(place, { embedder });
      const [first = ''] = ids;
      const rewrite = (content: string) =>
        service.client.memories.update({ params: { id: first }, body: { content } });
      await rewrite('Its tyres are flat.');
      expect(await vectorCounts(service)).toEqual({ [shipped]: 4, 'tiny@1': 1 });
      embedder.gate = () => {
        throw new EmbeddingFailed('down', { unavailable: true });
      };
      await rewrite('Its brakes are worn.');
      expect((await find(service.client, 'worn brakes'))[0]?.id).toBe(first);
      expect(await vectorCounts(service)).toEqual({ [shipped]: 4 });
      embedder.gate = () => undefined;
      expect(await runReembedding(service)).toMatchObject({ status: 'completed', embedded: 4 });
    });

    it('takes no notice of a text that it refuses, which words still find', async () => {
      const former = await startServiceAt(place);
      const refused = await store(former.client, `An ${rejectedWord} marzipan.`);
      await former[Symbol.asyncDispose]();
      const service = await start(place, { embedder: new TinyEmbedder() });
      expect(await runReembedding(service)).toMatchObject({
        status: 'completed',
        embedded: 4,
        refused: 1,
      });
      expect((await find(service.client, 'marzipan'))[0]?.id).toBe(refused);
    });

    it('gets the length that a caller’s own vector must have when it is changed to', async () => {
      const service = await start(place, { embedder: new TinyEmbedder() });
      const own = (dimensions: number) => ({ embedding: Array(dimensions).fill(1) });
      const mine = await store(service.client, 'Brought along.', own(192));
      const refusal = (dimensions: number) =>
        service.client.request({
          method: 'POST',
          path: '/memories',
          body: { content: 'x', ...own(dimensions) },
        });
      expect((await refusal(40)).body).toMatchObject({
        error: { code: 'invalid_embedding', details: { expected_dimensions: 192 } },
      });
      await runReembedding(service);
      expect((await refusal(192)).body).toMatchObject({
        error: { code: 'invalid_embedding', details: { expected_dimensions: 40 } },
      });
      // Its vector cannot be made again: it is embedded by its content like all others.
      const [hit] = await find(service.client, 'brought along');
      expect(hit).toMatchObject({ id: mine, why_matched: { semantic_rank: 1 } });
    });

    it('is changed to by itself where the former one cannot be made any more', async () => {
      const embedder = new TinyEmbedder();
      const held = Promise.withResolvers<void>();
      embedder.gate = async ([text = '']) => {
        if (contents.includes(text)) await held.promise;
      };
      const makeEmbedder = async (): Promise<never> => {
        throw new EmbeddingFailed('gone');
      };
      const service = await start(place, { embedder, makeEmbedder });
      const [hit] = await find(service.client, 'the boiler leaks');
      expect(hit).toMatchObject({ id: ids[2], why_matched: { semantic_rank: null } });
      const added = await store(service.client, 'The lawn mower is broken.');
      expect((await find(service.client, 'lawn mower'))[0]?.id).toBe(added);
      held.resolve();
      await eventually(
        () => find(service.client, 'the boiler leaks'),
        ([first]) => first?.why_matched?.semantic_rank === 1,
        20_000,
      );
      await eventually(
        () => vectorCounts(service),
        (counts) => JSON.stringify(counts) === '{"tiny@1":5}',
      );
    });
  }

  if (engine === 'PostgreSQL') {
    it('is followed by every other process at once', async () => {
      const tiny = new TinyEmbedder();
      const makeEmbedder = async () => tiny;
      const former = await start(place, { makeEmbedder });
      await find(former.client, 'tea');
      const beside = await createSiblingLocation(place);
      shareAdminKey(place, beside);
      const service = await startServiceAt(beside, { embedder: tiny });
      // The former process, which is configured for another model, leaves the job alone.
      await service.client.admin.startReembedding();
      await former.running.context.worker.drain();
      expect(await runReembedding(service)).toMatchObject({ status: 'completed' });
      expect(former.logLines.join('\n')).not.toContain('job failed');
      await service[Symbol.asyncDispose]();
      await beside.remove();
      const added = await store(former.client, 'Two kettles of tea for Ana.');
      const similar = await likeness(former.client, ids[1] ?? '', added);
      const expected = cosine(contents[1] ?? '', 'Two kettles of tea for Ana.', tiny);
      expect(similar).toBeCloseTo(expected, 1);
    });
  }
});
