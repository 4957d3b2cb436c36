import { parseTextAnalysis, type TextAnalysis } from '../analysis.ts';
import type { Successors } from '../model.ts';
import type { CosineMap } from '../scale/cosine-map.ts';
import type { Line } from '../scale/line.ts';
import type { ModelScale } from '../scale/model-scale.ts';
import { AccountScale, hashOfId } from './account-scale.ts';
import type { VectorArena } from './arena.ts';
import { CentredLengths } from './centred-lengths.ts';
import {
  DocumentColumns,
  liveFlag,
  longFlag,
  pinnedFlag,
  questionAtEndFlag,
  questionFlag,
  successorsFlag,
  turnFlag,
  userFlag,
} from './columns.ts';
import { DocumentIds } from './document-ids.ts';
import type { DocumentRow, VectorRow } from './document-row.ts';
import { DocumentSuccessors } from './document-successors.ts';
import { GrowingBytes } from './growing-bytes.ts';
import { GrowingInts } from './growing-ints.ts';
import { NameInterner } from './name-interner.ts';
import { Owners } from './owners.ts';
import { PassageVectors } from './passage-vectors.ts';
import { Sessions } from './sessions.ts';
import {
  createSearchScope,
  createSpaceCounts,
  type SearchScope,
  type SpaceCounts,
} from './spaces.ts';
import { Speakers } from './speakers.ts';
import { TagDocuments } from './tag-documents.ts';
import { Terms } from './terms.ts';
import { TimeRanges } from './time-ranges.ts';
import { Vectors } from './vectors.ts';

/** A memory of up to this many content words has the full context weight; longer ones less. */
const contextWeightWords = 20;
const neighbourWeightWords = 40;

/**
 * One account's documents in memory: derived from the tables and caught up to the account's last
 * position before each search. Documents have numbers. A changed document gets a new number and the
 * old one becomes dead, so that posting lists only grow at their ends.
 */
export class AccountIndex {
  readonly dimensions: number;
  readonly columns = new DocumentColumns();
  readonly ids = new DocumentIds(this.columns);
  /** Null where there are none. */
  readonly tags: (readonly string[] | null)[] = [];
  readonly tagDocuments = new TagDocuments();
  readonly dates = new TimeRanges();
  readonly successors = new DocumentSuccessors();
  readonly terms = new Terms();
  readonly speakers = new Speakers();
  readonly contentTypes = new NameInterner();
  readonly owners = new Owners();
  readonly spaces: SpaceCounts[] = [];
  readonly sessions = new Sessions(this.columns, this.spaces);
  /** By passage number. */
  passageDocument = new GrowingInts();
  passageLength = new GrowingInts();
  /** Two values per passage: its start and end in the text. */
  passageRange = new GrowingInts();
  passageStatesTime = new GrowingBytes();
  readonly vectors: Vectors;
  /** Null without long texts, as is the next: most accounts have none. */
  passageVectors: PassageVectors | null = null;
  /** By term: the passages whose context alone has it, in order. */
  contextTerms: Map<string, GrowingInts> | null = null;
  liveCount = 0;
  /** Increases with every change; values computed over all documents are stale then. */
  revision = 0;
  /** By number of a dead document: the number that replaced it. */
  readonly #replacements = new Map<number, number>();
  readonly #arena: VectorArena;
  readonly #centred: CentredLengths;
  readonly #scale: AccountScale;
  readonly #spaceNumbers = new Map<string | null, number>();

  constructor(dimensions: number, arena: VectorArena) {
    this.dimensions = dimensions;
    this.vectors = new Vectors(arena, dimensions);
    this.#arena = arena;
    this.#centred = new CentredLengths(this.columns, this.vectors);
    this.#scale = new AccountScale(this);
  }

  findNumber(id: string): number | undefined {
    return this.ids.numberOf(id);
  }

