import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCount, testSeed } from '../../../../../../test/support/run-count.ts';
import { AccountIndex } from '../account/account-index.ts';
import { VectorArena } from '../account/arena.ts';
import { analyseText } from '../analysis.ts';
import { passageVectorCount } from '../passage-vectors.ts';
import type { DocumentRow } from '../testing.ts';
import { makeIndex, makeQuery, makeRow, searchHits } from '../testing.ts';
import { bytesOf, type SegmentIdentity } from './format.ts';
import { compareIndexes, IndexDescription } from './index-description.ts';
import { readSegment, readSegmentFile, writeSegment, writeSegmentFile } from './segment-file.ts';
import type { SegmentSource } from './segment-reader.ts';

const dimensions = 4;
const identity: SegmentIdentity = {
  id: 'segment',
  accountId: 'account',
  model: 'm',
  dimensions,
  release: '1.0.0',
};

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mneme-segments-'));
});
afterAll(() => rm(folder, { recursive: true }));

let files = 0;
const newFile = (): string => {
  files += 1;
  return path.join(folder, `${files}.segment`);
};

async function write(index: AccountIndex): Promise<string> {
  const file = newFile();
  await writeSegmentFile(file, identity, new Map([['memory', index]]), () => true);
  return file;
}

async function read(file: string): Promise<AccountIndex> {
  const read = new AccountIndex(dimensions, new VectorArena(dimensions));
  await readSegmentFile(file, identity, () => read);
  return read;
}

/** Everything of the documents themselves, by id. */
function documentsOf(index: AccountIndex) {
  const description = new IndexDescription(index);
  return [...description.documents]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, number]) => [id, description.describe(number), description.describeVectors(number)]);
}

/** Everything that searches see of an index. */
function everythingOf(index: AccountIndex) {
  const texts = ['coffee in Berlin', 'moved battery', 'works', 'coffe', 'tea'];
  const vectors = [null, new Float32Array([0.5, 0.1, -0.4, 0.2])];
  const spaces = [null, ['s1'], [null, 's2']];
  return {
    documents: documentsOf(index),
    hits: texts.flatMap((text) =>
      vectors.flatMap((vector) =>
        spaces.map((visible) =>
          searchHits(index, makeQuery(text, { vector, spaces: visible, visibleSpaces: visible })),
        ),
      ),
    ),
    frequencies: index.terms.names
      .map((name) => [name, index.terms.documentFrequency(name)] as const)
      .filter(([, frequency]) => frequency > 0)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  };
}

/** Sums that were counted up and down differ in their last bits from those of a new index. */
function expectNearlyEqual(actual: unknown, expected: unknown): void {
  if (typeof actual === 'number' && typeof expected === 'number') {
    if (Object.is(actual, expected)) return;
    expect(Math.abs(actual - expected)).toBeLessThan(1e-6 * Math.max(1, Math.abs(expected)));
  } else if (typeof actual === 'object' && actual && typeof expected === 'object' && expected) {
    const [own, other] = [Object.entries(actual), Object.entries(expected)];
    expect(own.map(([key]) => key)).toEqual(other.map(([key]) => key));
    for (const [i, [, value]] of own.entries()) expectNearlyEqual(value, other[i]?.[1]);
  } else expect(actual).toEqual(expected);
}

const sourceOf = (bytes: Buffer): SegmentSource => ({
  stat: async () => ({ size: bytes.length }),
  async read(target, offset, length, position) {
    return { bytesRead: bytes.copy(target, offset, position, position + length) };
  },
});

const words = ['moved', 'Berlin', 'Munich', 'coffee', 'battery', 'Ana', 'works', 'yesterday', 'é'];
const id = fc.integer({ min: 0, max: 12 }).map((number) => `id-${number}`);
const optional = <T>(...values: readonly T[]) => fc.constantFrom<T | null>(null, ...values);
const bytes = fc.uint8Array({ minLength: dimensions, maxLength: dimensions });

