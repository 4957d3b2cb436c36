/** Bits of a document's flags. */
export const liveFlag = 1;
/** Its last sentence asks. */
export const questionFlag = 2;
/** A question stands near its end: the next turn may answer it. */
export const questionAtEndFlag = 4;
export const userFlag = 8;
export const pinnedFlag = 16;
/** Said in a conversation: it stands in a session, or somebody spoke it. */
export const turnFlag = 32;

/** Many accounts are small: 64 bytes at most stand in an array's own object. */
const initialCapacity = 8;

type Column = Float64Array | Float32Array | Int32Array | Uint8Array;

function copyToCapacity<T extends Column>(column: T, room: number): T {
  const next = new (column.constructor as new (room: number) => T)(room);
  next.set(column);
  return next;
}

/** What the ranking reads of each document, by document number, in arrays that grow together. */
export class Columns {
  length = 0;
  #capacity = initialCapacity;
  flags = new Uint8Array(initialCapacity);
  priority = new Uint8Array(initialCapacity);
  /** Content words over all passages. */
  words = new Int32Array(initialCapacity);
  /** What it lends to neighbours and to its own passages: min(1, 20 / words). */
  contextWeight = new Float32Array(initialCapacity);
  /** What it borrows of them: min(1, 40 / words). */
  neighbourWeight = new Float32Array(initialCapacity);
  /** Words borrowed of its neighbours, which count into its length. */
  contextWords = new Float32Array(initialCapacity);
  firstPassage = new Int32Array(initialCapacity);
  passageCount = new Int32Array(initialCapacity);
  /** Number of the session, −1 without one; and the place in it. */
  session = new Int32Array(initialCapacity);
  sessionPosition = new Int32Array(initialCapacity);
  space = new Int32Array(initialCapacity);
  /** How much it is of who speaks rather than of who is spoken to, −1..1. */
  firstPersonBalance = new Float32Array(initialCapacity);
  /** Number of who spoke, −1 when unknown. */
  speaker = new Int32Array(initialCapacity);
  contentType = new Uint8Array(initialCapacity);
  salience = new Float32Array(initialCapacity);
  salienceAt = new Float64Array(initialCapacity);
  occurredAt = new Float64Array(initialCapacity);
  createdAt = new Float64Array(initialCapacity);
  /** 1 / length of the vector's bytes, 0 without a vector. */
  inverseNorm = new Float32Array(initialCapacity);

  /** The number of a new document; its columns are zero. */
  add(): number {
    if (this.length === this.#capacity) this.#grow();
    this.length += 1;
    return this.length - 1;
  }

  #grow(): void {
    const room = this.#capacity * 2;
    this.#capacity = room;
    this.flags = copyToCapacity(this.flags, room);
    this.priority = copyToCapacity(this.priority, room);
    this.words = copyToCapacity(this.words, room);
    this.contextWeight = copyToCapacity(this.contextWeight, room);
    this.neighbourWeight = copyToCapacity(this.neighbourWeight, room);
    this.contextWords = copyToCapacity(this.contextWords, room);
    this.firstPassage = copyToCapacity(this.firstPassage, room);
    this.passageCount = copyToCapacity(this.passageCount, room);
    this.session = copyToCapacity(this.session, room);
    this.sessionPosition = copyToCapacity(this.sessionPosition, room);
    this.space = copyToCapacity(this.space, room);
    this.firstPersonBalance = copyToCapacity(this.firstPersonBalance, room);
    this.speaker = copyToCapacity(this.speaker, room);
    this.contentType = copyToCapacity(this.contentType, room);
    this.salience = copyToCapacity(this.salience, room);
    this.salienceAt = copyToCapacity(this.salienceAt, room);
    this.occurredAt = copyToCapacity(this.occurredAt, room);
    this.createdAt = copyToCapacity(this.createdAt, room);
    this.inverseNorm = copyToCapacity(this.inverseNorm, room);
  }
}
