import { type Embedder, EmbeddingFailed, type EmbeddingPurpose } from './embedding.ts';

/** One call of `embed`, from its making until it is settled. */
interface EmbedCall {
  texts: readonly string[];
  purpose: EmbeddingPurpose;
  vectors: Float32Array[];
  /** How many of the texts are in a batch or done. */
  batchedCount: number;
  isSettled: boolean;
  resolve(vectors: Float32Array[]): void;
  reject(error: unknown): void;
}

/** Neighbouring texts of one call that go into one batch. */
interface BatchSlice {
  call: EmbedCall;
  texts: readonly string[];
}

/**
 * Puts a queue before an embedder: calls made in the same turn of the event loop, or while a
 * batch runs, share the next batch. One batch runs at a time.
 *
 * A batch takes from its callers in turn, so a call with ten thousand texts delays one with a
 * single text by a batch or two. Queries and documents never share a batch. When a shared batch
 * fails for a reason other than an unavailable model, each caller's part is tried alone: one
 * caller's bad text fails that caller only. An unavailable model fails everybody who waits for it:
 * each would wait as long in turn. Closing refuses new calls and waits for the others.
 */
export function createBatchingEmbedder(inner: Embedder, options: { maxBatch: number }): Embedder {
  return new BatchingEmbedder(inner, options.maxBatch);
}

class BatchingEmbedder implements Embedder {
  readonly model: string;
  readonly dimensions: number;
  readonly #inner: Embedder;
  readonly #maxBatch: number;
  #queue: EmbedCall[] = [];
  #running: Promise<void> | undefined;
  #inFlight: { calls: Set<EmbedCall>; controller: AbortController } | undefined;
  #closed = false;
  #isFailing = false;

  constructor(inner: Embedder, maxBatch: number) {
    if (!(maxBatch >= 1)) throw new RangeError(`maxBatch must be at least 1, not ${maxBatch}`);
    this.model = inner.model;
    this.dimensions = inner.dimensions;
    this.#inner = inner;
    this.#maxBatch = maxBatch;
  }

  get isFailing(): boolean {
    return this.#isFailing;
  }

  async embed(
    texts: readonly string[],
    purpose: EmbeddingPurpose,
    signal?: AbortSignal,
  ): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    if (this.#closed) throw new EmbeddingFailed('embedder is closed');
    if (texts.length === 0) return [];
    const { promise, resolve, reject } = Promise.withResolvers<Float32Array[]>();
    const call: EmbedCall = {
      texts,
      purpose,
      vectors: [],
      batchedCount: 0,
      isSettled: false,
      resolve,
      reject,
    };
    const leave = () => this.#leave(call, signal?.reason);
    signal?.addEventListener('abort', leave, { once: true });
    this.#queue.push(call);
    this.#running ??= this.#run();
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await this.#running;
    await this.#inner[Symbol.asyncDispose]();
  }

  async #run(): Promise<void> {
    await nextEventLoopTick();
    while (this.#queue.length > 0) await this.#embedShared(this.#nextBatch());
    this.#running = undefined;
  }

  /** Slices of equal size from the calls of one purpose; calls with texts left go to the end. */
  #nextBatch(): BatchSlice[] {
    const purpose = this.#queue[0]?.purpose;
    const together = this.#queue.filter((call) => call.purpose === purpose);
    const calls = together.slice(0, this.#maxBatch);
    const slices: BatchSlice[] = [];
    let room = this.#maxBatch;
    // Those who want least come first, so that what they leave falls to those who want more.
    const byNeed = calls.toSorted((a, b) => remaining(a) - remaining(b));
    for (const [i, call] of byNeed.entries()) {
      const share = Math.floor(room / (byNeed.length - i));
      const texts = call.texts.slice(call.batchedCount, call.batchedCount + share);
      call.batchedCount += texts.length;
      room -= texts.length;
      slices.push({ call, texts });
    }
    const served = new Set(calls);
    const unfinished = calls.filter((call) => remaining(call) > 0);
    this.#queue = [...this.#queue.filter((call) => !served.has(call)), ...unfinished];
    return slices;
  }

  async #embedShared(slices: BatchSlice[]): Promise<void> {
    try {
      await this.#embedSlices(slices);
      this.#isFailing = false;
    } catch (error) {
      if (error instanceof EmbeddingFailed && error.unavailable) {
        this.#isFailing = true;
        for (const call of [...slices.map((slice) => slice.call), ...this.#queue]) {
          this.#fail(call, error);
        }
        return;
      }
      const alone = slices.filter(({ call }) => !call.isSettled);
      if (slices.length === 1) {
        for (const { call } of alone) this.#fail(call, error);
        return;
      }
      for (const slice of alone) {
        if (!slice.call.isSettled) await this.#embedShared([slice]);
      }
    }
  }

  /** One call of the inner embedder, cancelled when every caller has gone. */
  async #embedSlices(slices: BatchSlice[]): Promise<void> {
    const texts = slices.flatMap((slice) => slice.texts);
    const purpose = slices[0]?.call.purpose ?? 'document';
    const controller = new AbortController();
    this.#inFlight = { calls: new Set(slices.map((slice) => slice.call)), controller };
    try {
      const vectors = await this.#inner.embed(texts, purpose, controller.signal);
      if (vectors.length !== texts.length) {
        throw new EmbeddingFailed(`${vectors.length} vectors for ${texts.length} texts`);
      }
      let from = 0;
      for (const slice of slices) {
        deliverVectors(slice.call, vectors.slice(from, from + slice.texts.length));
        from += slice.texts.length;
      }
    } finally {
      this.#inFlight = undefined;
    }
  }

  /** A caller has gone: nothing more is embedded for it alone. */
  #leave(call: EmbedCall, reason: unknown): void {
    this.#fail(call, reason);
    const batch = this.#inFlight;
    if (!batch) return;
    const abandoned = [...batch.calls].every((other) => other.isSettled);
    if (abandoned) batch.controller.abort(reason);
  }

  #fail(call: EmbedCall, error: unknown): void {
    if (call.isSettled) return;
    call.isSettled = true;
    this.#queue = this.#queue.filter((other) => other !== call);
    call.reject(error);
  }
}

function remaining(call: EmbedCall): number {
  return call.texts.length - call.batchedCount;
}

function deliverVectors(call: EmbedCall, vectors: Float32Array[]): void {
  call.vectors.push(...vectors);
  if (call.isSettled || call.vectors.length < call.texts.length) return;
  call.isSettled = true;
  call.resolve(call.vectors);
}

/** Lets everything that is ready in this turn of the event loop join the first batch. */
function nextEventLoopTick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