const row = fc
  .record({
    id,
    space_id: optional('s1', 's2'),
    user_id: optional('u1', 'u2'),
    session_id: optional('session a', 'b'),
    session_ordinal: fc.nat(6),
    speaker: optional('Ana', 'Bob Ray'),
    role: optional('user'),
    content_type: fc.constantFrom('text', 'code'),
    tags: fc.constantFrom<string[]>([], ['x'], ['x', 'ü "y"']),
    priority: fc.nat(9),
    salience: optional(0.25, 0.5),
    salience_at: optional(new Date(5_000)),
    superseded_by: fc.array(id, { maxLength: 2 }),
    likely_superseded_by: fc.array(id, { maxLength: 2 }),
    facts_ended_at: optional(new Date(7_000)),
    facts_ended_by: fc.array(id, { maxLength: 2 }),
    text: fc
      .tuple(
        fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 5 }),
        fc.constantFrom(1, 1, 1, 60),
      )
      .map(([chosen, times]) => `${chosen.join(' ')}. `.repeat(times)),
    vector: fc.option(bytes, { nil: null }),
    hidden: fc.constantFrom(false, false, false, true),
  })
  .map(({ text, hidden, ...fields }): DocumentRow => {
    const row = makeRow(fields.id, text, fields);
    const passages = (row.terms?.split('\n').length ?? 2) - 1;
    const count = passages > 1 ? passageVectorCount(passages) : 0;
    return {
      ...row,
      passages: count > 0 ? new Uint8Array(count * dimensions).fill(passages) : null,
      terms: hidden ? null : row.terms,
    };
  });

type Change = (index: AccountIndex) => void;
const change = fc.oneof(
  {
    weight: 5,
    arbitrary: row.map(
      (own): Change =>
        (index) =>
          index.apply(own),
    ),
  },
  fc.record({ id, vector: bytes }).map(
    (own): Change =>
      (index) =>
        index.setVectors({ ...own, passages: null }),
  ),
  fc.record({ id, by: fc.array(id, { maxLength: 2 }) }).map(
    (own): Change =>
      (index) =>
        index.setSuccessors({ id: own.id, supersededBy: own.by }, 3),
  ),
);

