import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Engine } from '../../../packages/server/src/database/index.ts';
import { openTestEngine, overrideEngine } from '../../../packages/server/src/database/testing.ts';
import {
  createEmbedder,
  type Embedder,
} from '../../../packages/server/src/providers/embedding/index.ts';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, startService } from '../../support/service.ts';
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

describe.each(engines)('creates that share a transaction on %s', (engine) => {
  it('whose connection breaks at its end are told so, not that they are duplicates', async () => {
    await using ending = new AsyncDisposableStack();
    const opened = await openTestEngine(engine, { migrations });
    ending.defer(() => opened.cleanup());
    const storage = breaking(opened.engine);
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
      async () => embedded,
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
