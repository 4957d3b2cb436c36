import { type Clock, systemClock } from '../../../packages/server/src/kernel/clock.ts';
import {
  createEmbedder,
  type Embedder,
  EmbeddingFailed,
  type EmbeddingPurpose,
} from '../../../packages/server/src/providers/embedding/index.ts';

/** The real clock, set ahead; its timers are ten times as fast, so that tests wait for less. */
export class AcceleratedClock implements Clock {
  readonly monotonicMs = systemClock.monotonicMs;
  #aheadMs = 0;

  now = (): Date => new Date(systemClock.now().getTime() + this.#aheadMs);

  after = (ms: number, call: () => void): Disposable => systemClock.after(ms / 10, call);

  advance(ms: number): void {
    this.#aheadMs += ms;
  }
}

/** The shipped embedder behind a gate of the test. */
export class GatedEmbedder implements Embedder {
  readonly model: string;
  readonly dimensions: number;
  /** Runs before texts are embedded; may wait, or throw. */
  beforeEmbed: (texts: readonly string[]) => Promise<void> | void = () => undefined;
  /** Who has come since the gate was closed. */
  waitingCount = 0;
  readonly #inner: Embedder;
  #open: () => void = () => undefined;

  private constructor(inner: Embedder) {
    this.model = inner.model;
    this.dimensions = inner.dimensions;
    this.#inner = inner;
  }

  /** From here on whoever embeds waits inside, until the gate is opened. */
  closeGate(): void {
    const opened = Promise.withResolvers<void>();
    this.waitingCount = 0;
    this.beforeEmbed = () => {
      this.waitingCount += 1;
      return opened.promise;
    };
    this.#open = opened.resolve;
  }

  /** Also where it is open already. */
  openGate(): void {
    this.beforeEmbed = () => undefined;
    this.#open();
  }

  static async open(): Promise<GatedEmbedder> {
    return new GatedEmbedder(await createEmbedder({ provider: 'static' }));
  }

  async embed(texts: readonly string[], purpose: EmbeddingPurpose): Promise<Float32Array[]> {
    if (texts.length === 0) return [];
    await this.beforeEmbed(texts);
    return this.#inner.embed(texts, purpose);
  }

  /** Runs `fn` while every text is refused, as by a provider that is down. */
  async whileDown<T>(fn: () => Promise<T>): Promise<T> {
    const before = this.beforeEmbed;
    this.beforeEmbed = () => {
      throw new EmbeddingFailed('the provider is down', { unavailable: true });
    };
    try {
      return await fn();
    } finally {
      this.beforeEmbed = before;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#inner[Symbol.asyncDispose]();
  }
}