  isLive(number: number): boolean {
    return ((this.columns.flags[number] as number) & liveFlag) !== 0;
  }

  /** Of these spaces; null: all. Spaces without documents are skipped. */
  spaceNumbers(spaces: readonly (string | null)[] | null): ReadonlySet<number> | null {
    return spaces && new Set(spaces.flatMap((space) => this.#spaceNumbers.get(space) ?? []));
  }

  /** Statistics over these spaces; null: all spaces. Spaces without documents are skipped. */
  scope(spaces: readonly (string | null)[] | null): SearchScope {
    const numbers = this.spaceNumbers(spaces);
    return createSearchScope(this.spaces, numbers && [...numbers], this.dimensions);
  }

  apply(row: DocumentRow): void {
    this.revision += 1;
    const previous = this.ids.numberOf(row.id);
    if (previous !== undefined) this.#remove(previous);
    if (row.terms === null) return;
    this.#add(row, parseTextAnalysis(row.terms));
    if (previous !== undefined) this.#replacements.set(previous, this.columns.length - 1);
  }

  /** The current number of a document that had this number; −1 if it is deleted. */
  latestNumber(number: number): number {
    let now = number;
    while (!this.isLive(now)) {
      const next = this.#replacements.get(now);
      if (next === undefined) return -1;
      now = next;
    }
    return now;
  }

  /** By document number: the length of its unit vector minus the scope's mean. */
  centredLengths(scope: SearchScope): Float32Array {
    return this.#centred.get(scope, this.revision);
  }

  /** Null: the model is one that the ranker was fitted with. */
  setScale(scale: ModelScale | null): void {
    this.#scale.set(scale);
  }

  /** From cosines of the model to those of the shipped encoder; null: they are the same. */
  get cosineMap(): CosineMap | null {
    return this.#scale.map;
  }

  /** That map as a line, for most pairs of documents of a scope. */
  cosineLine(scope: SearchScope): Line {
    return this.#scale.line(scope);
  }

  setSalience(id: string, salience: number, atMs: number): void {
    const number = this.ids.numberOf(id);
    if (number === undefined || atMs < (this.columns.salienceAt[number] as number)) return;
    this.columns.salience[number] = salience;
    this.columns.salienceAt[number] = atMs;
  }

  /** Replaces vectors of a document, which keeps its number. */
  setVectors({ id, vector, passages }: VectorRow): void {
    const number = this.ids.numberOf(id);
    if (number === undefined) return;
    this.revision += 1;
    if (passages) this.#setPassageVectors(number, passages);
    if (vector) this.#setVector(number, vector);
  }

  /** The vectors of passages; adds an empty set if there is none. */
  ensurePassageVectors(): PassageVectors {
    this.passageVectors ??= new PassageVectors(this.#arena, this.dimensions);
    return this.passageVectors;
  }

  #setPassageVectors(number: number, bytes: Uint8Array): void {
    this.ensurePassageVectors().set(number, this.columns.passageCount[number] as number, bytes);
  }

  #setVector(number: number, bytes: Uint8Array): void {
    const counts = this.spaces[this.columns.space[number] as number] as SpaceCounts;
    counts.revision += 1;
    this.#addToVectorSum(number, counts, -1);
    this.columns.inverseNorm[number] = this.vectors.set(number, bytes);
    this.#addToVectorSum(number, counts, 1);
  }

  /** Sets what supersedes a document that is otherwise unchanged. */
  setSuccessors(successors: Successors, position: number): void {
    const number = this.ids.numberOf(successors.id);
    if (number === undefined) return;
    this.revision += 1;
    this.columns.position[number] = position;
    this.#setSuccessors(number, successors);
  }

  #setSuccessors(number: number, known: Omit<Successors, 'id'>): void {
    const { flags } = this.columns;
    this.successors.set(number, known);
    const own = (flags[number] as number) & ~successorsFlag;
    flags[number] = this.successors.has(number) ? own | successorsFlag : own;
  }

