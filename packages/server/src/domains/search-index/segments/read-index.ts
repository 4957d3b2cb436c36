import type { AccountIndex } from '../account/account-index.ts';
import { type Column, type ColumnName, columnNames, DocumentColumns } from '../account/columns.ts';
import { GrowingInts } from '../account/growing-ints.ts';
import type { SpaceCounts } from '../account/spaces.ts';
import type { SegmentReader } from './segment-reader.ts';

interface Names {
  readonly spaceIds: readonly (string | null)[];
  readonly speakers: readonly string[];
  readonly contentTypes: readonly string[];
  readonly owners: AccountIndex['owners']['all'];
}

/** Fills an empty index with the sections of a segment. Throws SegmentUnusable. */
export async function readIndex(read: SegmentReader, index: AccountIndex): Promise<void> {
  // A third of a segment is vectors: they are read while the other sections are converted.
  const vectors = read.readRows('vectors', index.dimensions, (first, rows) =>
    index.vectors.addAll(first, rows),
  );
  // After an error nothing may use the index any more.
  const [inDocuments, inVectors] = await Promise.allSettled([readDocuments(read, index), vectors]);
  if (inDocuments.status === 'rejected') throw inDocuments.reason;
  if (inVectors.status === 'rejected') throw inVectors.reason;
}

/** All sections except for the vectors. */
async function readDocuments(read: SegmentReader, index: AccountIndex): Promise<void> {
  const length = await readIds(read, index);
  const names = (await read.readJson('names')) as Names;
  index.restoreDocuments(names.spaceIds);
  for (const speaker of names.speakers) index.speakers.add(speaker);
  for (const type of names.contentTypes) index.contentTypes.intern(type);
  for (const owner of names.owners) index.owners.intern(owner);
  await readTags(read, index, length);
  await readDates(read, index, length);
  await readStringLists(read, 'supersededBy', index.successors.supersededBy);
  await readStringLists(read, 'likelySupersededBy', index.successors.likelySupersededBy);
  await readFactsEnds(read, index);
  await readSessions(read, index);
  await readPassages(read, index);
  await readTerms(read, index);
  await readPassageVectors(read, index);
  countDocuments(index);
  const sums = await read.read('vectorSums', Float64Array);
  for (const [space, { vectorSum }] of index.spaces.entries()) {
    const from = space * index.dimensions;
    vectorSum.set(sums.subarray(from, from + index.dimensions));
  }
}

/** Reads the columns, too: they have the hashes of the ids. Returns the number of documents. */
async function readIds(read: SegmentReader, index: AccountIndex): Promise<number> {
  const length = read.byteLength('columns/flags');
  await readColumns(read, index, length);
  const words = (await read.readGrowing('ids/words', Uint32Array)) as Uint32Array<ArrayBuffer>;
  const numbers = await read.read('ids/others', Int32Array);
  const strings = await read.readStrings('ids/strings');
  const others = strings.map((id, i): [number, string] => [numbers[i] as number, id]);
  index.ids.restore(length, words, others);
  return length;
}

async function readColumns(read: SegmentReader, index: AccountIndex, length: number) {
  const types = new DocumentColumns();
  const columns: Partial<Record<ColumnName, Column>> = {};
  for (const name of columnNames) {
    const Type = types[name].constructor as new (length: number) => Column;
    columns[name] = await read.readGrowing(`columns/${name}`, Type as typeof Int32Array);
  }
  index.columns.restore(length, columns as Record<ColumnName, Column>);
}

/** Calls back with each document that has a list, and the range of its values. */
async function readRanges(
  read: SegmentReader,
  name: string,
  visit: (document: number, from: number, to: number) => void,
): Promise<void> {
  const documents = await read.read(`${name}/documents`, Int32Array);
  const counts = await read.read(`${name}/counts`, Int32Array);
  let from = 0;
  for (const [i, document] of documents.entries()) {
    const to = from + (counts[i] as number);
    visit(document, from, to);
    from = to;
  }
}

async function readTags(read: SegmentReader, index: AccountIndex, length: number) {
  index.tags.length = length;
  index.tags.fill(null);
  const documents = await read.read('tags/documents', Int32Array);
  const numbers = await read.read('tags/numbers', Int32Array);
  const lists = (await read.readStrings('tags/lists')).map((list) => JSON.parse(list) as string[]);
  for (const [i, document] of documents.entries()) {
    const tags = lists[numbers[i] as number] as readonly string[];
    index.tags[document] = tags;
    index.tagDocuments.add(document, tags);
  }
}

async function readDates(read: SegmentReader, { dates }: AccountIndex, length: number) {
  const values = await read.read('dates/values', Float64Array);
  const none = values.subarray(0, 0);
  let next = 0;
  await readRanges(read, 'dates', (document, from, to) => {
    for (; next < document; next += 1) dates.push(none);
    dates.push(values.subarray(from, to));
    next += 1;
  });
  for (; next < length; next += 1) dates.push(none);
}

