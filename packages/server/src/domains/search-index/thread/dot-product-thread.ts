import { MessageChannel, Worker } from 'node:worker_threads';
import { resolveScriptUrl } from '../../../kernel/script-url.ts';
import type { ChunkTask, DotProductHelper } from '../account/chunk-task.ts';
import { fillProducts } from '../account/dot-program.ts';
import { SharedDotProducts, sharedChunksMax } from '../account/shared-dot-products.ts';

/** Of fewer than 16,384 vectors, the dot products take less than another thread would save. */
const chunksMin = 512;

/** What the thread is told: a memory that it computes in, or one that is used no more. */
export type DotProductMessage =
  | { readonly id: number; readonly memory: SharedWebAssemblyMemory }
  | { readonly id: number; readonly memory: null };

export interface DotProductThreadOptions {
  readonly buffer: SharedArrayBuffer;
  /** Has the messages. */
  readonly port: unknown;
}

/**
 * A thread that helps the one that creates it. It starts with the first large account. If it stops,
 * the other computes alone from then on.
 */
export class DotProductThread implements DotProductHelper {
  readonly #shared = new SharedDotProducts();
  readonly #channel = new MessageChannel();
  readonly #ids = new Map<SharedWebAssemblyMemory, number>();
  #lastId = 0;
  #worker: Worker | null = null;
  readonly #onFailure: (error: Error) => void;

  /** @param onFailure called once if an error ends the thread */
  constructor(onFailure: (error: Error) => void) {
    this.#onFailure = onFailure;
  }

  canTake(chunks: number): boolean {
    return chunks >= chunksMin && chunks <= sharedChunksMax && this.#shared.release();
  }

  begin(task: ChunkTask, chunks: readonly number[]): (() => void) | null {
    this.#worker ??= this.#start();
    const { stride, products, program } = task;
    const memory = this.#idOf(task.memory);
    if (!this.#shared.begin({ memory, stride, products }, chunks)) return null;
    return () =>
      this.#shared.finish((_, chunk, place) => fillProducts(program, task, chunk, place));
  }

  forget(memory: SharedWebAssemblyMemory): void {
    const id = this.#ids.get(memory);
    if (id === undefined) return;
    this.#ids.delete(memory);
    this.#post({ id, memory: null });
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #idOf(memory: SharedWebAssemblyMemory): number {
    const known = this.#ids.get(memory);
    if (known !== undefined) return known;
    this.#lastId += 1;
    this.#ids.set(memory, this.#lastId);
    this.#post({ id: this.#lastId, memory });
    return this.#lastId;
  }

  #post(message: DotProductMessage): void {
    this.#channel.port1.postMessage(message);
  }

  #start(): Worker {
    const { port1, port2 } = this.#channel;
    const script = resolveScriptUrl(new URL('./dot-product-entry.ts', import.meta.url));
    const worker = new Worker(script, {
      name: 'mneme-dot-products',
      workerData: { buffer: this.#shared.buffer, port: port2 },
      transferList: [port2],
      // It has nothing but its program.
      resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 },
    });
    // What it leaves unfinished is computed here.
    worker.on('error', (error) => this.#onFailure(error as Error));
    worker.unref();
    port1.unref();
    return worker;
  }
}
