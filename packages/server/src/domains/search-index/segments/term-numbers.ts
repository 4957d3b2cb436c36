import { blockBytes } from './format.ts';
import type { IndexSnapshot } from './index-snapshot.ts';

/**
 * The terms of a snapshot, numbered in the order of their first occurrence; terms of deleted
 * documents alone have no number.
 */
export class TermNumbers {
  readonly #snapshot: IndexSnapshot;
  /** By number in the index; −1 without one. */
  readonly #numbers: Int32Array;
  readonly #sources: number[] = [];
  readonly #lengths: Int32Array;
  readonly #frequencies: Int32Array;
  /** By number: the last document that has it, plus 1. */
  readonly #lastDocument: Int32Array;
  readonly passageEnds: Int32Array;

  constructor(snapshot: IndexSnapshot) {
    const count = snapshot.termCount;
    this.#snapshot = snapshot;
    this.#numbers = new Int32Array(count).fill(-1);
    this.#lengths = new Int32Array(count);
    this.#frequencies = new Int32Array(count);
    this.#lastDocument = new Int32Array(count);
    this.passageEnds = new Int32Array(snapshot.passageSources.length);
  }

  /** The terms of all passages, one after the other. The other fields are set then. */
  *numberPassages(passagesPerChunk: number): Generator<Int32Array> {
    const { index, passageSources } = this.#snapshot;
    let total = 0;
    let chunk: number[] = [];
    for (const [passage, source] of passageSources.entries()) {
      const document = index.passageDocument.at(source);
      index.terms.eachTermOf(source, (term) => chunk.push(this.#count(term, document)));
      this.passageEnds[passage] = total + chunk.length;
      if ((passage + 1) % passagesPerChunk !== 0 && chunk.length < blockBytes / 32) continue;
      yield Int32Array.from(chunk);
      total += chunk.length;
      chunk = [];
    }
    yield Int32Array.from(chunk);
  }

  /** By number: that in the index. */
  get sources(): readonly number[] {
    return this.#sources;
  }

  /** By number: the length of the posting list. */
  get lengths(): Int32Array {
    return this.#lengths.subarray(0, this.#sources.length);
  }

  /** By number: the documents that contain it. */
  get frequencies(): Int32Array {
    return this.#frequencies.subarray(0, this.#sources.length);
  }

  #count(term: number, document: number): number {
    let number = this.#numbers[term] as number;
    if (number < 0) {
      number = this.#sources.length;
      this.#numbers[term] = number;
      this.#sources.push(term);
    }
    this.#lengths[number] = (this.#lengths[number] as number) + 1;
    if (this.#lastDocument[number] !== document + 1) {
      this.#lastDocument[number] = document + 1;
      this.#frequencies[number] = (this.#frequencies[number] as number) + 1;
    }
    return number;
  }
}
