import type { AccountIndex } from '../account/account-index.ts';
import { type Column, type ColumnName, columnNames } from '../account/columns.ts';
import type { SessionTurns } from '../account/sessions.ts';
import type { FactsEnd } from '../model.ts';

/** Lists of some documents, by document number. */
export type SparseLists<T> = readonly (readonly [document: number, values: T])[];

/** A session with live documents, under their new numbers. */
interface SnapshotSession extends SessionTurns {
  readonly id: string;
}

/** Numbers that are given in the order of first use. */
class Renumbering {
  readonly #numbers = new Map<number, number>();
  /** Neighbours often have the same. */
  #last: readonly [old: number, number: number] = [-1, -1];

  get olds(): number[] {
    return [...this.#numbers.keys()];
  }

  numberOf(old: number): number {
    if (old === this.#last[0]) return this.#last[1];
    if (old < 0) return old;
    const number = this.#numbers.get(old) ?? this.#numbers.size;
    this.#numbers.set(old, number);
    this.#last = [old, number];
    return number;
  }
}

/**
 * The live documents of an index at one moment, numbered as in an index that is loaded again: what
 * is deleted has left nothing. Copies what changes in place; terms and vectors are read later,
 * since their lists only grow at their ends.
 */
export class IndexSnapshot {
  readonly index: AccountIndex;
  /** The documents, by their number in the index. */
  readonly documents: Int32Array;
  /** By number in the index: that in the snapshot; −1 if it is deleted. */
  readonly passages: Int32Array;
  readonly columns: Readonly<Record<ColumnName, Column>>;
  /** By number in the snapshot: those of the index. */
  readonly passageSources: Int32Array;
  readonly ids: ReturnType<AccountIndex['ids']['copy']>;
  readonly tags: SparseLists<readonly string[]>;
  readonly dates: SparseLists<Float64Array>;
  readonly supersededBy: SparseLists<readonly string[]>;
  readonly likelySupersededBy: SparseLists<readonly string[]>;
  readonly factsEnds: SparseLists<FactsEnd>;
  readonly spaceIds: readonly (string | null)[];
  readonly speakers: readonly string[];
  readonly contentTypes: readonly string[];
  readonly owners: AccountIndex['owners']['all'];
  readonly sessions: readonly SnapshotSession[];
  readonly contextTerms: readonly (readonly [term: string, passages: Int32Array])[];
  readonly passageVectors: ReturnType<typeof copyPassageVectors>;
  /** Terms that are added later have larger numbers. */
  readonly termCount: number;

  constructor(index: AccountIndex) {
    this.index = index;
    this.documents = liveDocuments(index);
    const all = this.#gatherColumns();
    this.passages = new Int32Array(index.passageDocument.length).fill(-1);
    this.passageSources = this.#numberPassages(all);
    this.ids = index.ids.copy(this.documents);
    this.tags = this.#collect((number) => index.tags[number] ?? null);
    this.dates = this.#collect((number) => index.dates.get(number)?.slice());
    this.supersededBy = this.#collectFrom(index.successors.supersededBy);
    this.likelySupersededBy = this.#collectFrom(index.successors.likelySupersededBy);
    this.factsEnds = this.#collectFrom(index.successors.factsEnd);
    const { spaceIds, speakers, contentTypes, owners } = index;
    this.spaceIds = renumber(all.space, (old) => spaceIds[old] as string | null);
    this.speakers = renumber(all.speaker, (old) => speakers.names[old] as string);
    this.contentTypes = renumber(all.contentType, (old) => contentTypes.nameOf(old));
    const allOwners = owners.all;
    this.owners = renumber(all.owner, (old) => allOwners[old] as (typeof allOwners)[number]);
    this.sessions = this.#copySessions(all);
    this.contextTerms = this.#copyContextTerms();
    this.passageVectors = copyPassageVectors(index, this.documents);
    this.columns = all;
    this.termCount = index.terms.count;
  }

  /** Of the documents that have a value. */
  #collect<T>(read: (number: number) => T | null | undefined): [document: number, values: T][] {
    const present: [document: number, values: T][] = [];
    for (const [document, number] of this.documents.entries()) {
      const value = read(number) ?? null;
      if (value !== null) present.push([document, value]);
    }
    return present;
  }

  /** As `#collect`, of values that only live documents have: no look-up for each document. */
  #collectFrom<T>(values: ReadonlyMap<number, T>): [document: number, values: T][] {
    let document = 0;
    return [...values]
      .sort(([a], [b]) => a - b)
      .flatMap(([number, value]): [document: number, values: T][] => {
        while ((this.documents[document] ?? number) < number) document += 1;
        return this.documents[document] === number ? [[document, value]] : [];
      });
  }

