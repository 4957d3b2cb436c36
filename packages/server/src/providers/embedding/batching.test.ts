import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBatchingEmbedder } from './batching.ts';
import { type Embedder, EmbeddingFailed, type EmbeddingPurpose } from './embedding.ts';

type Answer = (texts: readonly string[], signal?: AbortSignal) => Promise<void>;

/** Embeds each text by its length, and records the calls. */
function recorder(answer: Answer = async () => {}) {
  const batches: { texts: readonly string[]; purpose: EmbeddingPurpose }[] = [];
  const state = { running: 0, runningMax: 0, closed: false };
  const inner: Embedder = {
    model: 'recorder',
    dimensions: 1,
    async embed(texts, purpose, signal) {
      batches.push({ texts, purpose });
      state.running++;
      state.runningMax = Math.max(state.runningMax, state.running);
      try {
        await answer(texts, signal);
      } finally {
        state.running--;
      }
      return texts.map(vectorOf);
    },
    async [Symbol.asyncDispose]() {
      state.closed = true;
    },
  };
  return { inner, batches, state };
}

const vectorOf = (text: string) => Float32Array.of(text.length);
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const outcomeOf = (call: Promise<Float32Array[]>) =>
  call.then(
    (vectors) => vectors,
    (error: unknown) => error,
  );

const calls = fc.array(
  fc.record({
    texts: fc.array(fc.string(), { maxLength: 12 }),
    purpose: fc.constantFrom<EmbeddingPurpose>('query', 'document'),
    turn: fc.nat(3),
  }),
  { maxLength: 12 },
);

test('every caller gets the vectors of its own texts, in order, one batch at a time', async () => {
  await fc.assert(
    fc.asyncProperty(calls, fc.integer({ min: 1, max: 8 }), async (plan, maxBatch) => {
      const { inner, batches, state } = recorder(async () => void (await nextTurn()));
      const embedder = createBatchingEmbedder(inner, { maxBatch });
      const answers = plan.map(async ({ texts, purpose, turn }) => {
        for (let i = 0; i < turn; i++) await nextTurn();
        return embedder.embed(texts, purpose);
      });
      const vectors = await Promise.all(answers);
      expect(vectors).toEqual(plan.map(({ texts }) => texts.map(vectorOf)));
      expect(state.runningMax).toBeLessThanOrEqual(1);
      expect(batches.every((batch) => batch.texts.length <= maxBatch)).toBe(true);
      const sent = batches.flatMap((batch) => batch.texts.map((text) => batch.purpose + text));
      const asked = plan.flatMap(({ texts, purpose }) => texts.map((text) => purpose + text));
      expect(sent.toSorted()).toEqual(asked.toSorted());
    }),
  );
});

test('a bad text fails only its own caller', async () => {
  await fc.assert(
    fc.asyncProperty(calls, fc.integer({ min: 1, max: 8 }), async (plan, maxBatch) => {
      const { inner } = recorder(async (texts) => {
        if (texts.some((text) => text.includes('a'))) throw new EmbeddingFailed('bad text');
      });
      const embedder = createBatchingEmbedder(inner, { maxBatch });
      const outcomes = await Promise.all(
        plan.map(({ texts, purpose }) => outcomeOf(embedder.embed(texts, purpose))),
      );
      for (const [i, { texts }] of plan.entries()) {
        const isBad = texts.some((text) => text.includes('a'));
        if (isBad) expect(outcomes[i]).toBeInstanceOf(EmbeddingFailed);
        else expect(outcomes[i]).toEqual(texts.map(vectorOf));
      }
    }),
  );
});

test('calls of one event loop iteration share a batch; queries and documents do not', async () => {
  const { inner, batches } = recorder();
  const embedder = createBatchingEmbedder(inner, { maxBatch: 100 });
  await Promise.all([
    embedder.embed(['a', 'b'], 'document'),
    embedder.embed(['q'], 'query'),
    embedder.embed(['c'], 'document'),
  ]);
  expect(batches.map((batch) => batch.texts.toSorted())).toEqual([['a', 'b', 'c'], ['q']]);
});

test('calls made while a batch runs share the next one', async () => {
  const gate = Promise.withResolvers<void>();
  const { inner, batches } = recorder(() => gate.promise);
  const embedder = createBatchingEmbedder(inner, { maxBatch: 100 });
  const first = embedder.embed(['a'], 'document');
  await nextTurn();
  await nextTurn();
  const later = [embedder.embed(['b'], 'document')];
  await nextTurn();
  later.push(embedder.embed(['c'], 'document'));
  expect(batches).toHaveLength(1);
  gate.resolve();
  await Promise.all([first, ...later]);
  expect(batches.map((batch) => batch.texts)).toEqual([['a'], ['b', 'c']]);
});

test('a small call waits for one batch of a large one, not for all of them', async () => {
  const { inner, batches } = recorder(async () => void (await nextTurn()));
  const embedder = createBatchingEmbedder(inner, { maxBatch: 10 });
  const large = embedder.embed(Array.from({ length: 1000 }, String), 'document');
  await nextTurn();
  await nextTurn();
  await embedder.embed(['small'], 'document');
  expect(batches.length).toBeLessThan(5);
  await large;
});

