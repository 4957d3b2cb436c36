import { copyToCapacity, nextCapacity } from './capacity.ts';

/** Bits of a document's flags. */
export const liveFlag = 1;
/** The last sentence is a question. */
export const questionFlag = 2;
/** There is a question near the end: the next turn may answer it. */
export const questionAtEndFlag = 4;
export const userFlag = 8;
export const pinnedFlag = 16;
/** Part of a conversation: it is in a session or has a speaker. */
export const turnFlag = 32;
/** Something is known that may hold instead of it. */
export const successorsFlag = 64;
/** It has several passages. */
export const longFlag = 128;

/** Many accounts are small, and V8 stores at most 64 bytes inside the array object itself. */
const initialCapacity = 8;

export type Column = Float64Array | Float32Array | Int32Array | Uint32Array | Uint8Array;
export type ColumnName = (typeof columnNames)[number];

/** In the order in which segments have them. */
export const columnNames = [
  'flags',
  'priority',
  'words',
  'contextWeight',
  'neighbourWeight',
  'contextWords',
  'firstPassage',
  'passageCount',
  'session',
  'sessionPosition',
  'space',
  'firstPersonBalance',
  'speaker',
  'contentType',
  'owner',
  'salience',
  'salienceAt',
  'occurredAt',
  'createdAt',
  'position',
  'inverseNorm',
  'idHash',
] as const;

/**
 * The fields of each document that the ranking reads, by document number, in arrays that grow
 * together.
 */
export class DocumentColumns {
  length = 0;
  #capacity = initialCapacity;
  flags = new Uint8Array(initialCapacity);
  priority = new Uint8Array(initialCapacity);
  /** Content words of all passages. */
  words = new Int32Array(initialCapacity);
  /** Weight of its words for neighbours and for its own passages: min(1, 20 / words). */
  contextWeight = new Float32Array(initialCapacity);
  /** Weight of its neighbours' words for it: min(1, 40 / words). */
  neighbourWeight = new Float32Array(initialCapacity);
  /** Words that it receives from neighbours; they count towards its length. */
  contextWords = new Float32Array(initialCapacity);
  firstPassage = new Int32Array(initialCapacity);
  passageCount = new Int32Array(initialCapacity);
  /** Number of the session, −1 without one; then the position in it. */
  session = new Int32Array(initialCapacity);
  sessionPosition = new Int32Array(initialCapacity);
  space = new Int32Array(initialCapacity);
  /** Balance of first and second person words, −1..1: 1 is all first person. */
  firstPersonBalance = new Float32Array(initialCapacity);
  /** Number of the speaker, −1 if unknown. */
  speaker = new Int32Array(initialCapacity);
  contentType = new Uint8Array(initialCapacity);
  /** Number of whom it belongs to. */
  owner = new Int32Array(initialCapacity);
  salience = new Float32Array(initialCapacity);
  salienceAt = new Float64Array(initialCapacity);
  occurredAt = new Float64Array(initialCapacity);
  createdAt = new Float64Array(initialCapacity);
  /** Position of its last change other than that of its vector alone. */
  position = new Float64Array(initialCapacity);
  /** 1 / length of the quantised vector, 0 without a vector. */
  inverseNorm = new Float32Array(initialCapacity);
  /** Hash of the id: samples consist of the documents with the smallest. */
  idHash = new Uint32Array(initialCapacity);

  /** Including what is empty. */
  get byteLength(): number {
    return columnNames.reduce((sum, name) => sum + this[name].byteLength, 0);
  }

  /** Returns the number of a new document, whose columns are zero. */
  add(): number {
    if (this.length === this.#capacity) this.#grow();
    this.length += 1;
    return this.length - 1;
  }

  /** Sets the columns of documents of a segment; all have the same capacity. */
  restore(length: number, columns: Readonly<Record<ColumnName, Column>>): void {
    this.length = length;
    this.#capacity = columns.flags.length;
    Object.assign(this, columns);
  }

  #grow(): void {
    const capacity = nextCapacity(this.#capacity);
    this.#capacity = capacity;
    const grown = columnNames.map((name) => [name, copyToCapacity(this[name], capacity)]);
    Object.assign(this, Object.fromEntries(grown));
  }
}