  #gatherColumns(): Record<ColumnName, Column> {
    const { index, documents } = this;
    const runs = consecutiveRuns(documents);
    const gathered = columnNames.map((name) => {
      const from = index.columns[name];
      const to = new (from.constructor as new (length: number) => Column)(documents.length);
      for (const [at, first, length] of runs) to.set(from.subarray(first, first + length), at);
      return [name, to] as const;
    });
    return Object.fromEntries(gathered) as Record<ColumnName, Column>;
  }

  #numberPassages({ firstPassage, passageCount }: Record<ColumnName, Column>): Int32Array {
    let total = 0;
    for (const count of passageCount) total += count;
    const sources = new Int32Array(total);
    let next = 0;
    for (let i = 0; i < this.documents.length; i += 1) {
      const [first, count] = [firstPassage[i] as number, passageCount[i] as number];
      firstPassage[i] = next;
      for (let passage = first; passage < first + count; passage += 1) {
        this.passages[passage] = next;
        sources[next] = passage;
        next += 1;
      }
    }
    return sources;
  }

  #copySessions({ session, space }: Record<ColumnName, Column>): SnapshotSession[] {
    const { index } = this;
    const { all, ids } = index.sessions;
    const newNumbers = new Int32Array(index.columns.length).fill(-1);
    for (const [i, number] of this.documents.entries()) newNumbers[number] = i;
    return renumber(session, (old) => {
      const { turns, ordinals, words } = all[old] as SessionTurns;
      const now = turns.map((number) => newNumbers[number] as number);
      const own = space[now[0] as number] as number;
      return { id: ids[old] as string, space: own, turns: now, ordinals: [...ordinals], words };
    });
  }

  #copyContextTerms(): [term: string, passages: Int32Array][] {
    const copies: [term: string, passages: Int32Array][] = [];
    for (const [term, list] of this.index.contextTerms ?? []) {
      const passages = list.view().map((passage) => this.passages[passage] as number);
      const live = passages.filter((passage) => passage >= 0);
      if (live.length > 0) copies.push([term, live]);
    }
    return copies;
  }
}

function liveDocuments(index: AccountIndex): Int32Array {
  const live = new Int32Array(index.liveCount);
  let count = 0;
  for (let number = 0; number < index.columns.length; number += 1) {
    if (!index.isLive(number)) continue;
    live[count] = number;
    count += 1;
  }
  return live;
}

/** Ranges of consecutive numbers: where they begin, the first number, and how many. */
function consecutiveRuns(numbers: Int32Array): [at: number, first: number, length: number][] {
  const runs: [at: number, first: number, length: number][] = [];
  for (let at = 0; at < numbers.length; ) {
    const first = numbers[at] as number;
    let length = 1;
    while (numbers[at + length] === first + length) length += 1;
    runs.push([at, first, length]);
    at += length;
  }
  return runs;
}

/** Gives the numbers of a column in the order of their first use; returns what they stand for. */
function renumber<T>(column: Column, resolve: (old: number) => T): T[] {
  const numbers = new Renumbering();
  for (let i = 0; i < column.length; i += 1) column[i] = numbers.numberOf(column[i] as number);
  return numbers.olds.map(resolve);
}

/** By document: its vectors of passages, with their numbers in the index. */
function copyPassageVectors({ passageVectors }: AccountIndex, documents: Int32Array) {
  const copies: {
    readonly document: number;
    readonly first: number;
    readonly passagesPerVector: number;
    readonly inverseNorms: Float32Array;
  }[] = [];
  for (const [document, number] of documents.entries()) {
    const range = passageVectors?.ranges.get(number);
    if (!passageVectors || !range) continue;
    const { first, count, passagesPerVector } = range;
    const inverseNorms = Float32Array.from(
      { length: count },
      (_, i) => passageVectors.vectorAt(first + i)[1],
    );
    copies.push({ document, first, passagesPerVector, inverseNorms });
  }
  return copies;
}
