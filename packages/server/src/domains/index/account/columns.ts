/** Bits of a document's flags. */
export const alive = 1;
/** Its last sentence asks. */
export const asks = 2;
/** A question stands near its end: the next turn may answer it. */
export const asksAtEnd = 4;
export const byUser = 8;
export const pinned = 16;
/** Said in a conversation: it stands in a session, or somebody spoke it. */
export const turn = 32;

/** Many accounts are small: 64 bytes at most stand in an array's own object. */
const firstRoom = 8;

type Column = Float64Array | Float32Array | Int32Array | Uint8Array;

function wider<T extends Column>(column: T, room: number): T {
  const next = new (column.constructor as new (room: number) => T)(room);
  next.set(column);
  return next;
}

/** What the ranking reads of each document, by document number, in arrays that grow together. */
export class Columns {
  length = 0;
  #room = firstRoom;
  flags = new Uint8Array(firstRoom);
  priority = new Uint8Array(firstRoom);
  /** Content words over all passages. */
  words = new Int32Array(firstRoom);
  /** What it lends to neighbours and to its own passages: min(1, 20 / words). */
  lends = new Float32Array(firstRoom);
  /** What it borrows of them: min(1, 40 / words). */
  borrows = new Float32Array(firstRoom);
  /** Words borrowed of its neighbours, which count into its length. */
  borrowed = new Float32Array(firstRoom);
  firstPassage = new Int32Array(firstRoom);
  passages = new Int32Array(firstRoom);
  /** Number of the session, −1 without one; and the place in it. */
  session = new Int32Array(firstRoom);
  place = new Int32Array(firstRoom);
  space = new Int32Array(firstRoom);
  /** How much it is of who speaks rather than of who is spoken to, −1..1. */
  ofSpeaker = new Float32Array(firstRoom);
  /** Number of who spoke, −1 when unknown. */
  speaker = new Int32Array(firstRoom);
  contentType = new Uint8Array(firstRoom);
  salience = new Float32Array(firstRoom);
  salienceAt = new Float64Array(firstRoom);
  occurredAt = new Float64Array(firstRoom);
  createdAt = new Float64Array(firstRoom);
  /** 1 / length of the vector's bytes, 0 without a vector. */
  inverseNorm = new Float32Array(firstRoom);

  /** The number of a new document; its columns are zero. */
  add(): number {
    if (this.length === this.#room) this.#widen();
    this.length += 1;
    return this.length - 1;
  }

  #widen(): void {
    const room = this.#room * 2;
    this.#room = room;
    this.flags = wider(this.flags, room);
    this.priority = wider(this.priority, room);
    this.words = wider(this.words, room);
    this.lends = wider(this.lends, room);
    this.borrows = wider(this.borrows, room);
    this.borrowed = wider(this.borrowed, room);
    this.firstPassage = wider(this.firstPassage, room);
    this.passages = wider(this.passages, room);
    this.session = wider(this.session, room);
    this.place = wider(this.place, room);
    this.space = wider(this.space, room);
    this.ofSpeaker = wider(this.ofSpeaker, room);
    this.speaker = wider(this.speaker, room);
    this.contentType = wider(this.contentType, room);
    this.salience = wider(this.salience, room);
    this.salienceAt = wider(this.salienceAt, room);
    this.occurredAt = wider(this.occurredAt, room);
    this.createdAt = wider(this.createdAt, room);
    this.inverseNorm = wider(this.inverseNorm, room);
  }
}