async function readStringLists(
  read: SegmentReader,
  name: string,
  lists: Map<number, readonly string[]>,
): Promise<void> {
  const values = await read.readStrings(`${name}/values`);
  await readRanges(read, name, (document, from, to) => {
    lists.set(document, values.slice(from, to));
  });
}

async function readFactsEnds(read: SegmentReader, index: AccountIndex) {
  const at = await read.read('factsEnds/at', Float64Array);
  const values = await read.readStrings('factsEnds/by/values');
  let i = 0;
  await readRanges(read, 'factsEnds/by', (document, from, to) => {
    index.successors.factsEnd.set(document, { at: at[i] as number, by: values.slice(from, to) });
    i += 1;
  });
}

async function readPassages(read: SegmentReader, index: AccountIndex): Promise<void> {
  index.passageDocument = await read.readGrowingInts('passages/documents');
  index.passageLength = await read.readGrowingInts('passages/lengths');
  index.passageRange = await read.readGrowingInts('passages/ranges');
  index.passageStatesTime = await read.readGrowingBytes('passages/stateTime');
}

async function readTerms(read: SegmentReader, index: AccountIndex): Promise<void> {
  index.terms.restore({
    passageTerms: await read.readGrowingInts('terms/ofPassages'),
    passageEnds: await read.readGrowingInts('terms/passageEnds'),
    frequencies: await read.readGrowingInts('terms/frequencies'),
    lengths: await read.readGrowingInts('terms/lengths'),
    names: (await read.readGrowing('terms/names', Uint8Array)) as Uint8Array<ArrayBuffer>,
    nameEnds: await read.readGrowingInts('terms/nameEnds'),
    postings: (await read.readGrowing('terms/postings', Int32Array)) as Int32Array<ArrayBuffer>,
    counts: (await read.readGrowing('terms/counts', Uint8Array)) as Uint8Array<ArrayBuffer>,
  });
  const names = await read.readStrings('contextTerms/names');
  const counts = await read.read('contextTerms/counts', Int32Array);
  const passages = await read.read('contextTerms/passages', Int32Array);
  let from = 0;
  for (const [i, name] of names.entries()) {
    const to = from + (counts[i] as number);
    index.contextTerms ??= new Map();
    index.contextTerms.set(name, GrowingInts.from(passages.slice(from, to), to - from));
    from = to;
  }
}

async function readSessions(read: SegmentReader, index: AccountIndex): Promise<void> {
  const ids = await read.readStrings('sessions/ids');
  const spaces = await read.read('sessions/spaces', Int32Array);
  const words = await read.read('sessions/words', Float64Array);
  const counts = await read.read('sessions/counts', Int32Array);
  const turns = await read.read('sessions/turns', Int32Array);
  const ordinals = await read.read('sessions/ordinals', Int32Array);
  let from = 0;
  for (const [i, id] of ids.entries()) {
    const to = from + (counts[i] as number);
    index.sessions.restore(id, {
      space: spaces[i] as number,
      turns: Array.from(turns.subarray(from, to)),
      ordinals: Array.from(ordinals.subarray(from, to)),
      words: words[i] as number,
    });
    from = to;
  }
}

async function readPassageVectors(read: SegmentReader, index: AccountIndex): Promise<void> {
  const perVector = await read.read('passageVectors/perVector', Int32Array);
  const norms = await read.read('passageVectors/inverseNorms', Float32Array);
  let i = 0;
  await readRanges(read, 'passageVectors', (document, from, to) => {
    const vectors = index.ensurePassageVectors();
    vectors.restore(document, perVector[i] as number, norms.subarray(from, to));
    i += 1;
  });
  await read.readRows('passageVectors/vectors', index.dimensions, (first, rows) =>
    index.passageVectors?.restoreVectors(first, rows),
  );
}

/** The counts of each space, except for the sums of vectors. */
function countDocuments({ columns, spaces }: AccountIndex): void {
  for (let number = 0; number < columns.length; number += 1) {
    const counts = spaces[columns.space[number] as number] as SpaceCounts;
    const passages = columns.passageCount[number] as number;
    const words = columns.words[number] as number;
    const lends = columns.contextWeight[number] as number;
    const lent = lends * words + (columns.contextWords[number] as number);
    counts.documents.push(number);
    counts.liveCount += 1;
    counts.revision += 1;
    counts.passages += passages;
    counts.words += words;
    counts.passageLengthSum += words * (1 - lends) + passages * lent;
    const speaker = columns.speaker[number] as number;
    if (speaker >= 0) counts.speakers.set(speaker, (counts.speakers.get(speaker) ?? 0) + 1);
  }
}
