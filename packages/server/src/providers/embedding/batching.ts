import { type Embedder, EmbeddingFailed, type EmbeddingPurpose } from './embedding.ts';

/** One call of `embed`, from its start until it settles. */
interface EmbedCall {
  texts: readonly string[];
  purpose: EmbeddingPurpose;
  vectors: Float32Array[];
  /** Number of texts that are in a batch or done. */
  batchedCount: number;
  isSettled: boolean;
  resolve(vectors: Float32Array[]): void;
  reject(error: unknown): void;
}

/** Consecutive texts of one call in the same batch. */
interface BatchSlice {
  call: EmbedCall;
  texts: readonly string[];
}

/**
 * Adds a queue to an embedder: calls made in the same event loop iteration, or while a batch runs,
 * share the next batch. One batch runs at a time.
 *
 * A batch takes equal shares from its callers, so a call with ten thousand texts delays one with a
 * single text by a batch or two. Queries and documents never share a batch. If a shared batch fails
 * for a reason other than an unavailable model, each caller's part is retried alone, so that an
 * invalid text fails only its own caller. An unavailable model fails all waiting calls, since each
 * would wait as long. Closing rejects new calls and waits for the others.
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
    const onAbort = () => this.#leave(call, signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#queue.push(call);
    this.#running ??= this.#run();
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', onAbort);
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

  /** Equal slices from the calls of one purpose; calls with remaining texts move to the end. */
  #nextBatch(): BatchSlice[] {
    const purpose = this.#queue[0]?.purpose;
    const samePurpose = this.#queue.filter((call) => call.purpose === purpose);
    const calls = samePurpose.slice(0, this.#maxBatch);
    const slices: BatchSlice[] = [];
    let available = this.#maxBatch;
    // Smallest calls first, so that their unused share goes to larger ones.
    const byNeed = calls.toSorted((a, b) => remaining(a) - remaining(b));
    for (const [i, call] of byNeed.entries()) {
      const share = Math.floor(available / (byNeed.length - i));
      const texts = call.texts.slice(call.batchedCount, call.batchedCount + share);
      call.batchedCount += texts.length;
      available -= texts.length;
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

  /** One call of the inner embedder, cancelled when every caller has left. */
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

  /** A caller has left: texts of this caller alone are not embedded. */
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

/** Lets all calls of this event loop iteration join the first batch. */
function nextEventLoopTick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