test('an unavailable model is not retried for each caller', async () => {
  const { inner, batches } = recorder(async () => {
    throw new EmbeddingFailed('down', { unavailable: true });
  });
  const embedder = createBatchingEmbedder(inner, { maxBatch: 10 });
  const made = ['a', 'b', 'c'].map((text) => outcomeOf(embedder.embed([text], 'query')));
  for (const outcome of await Promise.all(made)) expect(outcome).toBeInstanceOf(EmbeddingFailed);
  expect(batches).toHaveLength(1);
});

test('an unavailable model fails all waiting calls and is retried by the next', async () => {
  let down = true;
  const { inner, batches } = recorder(async () => {
    await nextTurn();
    if (down) throw new EmbeddingFailed('down', { unavailable: true });
  });
  const embedder = createBatchingEmbedder(inner, { maxBatch: 1 });
  expect(embedder.isFailing).toBe(false);
  const made = ['a', 'b', 'c'].map((text) => outcomeOf(embedder.embed([text], 'document')));
  made.push(outcomeOf(embedder.embed(['d'], 'query')));
  for (const outcome of await Promise.all(made)) expect(outcome).toBeInstanceOf(EmbeddingFailed);
  expect(batches).toHaveLength(1);
  expect(embedder.isFailing).toBe(true);
  down = false;
  await expect(embedder.embed(['a'], 'document')).resolves.toHaveLength(1);
  expect(embedder.isFailing).toBe(false);
});

test('a failed batch does not stop the next one', async () => {
  let fails = true;
  const { inner } = recorder(async () => {
    if (fails) throw new Error('broken');
  });
  const embedder = createBatchingEmbedder(inner, { maxBatch: 10 });
  await expect(embedder.embed(['a'], 'query')).rejects.toThrow('broken');
  fails = false;
  await expect(embedder.embed(['a'], 'query')).resolves.toHaveLength(1);
});

test('one caller leaving does not disturb another in the same batch', async () => {
  const gate = Promise.withResolvers<void>();
  const signals: (AbortSignal | undefined)[] = [];
  const { inner } = recorder((_, signal) => {
    signals.push(signal);
    return gate.promise;
  });
  const embedder = createBatchingEmbedder(inner, { maxBatch: 10 });
  const leaving = new AbortController();
  const left = outcomeOf(embedder.embed(['a'], 'query', leaving.signal));
  const stays = embedder.embed(['bb'], 'query');
  await nextTurn();
  await nextTurn();
  leaving.abort(new Error('gone'));
  expect(await left).toEqual(new Error('gone'));
  expect(signals[0]?.aborted).toBe(false);
  gate.resolve();
  expect(await stays).toEqual([vectorOf('bb')]);
});

test('a batch that every caller has left is cancelled', async () => {
  const cancelled = Promise.withResolvers<void>();
  const { inner } = recorder((_, signal) => {
    signal?.addEventListener('abort', () => cancelled.resolve());
    return cancelled.promise;
  });
  const embedder = createBatchingEmbedder(inner, { maxBatch: 10 });
  const leaving = new AbortController();
  const left = outcomeOf(embedder.embed(['a'], 'query', leaving.signal));
  await nextTurn();
  await nextTurn();
  leaving.abort();
  await left;
  await cancelled.promise;
});

test('a caller that leaves the queue is never embedded', async () => {
  const gate = Promise.withResolvers<void>();
  const { inner, batches } = recorder(() => gate.promise);
  const embedder = createBatchingEmbedder(inner, { maxBatch: 10 });
  const first = embedder.embed(['a'], 'query');
  await nextTurn();
  await nextTurn();
  const leaving = new AbortController();
  const left = outcomeOf(embedder.embed(['b'], 'query', leaving.signal));
  leaving.abort();
  await left;
  gate.resolve();
  await first;
  await embedder[Symbol.asyncDispose]();
  expect(batches).toHaveLength(1);
});

test('closing waits for earlier calls and rejects new ones', async () => {
  const { inner, state } = recorder(async () => void (await nextTurn()));
  const embedder = createBatchingEmbedder(inner, { maxBatch: 1 });
  const made = embedder.embed(['a', 'b', 'c'], 'document');
  await embedder[Symbol.asyncDispose]();
  expect(state.closed).toBe(true);
  expect(await made).toHaveLength(3);
  await expect(embedder.embed(['d'], 'document')).rejects.toBeInstanceOf(EmbeddingFailed);
});

test('a model that returns too few vectors fails the call', async () => {
  const { inner } = recorder();
  const short: Embedder = { ...inner, embed: async () => [] };
  const embedder = createBatchingEmbedder(short, { maxBatch: 10 });
  await expect(embedder.embed(['a'], 'query')).rejects.toThrow('0 vectors for 1 texts');
});
