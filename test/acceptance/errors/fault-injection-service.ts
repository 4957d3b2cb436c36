import { fileURLToPath } from 'node:url';
import type { Engine } from '../../../packages/server/src/database/index.ts';
import { openTestEngine, overrideEngine } from '../../../packages/server/src/database/testing.ts';
import {
  createEmbedder,
  type Embedder,
} from '../../../packages/server/src/providers/embedding/index.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { createFakeMedia } from '../../support/fake-media.ts';
import { type engines, type Service, startService } from '../../support/service.ts';

const migrations = fileURLToPath(new URL('../../../packages/server/migrations', import.meta.url));

/** A running service whose parts inside can be made to fail, or to keep everybody waiting. */
export interface FaultInjectionService {
  readonly engine: (typeof engines)[number];
  readonly service: Service;
  readonly clock: FakeClock;
  /** Until disposed, the embedder rejects with this. */
  failEmbedding(error: Error): Disposable;
  /** Until disposed, no transaction begins: each rejects with this. */
  failTransactions(error: Error): Disposable;
  /** Until disposed, the embedder does not answer. */
  blockEmbedding(): BlockedCalls;
  stop(): Promise<void>;
}

interface BlockedCalls extends Disposable {
  /** Resolves when so many calls wait. */
  waitForCalls(count: number): Promise<void>;
}

export async function startFaultInjectionService(
  engine: (typeof engines)[number],
): Promise<FaultInjectionService> {
  const clock = createFakeClock();
  const opened = await openTestEngine(engine, { migrations });
  const storage = withSwitchableFailure(opened.engine);
  const model = withBlockableCalls(await createEmbedder({ provider: 'static' }));
  const overrides = {
    ...createFakeMedia(),
    clock,
    engine: storage.engine,
    embedder: model.embedder,
  };
  const service = await startService(engine, { overrides });
  return {
    engine,
    service,
    clock,
    failEmbedding: model.fail,
    failTransactions: storage.fail,
    blockEmbedding: model.hold,
    async stop() {
      await service.stop();
      await opened.cleanup();
    },
  };
}

function withSwitchableFailure(real: Engine): { engine: Engine; fail(error: Error): Disposable } {
  let fault: Error | null = null;
  const engine = overrideEngine(real, {
    transaction: (...given) => (fault ? Promise.reject(fault) : real.transaction(...given)),
  });
  return {
    engine,
    fail(error) {
      fault = error;
      return {
        [Symbol.dispose]() {
          fault = null;
        },
      };
    },
  };
}

function withBlockableCalls(real: Embedder): {
  embedder: Embedder;
  fail(error: Error): Disposable;
  hold(): BlockedCalls;
} {
  let fault: Error | null = null;
  let gate: Promise<void> | null = null;
  let inside = 0;
  let arrived: () => void = () => undefined;
  const embedder: Embedder = {
    model: real.model,
    dimensions: real.dimensions,
    async embed(texts, purpose, signal) {
      if (fault) throw fault;
      inside += 1;
      arrived();
      await gate;
      inside -= 1;
      return real.embed(texts, purpose, signal);
    },
    [Symbol.asyncDispose]: () => real[Symbol.asyncDispose](),
  };
  return {
    embedder,
    fail(error) {
      fault = error;
      return {
        [Symbol.dispose]() {
          fault = null;
        },
      };
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return {
        waitForCalls: (count) =>
          new Promise((there) => {
            arrived = () => inside >= count && there();
            arrived();
          }),
        [Symbol.dispose]() {
          gate = null;
          resolve();
        },
      };
    },
  };
}