describe('a segment of an index', () => {
  it('is read as the index that was written, and follows later changes as that does', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 25 }),
        fc.array(change, { maxLength: 10 }),
        async (before, after) => {
          const written = makeIndex([], dimensions);
          for (const apply of before) apply(written);
          const loaded = await read(await write(written));
          expectNearlyEqual(everythingOf(loaded), everythingOf(written));
          for (const apply of after) for (const index of [written, loaded]) apply(index);
          expectNearlyEqual(everythingOf(loaded), everythingOf(written));
        },
      ),
      { numRuns: runCount(30, 2_000), seed: testSeed, endOnFailure: true },
    );
  });

  it('of documents that never changed is read bit for bit as it was', async () => {
    const unchanging = fc.uniqueArray(row, { maxLength: 12, selector: (own) => own.id });
    await fc.assert(
      fc.asyncProperty(unchanging, async (rows) => {
        const written = makeIndex(rows, dimensions);
        const loaded = await read(await write(written));
        expect(everythingOf(loaded)).toEqual(everythingOf(written));
        expect(loaded.spaces.map(({ vectorSum }) => vectorSum)).toEqual(
          written.spaces.map(({ vectorSum }) => vectorSum),
        );
        expect(bytesOf(await readFile(await write(loaded)))).toEqual(
          bytesOf(await readFile(await write(written))),
        );
      }),
      { numRuns: runCount(20, 2_000), seed: testSeed, endOnFailure: true },
    );
  });

  it('has no word, name, tag or id of a deleted document', async () => {
    const secret = makeRow('erased-id', 'The zebrafish swims. Bob Quagga said so', {
      speaker: 'Quagga',
      user_id: 'okapi',
      tags: ['tapir'],
      session_id: 'platypus',
    });
    const index = makeIndex([makeRow('kept', 'A plain horse'), secret], dimensions);
    index.apply({ ...secret, terms: null });
    const stored = (await readFile(await write(index))).toString('latin1').toLowerCase();
    expect(stored).toContain('hors');
    for (const word of ['zebrafish', 'quagga', 'okapi', 'tapir', 'platypus', 'erased-id'])
      expect(stored).not.toContain(word);
  });

  it('is not used if any byte of it is damaged, or if bytes are missing or added', async () => {
    const vector = new Uint8Array([1, 2, 3, 4]);
    const rows = ['coffee in Berlin', 'a horse'].map((text, i) =>
      makeRow(`id-${i}`, text, { vector, tags: ['x'], session_id: 's', speaker: 'Ana' }),
    );
    const whole = await readFile(await write(makeIndex(rows, dimensions)));
    const isUsed = (bytes: Buffer): Promise<boolean> =>
      readSegment(sourceOf(bytes), identity, () => makeIndex([], dimensions)).then(
        () => true,
        ({ fault }) => fault !== 'damaged' && fault !== 'outdated',
      );
    expect(await isUsed(whole)).toBe(true);
    const used: number[] = [];
    for (let at = 0; at < whole.length; at += 1) {
      const copy = Buffer.from(whole);
      copy[at] = (copy[at] as number) ^ (1 << (at % 8));
      if (await isUsed(copy)) used.push(at);
    }
    expect(used).toEqual([]);
    for (const bytes of [whole.subarray(0, -1), Buffer.concat([whole, whole]), Buffer.alloc(0)]) {
      expect(await isUsed(bytes)).toBe(false);
    }
  });

  it('is no longer read when it is known to be damaged', async () => {
    const vector = new Uint8Array([1, 2, 3, 4]);
    const rows = ['coffee', 'a horse'].map((text, i) => makeRow(`id-${i}`, text, { vector }));
    const bytes = await readFile(await write(makeIndex(rows, dimensions)));
    const at = bytes.indexOf('id-0');
    bytes[at] = (bytes[at] as number) ^ 1;
    const whole = sourceOf(bytes);
    let running = 0;
    const slow: SegmentSource = {
      stat: () => whole.stat(),
      async read(...part) {
        running += 1;
        // The vectors arrive long after the ids.
        const turns = part[2] === dimensions * rows.length ? 100 : 1;
        for (let i = 0; i < turns; i += 1) await new Promise(setImmediate);
        running -= 1;
        return whole.read(...part);
      },
    };
    const reading = readSegment(slow, identity, () => makeIndex([], dimensions));
    await expect(reading).rejects.toMatchObject({ fault: 'damaged' });
    expect(running).toBe(0);
  });

  it('that differs from a rebuild is found, whatever differs', () => {
    const plain = { vector: new Uint8Array([1, 2, 3, 4]), tags: ['x'], session_id: 's' };
    const make = (extra: Partial<DocumentRow>, text = 'a red horse') =>
      makeIndex([makeRow('1', text, { ...plain, ...extra }), makeRow('2', 'tea')], dimensions);
    const own = make({});
    const none = { differing: [], unmatched: [], wrongFrequencies: 0 };
    expect(compareIndexes(own, make({}), new Set())).toEqual(none);
    const differences: Partial<DocumentRow>[] = [
      { vector: new Uint8Array([1, 2, 3, 5]) },
      { tags: [] },
      { priority: 3 },
      { session_ordinal: 2 },
      { speaker: 'Ana' },
      { user_id: 'u' },
      { superseded_by: ['2'] },
      { position: 4 },
    ];
    for (const extra of differences) {
      expect(compareIndexes(own, make(extra), new Set()).differing).toEqual(['1']);
    }
    expect(compareIndexes(own, make({}, 'a red cat'), new Set()).differing).toEqual(['1']);
    const vector = new Uint8Array([1, 2, 3, 5]);
    expect(compareIndexes(own, make({ vector }), new Set(['1']))).toEqual(none);
    expect(compareIndexes(own, makeIndex([], dimensions), new Set()).unmatched).toHaveLength(2);
    expect(compareIndexes(makeIndex([], dimensions), own, new Set()).differing).toHaveLength(2);
  });

  it.each([
    { id: 'another' },
    { accountId: 'another' },
    { model: 'another' },
    { dimensions: 8 },
    { release: '2.0.0' },
  ])('is not used for %o', async (difference) => {
    const file = await write(makeIndex([makeRow('1', 'a horse')], dimensions));
    const index = makeIndex([], dimensions);
    const reading = readSegmentFile(file, { ...identity, ...difference }, () => index);
    await expect(reading).rejects.toMatchObject({ fault: 'outdated' });
  });

  it('is of one moment, whatever changes while it is written', async () => {
    const rows = Array.from({ length: 40 }, (_, i) =>
      makeRow(`id-${i}`, `horse number ${i} coffee`, {
        vector: new Uint8Array([i, 1, 2, 3]),
        session_id: 's',
        session_ordinal: i,
      }),
    );
    const index = makeIndex(rows, dimensions);
    const expected = everythingOf(index);
    const file = newFile();
    const sink = {
      async write(bytes: Uint8Array) {
        await writeFile(file, bytes, { flag: 'a' });
      },
    };
    const writing = writeSegment(sink, identity, new Map([['memory', index]]), () => true);
    index.apply(makeRow('new', 'a new zebra drinks coffee', { session_id: 's' }));
    index.apply({ ...(rows[3] as DocumentRow), terms: null });
    index.apply({ ...(rows[4] as DocumentRow), terms: analyseText('other', new Date(0)) });
    await writing;
    expect(everythingOf(await read(file))).toEqual(expected);
  });
});