  /** Of each space with documents, by its number; null: that of the account. */
  get spaceIds(): readonly (string | null)[] {
    return [...this.#spaceNumbers.keys()];
  }

  /**
   * Takes documents of a segment into an empty index, whose columns and ids are restored before.
   * Their counts are set afterwards.
   */
  restoreDocuments(spaceIds: readonly (string | null)[]): void {
    this.revision += 1;
    this.liveCount = this.ids.length;
    for (const space of spaceIds) this.#spaceNumber(space);
  }

  /** Of its arrays of numbers, with what is empty in them; strings and objects are apart. */
  get byteLength(): number {
    const { passageDocument, passageLength, passageRange, passageStatesTime } = this;
    const parts = [this.columns, this.ids, this.dates, this.terms, this.vectors, this.#centred];
    const passages = [passageDocument, passageLength, passageRange, passageStatesTime];
    const bytes = [...parts, ...passages].reduce((sum, part) => sum + part.byteLength, 0);
    return bytes + (this.passageVectors?.byteLength ?? 0);
  }

  /** Returns the memory of its vectors to the arena. */
  free(): void {
    this.vectors.free();
    this.passageVectors?.free();
  }

  #add(row: DocumentRow, analysis: TextAnalysis): void {
    const { columns } = this;
    const number = columns.add();
    const space = this.#spaceNumber(row.space_id);
    columns.space[number] = space;
    columns.flags[number] = flagsOf(row, analysis);
    columns.priority[number] = row.priority;
    columns.contentType[number] = this.contentTypes.intern(row.content_type);
    columns.owner[number] = this.owners.intern(row);
    columns.salience[number] = row.salience ?? Number.NaN;
    columns.salienceAt[number] = row.salience_at?.getTime() ?? 0;
    columns.occurredAt[number] = (row.occurred_at ?? row.created_at).getTime();
    columns.createdAt[number] = row.created_at.getTime();
    columns.position[number] = row.position;
    columns.speaker[number] = row.speaker === null ? -1 : this.speakers.intern(row.speaker);
    columns.session[number] = -1;
    columns.firstPersonBalance[number] = analysis.firstPersonBalance;
    columns.idHash[number] = hashOfId(row.id);
    this.ids.push(row.id);
    this.tags[number] = row.tags.length > 0 ? row.tags : null;
    this.tagDocuments.add(number, row.tags);
    this.#setSuccessors(number, successorsOf(row));
    this.dates.push(analysis.dates);
    this.liveCount += 1;
    this.#addPassages(number, row, analysis);
    if (row.session_id !== null) {
      this.sessions.add(number, row.session_id, row.session_ordinal ?? 0);
    }
    columns.inverseNorm[number] = this.vectors.set(number, row.vector);
    if (row.passages) this.#setPassageVectors(number, row.passages);
    this.#updateCounts(number, 1);
  }

  #addPassages(number: number, row: DocumentRow, { passages }: TextAnalysis): void {
    const { columns } = this;
    columns.firstPassage[number] = this.passageDocument.length;
    columns.passageCount[number] = passages.length;
    let words = 0;
    for (const [i, passage] of passages.entries()) {
      const passageNumber = this.passageDocument.length;
      const speakerTerms = i === 0 ? this.speakers.missingNameTerms(row.speaker, passage) : [];
      this.passageDocument.push(number);
      this.passageLength.push(passage.length + speakerTerms.length);
      this.passageRange.push(passage.start);
      this.passageRange.push(passage.end);
      this.passageStatesTime.push(passage.statesTime ? 1 : 0);
      this.terms.add(passageNumber, [...passage.terms, ...speakerTerms]);
      for (const term of passage.contextTerms) this.#addContextTerm(term, passageNumber);
      words += passage.length + speakerTerms.length;
    }
    this.terms.adjustDocumentFrequencies(this.passagesOf(number), 1);
    columns.words[number] = words;
    columns.contextWeight[number] = Math.min(1, contextWeightWords / Math.max(1, words));
    columns.neighbourWeight[number] = Math.min(1, neighbourWeightWords / Math.max(1, words));
  }

