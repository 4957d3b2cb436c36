import { fileURLToPath } from 'node:url';
import type { Client } from '@mneme/sdk';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startRecordedService } from '../../../../../test/support/recorded-statements.ts';
import { runCount, testSeed } from '../../../../../test/support/run-count.ts';
import { eachEngine } from '../../database/testing.ts';
import type { Embedder } from '../../providers/embedding/index.ts';
import { indexCache } from './index-cache.ts';
import { readIndexPosition } from './store/documents.ts';
import { makeQuery } from './testing.ts';
import type { NearestQuery } from './thread/protocol.ts';

const migrations = fileURLToPath(new URL('../../../migrations', import.meta.url));

const words = ['moved', 'Berlin', 'Munich', 'coffee', 'no longer', 'battery', 'Ana', 'works'];
const text = fc
  .tuple(
    fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 }),
    // A long text has several passages.
    fc.constantFrom(1, 1, 40, 80),
  )
  .map(([chosen, times]) => `${chosen.join(' ')}. `.repeat(times));

/** One write: of a new memory, or to the nth of those that there are. */
const write = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('create' as const), content: text }) },
  fc.record({ kind: fc.constant('bulk' as const), contents: fc.array(text, { maxLength: 3 }) }),
  fc.record({ kind: fc.constant('change' as const), nth: fc.nat(), content: text }),
  fc.record({ kind: fc.constant('tag' as const), nth: fc.nat() }),
  fc.record({ kind: fc.constant('settle' as const) }),
  fc.record({ kind: fc.constant('hide' as const), nth: fc.nat() }),
  fc.record({ kind: fc.constant('remove' as const), nth: fc.nat() }),
  fc.record({ kind: fc.constant('supersede' as const), nth: fc.nat(), content: text }),
);

const everything: Omit<NearestQuery, 'source'> = {
  spaces: null,
  threshold: 0,
  scale: 'model',
  limit: 1_000,
};

describe.each(eachEngine({ migrations }))('an index on $name', ({ name, open }) => {
  async function start() {
    const ending = new AsyncDisposableStack();
    const { service, taken } = ending.use(await startRecordedService({ name, open }));
    const { id: accountId, client } = await service.createAccount();
    const { app } = service.running.context;
    const cache = indexCache.of(app);
    const { vector, model } = await embedOne(app.embedder);
    const request = {
      kind: 'nearest',
      accountId,
      query: { ...everything, source: { vector } },
    } as const;
    const nearest = async () => {
      const documents = (await cache.queryIfLoaded(request, model)) ?? [];
      return documents.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    };
    /** What the index has of terms, texts and their counts. */
    const stated = async () => {
      const all = { accountId, spaces: null, terms: ['coffe', 'moved', 'berlin'] };
      const holding = all.terms.map(async (term) =>
        (await cache.query({ ...all, kind: 'holding', terms: [term] })).toSorted(),
      );
      const query = makeQuery('coffee in Berlin', { vector, ranker: 'word' });
      const page = { offset: 0, limit: 100, explain: false };
      return [
        await cache.query({ ...all, kind: 'frequencies' }),
        await cache.query({ kind: 'page', accountId, query, page }),
        ...(await Promise.all(holding)),
      ];
    };
    const { encodingWorker, extractionWorker } = service.running.context;
    const settle = async () => {
      await encodingWorker.drain();
      await extractionWorker.drain();
    };
    const position = async () =>
      (await readIndexPosition(app.engine.db, accountId))?.index_position ?? 0;
    return { ending, client, cache, accountId, nearest, stated, settle, position, taken };
  }

  it('that follows commits is the one that would be read', async () => {
    const { ending, client, cache, accountId, nearest, stated, settle, position } = await start();
    await using _ = ending;
    const ids: string[] = [];
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 6 }), async (writes) => {
        for (const one of writes) {
          if (one.kind === 'settle') await settle();
          else await perform(client, one, ids);
        }
        // Texts are encoded in the background: what was committed meanwhile is followed, too.
        for (let isCompared = false; !isCompared; ) {
          const before = await position();
          const followed = [await nearest(), await stated()];
          cache.evict(accountId);
          const loaded = [await stated(), await nearest()].toReversed();
          isCompared = (await position()) === before;
          if (isCompared) expect(followed).toEqual(loaded);
        }
      }),
      { numRuns: runCount(5, 200), seed: testSeed, endOnFailure: true },
    );
  });

  it('takes memories, vectors and what outdates them from commits without a read', async () => {
    const { ending, client, nearest, settle, taken } = await start();
    await using _ = ending;
    await client.memories.create({ body: { content: 'I live in Munich.' } });
    expect(await nearest()).toHaveLength(1);
    taken();
    await client.memories.create({ body: { content: 'I drink coffee.' } });
    await client.memories.create({ body: { content: 'I no longer live in Munich.' } });
    expect(await nearest()).toHaveLength(3);
    await settle();
    expect(await nearest()).toHaveLength(3);
    const read = taken().filter((sql) => sql.includes('case when hidden then null'));
    expect(read).toEqual([]);
  });
});

async function embedOne(embedder: Embedder): Promise<{ vector: Float32Array; model: string }> {
  const [vector] = await embedder.embed(['coffee'], 'document');
  if (!vector) throw new Error('no vector');
  return { vector, model: embedder.model };
}

type Write = typeof write extends fc.Arbitrary<infer T> ? T : never;
type ApiWrite = Exclude<Write, { readonly kind: 'settle' }>;

/** A write by the API; one to a memory that is gone does nothing. */
async function perform(client: Client, one: ApiWrite, ids: string[]): Promise<void> {
  const fields = { allow_duplicate: true } as const;
  if (one.kind === 'create') {
    const { id } = await client.memories.create({ body: { content: one.content, ...fields } });
    ids.push(id);
    return;
  }
  if (one.kind === 'bulk') {
    const memories = one.contents.map((content) => ({ content, ...fields }));
    if (memories.length === 0) return;
    const created = await client.memories.bulkCreate({ body: { memories } });
    ids.push(...created.memories.map(({ id }) => id));
    return;
  }
  const id = ids[one.nth % Math.max(1, ids.length)];
  if (id === undefined) return;
  const params = { id };
  switch (one.kind) {
    case 'change':
      await client.memories.update({ params, body: { content: `${one.content} ${one.nth}` } });
      break;
    case 'tag':
      await client.memories.update({ params, body: { tags: [`tag${one.nth}`] } });
      break;
    case 'supersede': {
      const body = { content: one.content, supersedes: [id], ...fields };
      ids.push((await client.memories.create({ body })).id);
      break;
    }
    case 'hide':
    case 'remove':
      await client.memories.remove({ params, query: { soft: one.kind === 'hide' } });
      ids.splice(ids.indexOf(id), 1);
  }
}
