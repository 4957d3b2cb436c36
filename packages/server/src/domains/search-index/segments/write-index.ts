import { columnNames } from '../account/columns.ts';
import { slotCapacity } from '../account/postings.ts';
import { blockBytes, type Values } from './format.ts';
import type { IndexSnapshot, SparseLists } from './index-snapshot.ts';
import { TermNumbers } from './term-numbers.ts';

interface Section {
  readonly name: string;
  readonly chunks: Iterable<Values>;
}

const section = (name: string, ...chunks: readonly Values[]): Section => ({ name, chunks });
const jsonSection = (name: string, value: unknown): Section =>
  section(name, Buffer.from(JSON.stringify(value)));

/** Strings per chunk of text, passages or documents per chunk of their values. */
const itemsPerChunk = 4_096;

/** The sections of an index. What is large is made in chunks of a few milliseconds. */
export function* indexSections(snapshot: IndexSnapshot): Generator<Section> {
  yield section('ids/words', snapshot.ids.words);
  yield section(
    'ids/others',
    Int32Array.from(snapshot.ids.others, ([document]) => document),
  );
  yield* stringSections(
    'ids/strings',
    snapshot.ids.others.map(([, id]) => id),
  );
  for (const name of columnNames) yield section(`columns/${name}`, snapshot.columns[name]);
  yield jsonSection('names', {
    spaceIds: snapshot.spaceIds,
    speakers: snapshot.speakers,
    contentTypes: snapshot.contentTypes,
    owners: snapshot.owners,
  });
  yield* tagSections(snapshot.tags);
  yield* numberListSections('dates', snapshot.dates);
  yield* stringListSections('supersededBy', snapshot.supersededBy);
  yield* stringListSections('likelySupersededBy', snapshot.likelySupersededBy);
  const ends = snapshot.factsEnds;
  yield section(
    'factsEnds/at',
    Float64Array.from(ends, ([, { at }]) => at),
  );
  yield* stringListSections(
    'factsEnds/by',
    ends.map(([document, { by }]) => [document, by]),
  );
  yield* sessionSections(snapshot);
  yield* passageSections(snapshot);
  yield* termSections(snapshot);
  yield* passageVectorSections(snapshot);
  yield* vectorSections(snapshot);
}

/** As UTF-8, and the lengths of the strings in UTF-16. */
function* stringSections(name: string, strings: readonly string[]): Generator<Section> {
  yield { name: `${name}/text`, chunks: encodeInChunks(strings) };
  yield section(
    `${name}/lengths`,
    Int32Array.from(strings, ({ length }) => length),
  );
}

function* encodeInChunks(strings: readonly string[]): Generator<Values> {
  for (let from = 0; from < strings.length; from += itemsPerChunk) {
    yield Buffer.from(strings.slice(from, from + itemsPerChunk).join(''));
  }
}

const documentsOf = (lists: SparseLists<unknown>): Int32Array =>
  Int32Array.from(lists, ([document]) => document);
const lengthsOf = (lists: SparseLists<{ readonly length: number }>): Int32Array =>
  Int32Array.from(lists, ([, { length }]) => length);

function* stringListSections(
  name: string,
  lists: SparseLists<readonly string[]>,
): Generator<Section> {
  yield section(`${name}/documents`, documentsOf(lists));
  yield section(`${name}/counts`, lengthsOf(lists));
  yield* stringSections(
    `${name}/values`,
    lists.flatMap(([, values]) => values),
  );
}

function* numberListSections(name: string, lists: SparseLists<Float64Array>): Generator<Section> {
  yield section(`${name}/documents`, documentsOf(lists));
  yield section(`${name}/counts`, lengthsOf(lists));
  yield { name: `${name}/values`, chunks: lists.map(([, values]) => values) };
}

/** Documents often have the same tags: each list of tags is stored once. */
function* tagSections(tags: SparseLists<readonly string[]>): Generator<Section> {
  const lists = new Map<string, number>();
  const numbers = Int32Array.from(tags, ([, list]) => {
    const key = JSON.stringify(list);
    const number = lists.get(key) ?? lists.size;
    lists.set(key, number);
    return number;
  });
  yield section('tags/documents', documentsOf(tags));
  yield section('tags/numbers', numbers);
  yield* stringSections('tags/lists', [...lists.keys()]);
}

function* sessionSections({ sessions }: IndexSnapshot): Generator<Section> {
  yield* stringSections(
    'sessions/ids',
    sessions.map(({ id }) => id),
  );
  yield section(
    'sessions/spaces',
    Int32Array.from(sessions, ({ space }) => space),
  );
  yield section(
    'sessions/words',
    Float64Array.from(sessions, ({ words }) => words),
  );
  yield section(
    'sessions/counts',
    Int32Array.from(sessions, ({ turns }) => turns.length),
  );
  yield { name: 'sessions/turns', chunks: sessions.map(({ turns }) => Int32Array.from(turns)) };
  const ordinals = sessions.map((session) => Int32Array.from(session.ordinals));
  yield { name: 'sessions/ordinals', chunks: ordinals };
}

function* passageSections({ index, passageSources, columns }: IndexSnapshot): Generator<Section> {
  const ofPassages = (select: (source: number) => number): Int32Array => passageSources.map(select);
  const documents = new Int32Array(passageSources.length);
  for (const [document, first] of columns.firstPassage.entries()) {
    documents.fill(document, first, first + (columns.passageCount[document] as number));
  }
  const { passageLength, passageRange, passageStatesTime } = index;
  yield section('passages/documents', documents);
  yield section(
    'passages/lengths',
    ofPassages((source) => passageLength.at(source)),
  );
  const ranges = new Int32Array(passageSources.length * 2);
  for (const [i, source] of passageSources.entries()) {
    ranges[i * 2] = passageRange.at(source * 2);
    ranges[i * 2 + 1] = passageRange.at(source * 2 + 1);
  }
  yield section('passages/ranges', ranges);
  yield section(
    'passages/stateTime',
    Uint8Array.from(passageSources, (source) => passageStatesTime.at(source)),
  );
}