  #addContextTerm(term: string, passage: number): void {
    this.contextTerms ??= new Map();
    const known = this.contextTerms.get(term) ?? new GrowingInts();
    this.contextTerms.set(term, known);
    known.push(passage);
  }

  /** Numbers of the document's passages: [from, to). */
  passagesOf(number: number): readonly [from: number, to: number] {
    const from = this.columns.firstPassage[number] as number;
    return [from, from + (this.columns.passageCount[number] as number)];
  }

  /** Adds a document to the counts of its space, or removes it from them. */
  #updateCounts(number: number, sign: 1 | -1): void {
    const { columns } = this;
    const counts = this.spaces[columns.space[number] as number] as SpaceCounts;
    if (sign === 1) counts.documents.push(number);
    const passages = columns.passageCount[number] as number;
    const words = columns.words[number] as number;
    const lends = columns.contextWeight[number] as number;
    const lent = lends * words + (columns.contextWords[number] as number);
    counts.revision += 1;
    counts.liveCount += sign;
    counts.passages += sign * passages;
    counts.words += sign * words;
    counts.passageLengthSum += sign * (words * (1 - lends) + passages * lent);
    const speaker = columns.speaker[number] as number;
    if (speaker >= 0) {
      const remaining = (counts.speakers.get(speaker) ?? 0) + sign;
      if (remaining > 0) counts.speakers.set(speaker, remaining);
      else counts.speakers.delete(speaker);
    }
    this.#addToVectorSum(number, counts, sign);
    columns.flags[number] = (columns.flags[number] as number) ^ liveFlag;
  }

  #addToVectorSum(number: number, { vectorSum }: SpaceCounts, sign: 1 | -1): void {
    const inverse = this.columns.inverseNorm[number] as number;
    if (inverse === 0) return;
    const row = this.vectors.get(number);
    for (let i = 0; i < row.length; i += 1) {
      vectorSum[i] = (vectorSum[i] as number) + sign * inverse * (row[i] as number);
    }
  }

  #remove(number: number): void {
    this.#updateCounts(number, -1);
    this.sessions.remove(number);
    this.terms.adjustDocumentFrequencies(this.passagesOf(number), -1);
    this.columns.inverseNorm[number] = 0;
    this.passageVectors?.remove(number);
    this.ids.clear(number);
    this.tags[number] = null;
    this.successors.delete(number);
    this.dates.clear(number);
    this.liveCount -= 1;
  }

  #spaceNumber(space: string | null): number {
    const known = this.#spaceNumbers.get(space);
    if (known !== undefined) return known;
    this.spaces.push(createSpaceCounts(this.dimensions));
    this.#spaceNumbers.set(space, this.spaces.length - 1);
    return this.spaces.length - 1;
  }
}

const successorsOf = (row: DocumentRow): Omit<Successors, 'id'> => ({
  supersededBy: row.superseded_by,
  likelySupersededBy: row.likely_superseded_by,
  factsEnd: row.facts_ended_at && { at: row.facts_ended_at.getTime(), by: row.facts_ended_by },
});

/** Without `liveFlag`, which is set when the document is counted. */
function flagsOf(row: DocumentRow, analysis: TextAnalysis): number {
  return (
    (analysis.isQuestion ? questionFlag : 0) |
    (analysis.hasQuestionAtEnd ? questionAtEndFlag : 0) |
    (analysis.passages.length > 1 ? longFlag : 0) |
    (row.role === 'user' ? userFlag : 0) |
    (row.pinned ? pinnedFlag : 0) |
    (row.session_id !== null || row.speaker !== null || row.role !== null ? turnFlag : 0)
  );
}
