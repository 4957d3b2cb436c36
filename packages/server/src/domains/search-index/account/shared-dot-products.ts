import type { DotProductTask } from './dot-program.ts';

/** Chunks are taken so many at a time: about 50 µs of work. */
const blockChunks = 64;
/** Of four million vectors. */
export const sharedChunksMax = 2 ** 17;

const blocksMax = sharedChunksMax / blockChunks;

/** Places in the shared numbers; `finished` has one for each block, `list` one for each chunk. */
const at = {
  generation: 0,
  next: 1,
  done: 2,
  isBusy: 3,
  memory: 4,
  stride: 5,
  products: 6,
  count: 7,
  finished: 8,
  list: 8 + blocksMax,
};
/** As the next block: there is none to take. */
const closed = 2 ** 30;

/** How long what the helper has taken is waited for, before it is computed again. */
const waitMs = 2;

/** What dot products are computed of. */
interface SharedTask extends DotProductTask {
  /** Which memory the chunks are in. */
  readonly memory: number;
}

/** Computes the chunks of a task, which have places in its list. */
type ComputeChunk = (task: SharedTask, chunk: number, place: number) => void;

/**
 * Dot products that two threads compute: a thread that searches, and one that helps it. Both take
 * blocks of chunks until none is left, so that the searcher needs no helper, and does not wait for
 * one that is not running.
 *
 * The searcher opens a task only while the helper is not busy. What the helper has taken and not
 * finished is computed by both; they write the same.
 */
export class SharedDotProducts {
  readonly buffer: SharedArrayBuffer;
  readonly #numbers: Int32Array;

  /** @param buffer of the searcher, for its helper; left out: a new one */
  constructor(buffer?: SharedArrayBuffer) {
    this.buffer = buffer ?? new SharedArrayBuffer(4 * (at.list + sharedChunksMax));
    this.#numbers = new Int32Array(this.buffer);
    if (!buffer) Atomics.store(this.#numbers, at.next, closed);
  }

  /**
   * In the searcher: ends a task that an error has left open. True if the helper is in none, so
   * that it writes nothing until the next one begins.
   */
  release(): boolean {
    Atomics.store(this.#numbers, at.next, closed);
    return Atomics.load(this.#numbers, at.isBusy) === 0;
  }

  /**
   * In the searcher: begins a task, which `finish` completes. False if the helper is still busy
   * with an earlier one: then nothing may be written to where it writes.
   * @param chunks at most `sharedChunksMax`
   */
  begin({ memory, stride, products }: SharedTask, chunks: readonly number[]): boolean {
    const numbers = this.#numbers;
    if (!this.release()) return false;
    numbers[at.memory] = memory;
    numbers[at.stride] = stride;
    numbers[at.products] = products;
    numbers[at.count] = chunks.length;
    numbers.set(chunks, at.list);
    numbers.fill(0, at.finished, at.finished + this.#blockCount());
    Atomics.store(numbers, at.done, 0);
    // Whoever takes a block from now on sees all of the above.
    Atomics.store(numbers, at.next, 0);
    Atomics.add(numbers, at.generation, 1);
    Atomics.notify(numbers, at.generation);
    return true;
  }

  /** In the searcher: computes what is left, and returns when all is computed. */
  finish(compute: ComputeChunk): void {
    const numbers = this.#numbers;
    const blocks = this.#blockCount();
    for (let block = this.#take(); block !== null; block = this.#take()) {
      this.#computeBlock(block, compute);
    }
    const done = Atomics.load(numbers, at.done);
    if (done < blocks) Atomics.wait(numbers, at.done, done, waitMs);
    for (let block = 0; block < blocks; block += 1) {
      const isFinished = Atomics.load(numbers, at.finished + block) === 1;
      if (!isFinished) this.#computeBlock(block, compute);
    }
    Atomics.store(numbers, at.next, closed);
  }

  /** In the helper: waits for a task and takes part in it. Returns its number. */
  help(last: number, compute: ComputeChunk): number {
    const numbers = this.#numbers;
    Atomics.wait(numbers, at.generation, last);
    const generation = Atomics.load(numbers, at.generation);
    Atomics.store(numbers, at.isBusy, 1);
    for (let block = this.#take(); block !== null; block = this.#take()) {
      this.#computeBlock(block, compute);
      Atomics.notify(numbers, at.done);
    }
    Atomics.store(numbers, at.isBusy, 0);
    return generation;
  }

  #blockCount(): number {
    return Math.ceil((this.#numbers[at.count] as number) / blockChunks);
  }

  #take(): number | null {
    const block = Atomics.add(this.#numbers, at.next, 1);
    return block < this.#blockCount() ? block : null;
  }

  #computeBlock(block: number, compute: ComputeChunk): void {
    const numbers = this.#numbers;
    const task = {
      memory: numbers[at.memory] as number,
      stride: numbers[at.stride] as number,
      products: numbers[at.products] as number,
    };
    const end = Math.min((block + 1) * blockChunks, numbers[at.count] as number);
    for (let i = block * blockChunks; i < end; i += 1) {
      compute(task, numbers[at.list + i] as number, i);
    }
    // Whoever sees this sees what was computed.
    Atomics.store(numbers, at.finished + block, 1);
    Atomics.add(numbers, at.done, 1);
  }
}
