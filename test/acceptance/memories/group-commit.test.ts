import { fileURLToPath } from 'node:url';
import type { KyselyPlugin } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Engine } from '../../../packages/server/src/database/index.ts';
import { openTestEngine, overrideEngine } from '../../../packages/server/src/database/testing.ts';
import {
  createEmbedder,
  type Embedder,
} from '../../../packages/server/src/providers/embedding/index.ts';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { isAvailable } from '../../support/requirements.ts';
import { engines, serverEngine, startService } from '../../support/service.ts';
import { memoryBodies } from './memory-requests.ts';

const migrations = fileURLToPath(new URL('../../../packages/server/migrations', import.meta.url));

/** The real engine; once armed, its first transaction waits and its second loses its answer. */
function breaking(real: Engine) {
  const held = Promise.withResolvers<void>();
  let [armed, count] = [false, 0];
  const engine = overrideEngine(real, {
    async transaction(...given) {
      const number = armed ? ++count : 0;
      if (number === 1) await held.promise;
      const result = await real.transaction(...given);
      if (number === 2) throw new Error('Connection terminated unexpectedly');
      return result;
    },
  });
  return {
    engine,
    arm: () => {
      armed = true;
    },
    release: () => held.resolve(),
  };
}

/** An embedder that counts its texts. */
async function createCountingEmbedder() {
  const model = await createEmbedder({ provider: 'static' });
  let embedded = 0;
  const embedder: Embedder = {
    model: model.model,
    dimensions: model.dimensions,
    async embed(texts, purpose) {
      const vectors = await model.embed(texts, purpose);
      embedded += vectors.length;
      return vectors;
    },
    [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
  };
  return { embedder, embedded: () => embedded };
}

describe.each(engines)('creates that share a transaction on %s', (engine) => {
  it('whose connection breaks at its end are told so, not that they are duplicates', async () => {
    await using ending = new AsyncDisposableStack();
    const opened = await openTestEngine(engine, { migrations });
    ending.defer(() => opened.cleanup());
    const storage = breaking(opened.engine);
    const { embedder, embedded } = await createCountingEmbedder();
    // Nobody else begins a transaction, since no timer fires.
    const overrides = { engine: storage.engine, embedder, clock: createFakeClock() };
    const service = await startService(engine, { overrides });
    ending.defer(() => service.stop());
    const { client } = await service.createAccount();

    storage.arm();
    const answers = memoryBodies(5).map((body) =>
      client.request({ method: 'POST', path: '/memories', body }),
    );
    await eventually(
      async () => embedded(),
      (count) => count === 5,
    );
    storage.release();
    const codes = (await Promise.all(answers)).map(
      ({ body }) => (body as { error?: { code: string } }).error?.code ?? 'stored',
    );
    expect(codes.toSorted()).toEqual([...Array<string>(4).fill('storage_error'), 'stored']);
    expect((await client.memories.list()).data).toHaveLength(5);
  });
});

/** The real engine; its transactions wait while it is held, and record ids in their parameters. */
function recording(real: Engine) {
  const transactions: Set<unknown>[] = [];
  let held: Promise<void> | null = null;
  const engine = overrideEngine(real, {
    transaction: (fn, options) =>
      real.transaction(async (tx) => {
        await held;
        const parameters = new Set<unknown>();
        transactions.push(parameters);
        const plugin: KyselyPlugin = {
          transformQuery({ node, queryId }) {
            for (const one of tx.getExecutor().compileQuery(node, queryId).parameters)
              parameters.add(one);
            return node;
          },
          transformResult: async ({ result }) => result,
        };
        return fn(tx.withPlugin(plugin) as typeof tx);
      }, options),
  });
  return {
    engine,
    transactions,
    hold(until: Promise<void>): void {
      held = until;
    },
  };
}

describe.runIf(isAvailable('citus')).each([serverEngine])('creates on %s', (engine) => {
  it('share transactions with those of their account only, so that one node commits', async () => {
    await using ending = new AsyncDisposableStack();
    const opened = await openTestEngine(engine, { migrations });
    ending.defer(() => opened.cleanup());
    const storage = recording(opened.engine);
    const { embedder, embedded } = await createCountingEmbedder();
    const overrides = { engine: storage.engine, embedder, clock: createFakeClock() };
    const service = await startService(engine, { overrides });
    ending.defer(() => service.stop());
    const accounts = await Promise.all([1, 2, 3].map(() => service.createAccount()));
    const ids = accounts.map(({ id }) => id);

    storage.transactions.length = 0;
    const release = Promise.withResolvers<void>();
    storage.hold(release.promise);
    const created = accounts.flatMap(({ client }) =>
      memoryBodies(8).map((body) => client.memories.create({ body })),
    );
    // The first of each account waits in its transaction, and the others in the queue.
    await eventually(
      async () => embedded(),
      (count) => count === accounts.length * 8,
    );
    release.resolve();
    await Promise.all(created);
    const named = storage.transactions.map((parameters) => ids.filter((id) => parameters.has(id)));
    expect(named.filter((own) => own.length > 1)).toEqual([]);
    for (const id of ids) {
      const own = named.filter(([account]) => account === id);
      expect(own.length).toBeGreaterThan(0);
      expect(own.length).toBeLessThan(8);
    }
    for (const { client } of accounts) {
      expect((await client.memories.list()).data).toHaveLength(8);
    }
  });
});