function* termSections(snapshot: IndexSnapshot): Generator<Section> {
  const terms = new TermNumbers(snapshot);
  yield { name: 'terms/ofPassages', chunks: terms.numberPassages(itemsPerChunk) };
  yield section('terms/passageEnds', terms.passageEnds);
  const { sources } = terms;
  yield section('terms/frequencies', terms.frequencies);
  yield section('terms/lengths', terms.lengths);
  yield { name: 'terms/names', chunks: nameChunks(snapshot, sources) };
  yield section('terms/nameEnds', nameEnds(snapshot, sources));
  yield { name: 'terms/postings', chunks: slotChunks(snapshot, terms, Int32Array) };
  yield { name: 'terms/counts', chunks: slotChunks(snapshot, terms, Uint8Array) };
  yield* stringSections(
    'contextTerms/names',
    snapshot.contextTerms.map(([term]) => term),
  );
  yield section(
    'contextTerms/counts',
    Int32Array.from(snapshot.contextTerms, ([, { length }]) => length),
  );
  yield { name: 'contextTerms/passages', chunks: snapshot.contextTerms.map(([, list]) => list) };
}

function* nameChunks({ index }: IndexSnapshot, terms: readonly number[]): Generator<Values> {
  for (let from = 0; from < terms.length; from += itemsPerChunk) {
    yield index.terms.copyNames(terms.slice(from, from + itemsPerChunk));
  }
}

/** Where the name of each term ends. */
function nameEnds({ index }: IndexSnapshot, terms: readonly number[]): Int32Array {
  let end = 0;
  return Int32Array.from(terms, (term) => {
    end += index.terms.nameLength(term);
    return end;
  });
}

/** The slots of the posting lists: their passages as integers, or their counts as bytes. */
function* slotChunks(
  { index, passages: numbers }: IndexSnapshot,
  { sources, lengths }: TermNumbers,
  Type: typeof Int32Array | typeof Uint8Array,
): Generator<Values> {
  for (let from = 0; from < sources.length; ) {
    let size = 0;
    let to = from;
    do size += slotCapacity(lengths[to++] as number);
    while (to < sources.length && size < blockBytes / 16);
    const chunk = new Type(size);
    let slot = 0;
    for (; from < to; from += 1) {
      const { passages, counts } = index.terms.postingOf(sources[from] as number);
      let at = slot;
      for (let i = 0; i < passages.length; i += 1) {
        // Passages that were added since have no number.
        const passage = numbers[passages[i] as number] ?? -1;
        if (passage < 0) continue;
        chunk[at] = Type === Int32Array ? passage : (counts[i] as number);
        at += 1;
      }
      slot += slotCapacity(lengths[from] as number);
    }
    yield chunk;
  }
}

function* passageVectorSections({ index, passageVectors }: IndexSnapshot): Generator<Section> {
  const ints = (select: (own: (typeof passageVectors)[number]) => number): Int32Array =>
    Int32Array.from(passageVectors, select);
  yield section(
    'passageVectors/documents',
    ints(({ document }) => document),
  );
  yield section(
    'passageVectors/perVector',
    ints((own) => own.passagesPerVector),
  );
  yield section(
    'passageVectors/counts',
    ints(({ inverseNorms }) => inverseNorms.length),
  );
  yield {
    name: 'passageVectors/inverseNorms',
    chunks: passageVectors.map(({ inverseNorms }) => inverseNorms),
  };
  const numbers = passageVectors.flatMap(({ first, inverseNorms }) =>
    Array.from(inverseNorms, (_, i) => first + i),
  );
  const rows = (number: number): Int8Array =>
    index.passageVectors?.vectorAt(number)[0] ?? new Int8Array(index.dimensions);
  yield { name: 'passageVectors/vectors', chunks: rowChunks(numbers, index.dimensions, rows) };
}

function* vectorSections(snapshot: IndexSnapshot): Generator<Section> {
  const { index, documents, columns, spaceIds } = snapshot;
  const { dimensions } = index;
  const sums = new Float64Array(spaceIds.length * dimensions);
  let document = 0;
  const row = (number: number): Int8Array => {
    const bytes = index.vectors.get(number);
    const inverse = columns.inverseNorm[document] as number;
    const sum = (columns.space[document] as number) * dimensions;
    document += 1;
    if (inverse === 0) return bytes;
    for (let i = 0; i < dimensions; i += 1) {
      sums[sum + i] = (sums[sum + i] as number) + inverse * (bytes[i] as number);
    }
    return bytes;
  };
  yield { name: 'vectors', chunks: rowChunks(documents, dimensions, row) };
  yield section('vectorSums', sums);
}

function* rowChunks(
  numbers: ArrayLike<number>,
  dimensions: number,
  rowOf: (number: number) => Int8Array,
): Generator<Values> {
  const rows = Math.max(1, Math.floor(blockBytes / 4 / dimensions));
  for (let from = 0; from < numbers.length; from += rows) {
    const count = Math.min(rows, numbers.length - from);
    const chunk = new Int8Array(count * dimensions);
    for (let i = 0; i < count; i += 1) {
      chunk.set(rowOf(numbers[from + i] as number), i * dimensions);
    }
    yield chunk;
  }
}
