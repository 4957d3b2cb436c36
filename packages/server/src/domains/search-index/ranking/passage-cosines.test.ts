import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runCount } from '../../../../../../test/support/run-count.ts';
import { estimateIndexBytes } from '../account/index-size.ts';
import { quantiseVector } from '../model.ts';
import {
  passageVectorCount,
  passageVectorsMax,
  quantisePassageVectors,
  textsOfPassages,
} from '../passage-vectors.ts';
import { type AccountIndex, makeIndex, makeQuery, makeRow, searchHits } from '../testing.ts';
import { beginCosines, beginOwnCosines, centreQuery } from './cosine.ts';
import { PassageCosines } from './passage-cosines.ts';

const dimensions = 4;
const number = fc.double({ min: -1, max: 1, noNaN: true });
const vector = fc
  .tuple(number, number, number, number)
  .map((values) => Float32Array.from(values))
  .filter((values) => Math.hypot(...values) > 0.1);

/** A text of as many passages, each about its own word. */
const textOf = (passages: number): string =>
  Array.from({ length: passages }, (_, i) => `subject${i} ${'is of use here '.repeat(18)}.`).join(
    '\n\n',
  );

const bytesOf = (vectors: readonly Float32Array[]): Uint8Array =>
  new Uint8Array(quantisePassageVectors(vectors, dimensions).buffer);

const rowOf = (
  id: string,
  own: Float32Array,
  passages: readonly Float32Array[],
  extra: Parameters<typeof makeRow>[2] = {},
) =>
  makeRow(id, textOf(Math.max(1, passages.length)), {
    vector: new Uint8Array(quantiseVector(own).buffer),
    passages: passages.length > 1 ? bytesOf(passages) : null,
    ...extra,
  });

function bestOf(
  index: AccountIndex,
  query: Float32Array,
  spaces: readonly string[] | null,
): ReadonlyMap<number, number> {
  const scope = index.scope(spaces);
  if (index.passageVectors === null) return new Map();
  const whole = new Float32Array(index.columns.length);
  beginCosines(index, scope, query, whole)();
  const centred = centreQuery(scope, query);
  return new PassageCosines(index, index.passageVectors, scope, centred, whole).best;
}

describe('cosines of passages', () => {
  it('are those of plain arithmetic, in the whole account and in a space', () => {
    const document = fc.record({
      own: vector,
      passages: fc.array(vector, { maxLength: 40 }).map((all) => (all.length === 1 ? [] : all)),
      space: fc.constantFrom('a', 'b', 'c'),
    });
    fc.assert(
      fc.property(
        fc.array(document, { minLength: 1, maxLength: 12 }),
        vector,
        fc.constantFrom<string[] | null>(null, ['a'], ['a', 'b']),
        (documents, query, spaces) => {
          const rows = documents.map(({ own, passages, space }, i) =>
            rowOf(String(i), own, passages, { space_id: space }),
          );
          const index = makeIndex(rows, dimensions);
          // A replaced document leaves its vectors behind.
          index.apply(rows[0] as (typeof rows)[0]);
          const scope = index.scope(spaces);
          const best = bestOf(index, query, spaces);
          const centre = (values: ArrayLike<number>): number[] =>
            Array.from(values, (value, i) => value - (scope.meanVector[i] as number));
          for (const [i, { passages, space }] of documents.entries()) {
            const found = best.get(index.findNumber(String(i)) as number);
            const isVisible = spaces === null || spaces.includes(space);
            if (passages.length === 0 || !isVisible) expect(found).toBeUndefined();
            else {
              const each = passages.map((one) =>
                cosineOf(centre(query), centre(toUnit(quantiseVector(one)))),
              );
              expect(found).toBeCloseTo(Math.max(0, ...each), 2);
            }
          }
        },
      ),
      { numRuns: runCount(60, 1_000) },
    );
  });

  it('of a model with another scale lead the converted cosine of the whole by as much', () => {
    const axis = (at: number): Float32Array =>
      Float32Array.from({ length: dimensions }, (_, i) => (i === at ? 1 : 0.2));
    const rows = [rowOf('1', axis(3), [axis(0), axis(1)]), rowOf('2', axis(2), [])];
    const index = makeIndex(rows, dimensions);
    const scope = index.scope(null);
    const own = new Float32Array(index.columns.length);
    beginOwnCosines(index, scope, centreQuery(scope, axis(1)), own)();
    const number = index.findNumber('1') as number;
    const lead =
      (bestOf(index, axis(1), null).get(number) as number) - Math.max(0, own[number] ?? 0);
    const quantiles = Array.from({ length: 33 }, (_, i) => 0.7 + i / 128);
    index.setScale({ version: 1, quantiles, line: { slope: 1, intercept: 0 } });
    const whole = new Float32Array(index.columns.length);
    beginCosines(index, index.scope(null), axis(1), whole)();
    const expected = Math.min(1, Math.max(0, whole[number] ?? 0) + lead);
    expect(bestOf(index, axis(1), null).get(number)).toBeCloseTo(expected, 5);
  });

  it('choose the passage that a hit names, by meaning and by words', () => {
    const axis = (at: number): Float32Array =>
      Float32Array.from({ length: dimensions }, (_, i) => (i === at ? 1 : 0));
    const passages = [axis(0), axis(1), axis(2), axis(1)];
    const index = makeIndex([rowOf('1', axis(3), passages)], dimensions);
    const passageOf = (text: string, query: Float32Array): string => {
      const [hit] = searchHits(index, makeQuery(text, { vector: query }));
      return textOf(4).slice(...(hit?.passage ?? [0, 0]));
    };
    expect(passageOf('something', axis(2))).toContain('subject2');
    expect(passageOf('subject3', axis(3))).toContain('subject3');
    expect(passageOf('subject3', axis(1))).toContain('subject3');
  });

  it('a word of the heading counts for each passage of its section', () => {
    const colour = (_: unknown, i: number): string =>
      `colour${i} ${'lies on a shelf '.repeat(18)}.`;
    const section = (name: string): string =>
      [`# ${name}`, ...Array.from({ length: 4 }, colour)].join('\n\n');
    const content = [section('Garden'), section('Cellar')].join('\n\n');
    const count = makeRow('1', content).terms?.split('\n').length ?? 0;
    const flat = Float32Array.of(0, 0, 0, 1);
    const index = makeIndex(
      [
        makeRow('1', content, {
          vector: new Uint8Array(quantiseVector(flat).buffer),
          passages: bytesOf(Array.from({ length: count - 1 }, () => flat)),
        }),
      ],
      dimensions,
    );
    const [hit] = searchHits(index, makeQuery('colour2 in the cellar', { vector: flat }));
    const [start, end] = hit?.passage ?? [0, 0];
    expect(content.slice(start, end)).toContain('colour2');
    expect(start).toBeGreaterThan(content.indexOf('# Cellar'));
  });

  it('follow vectors that replace those of a document', () => {
    const [a, b] = [Float32Array.of(1, 0, 0, 0), Float32Array.of(0, 1, 0, 0)];
    const index = makeIndex([rowOf('1', a, [a, a])], dimensions);
    const best = (query: Float32Array): number => [...bestOf(index, query, null).values()][0] ?? -1;
    const before = best(b);
    index.setVectors({ id: '1', vector: null, passages: bytesOf([a, b]) });
    expect(best(b)).toBeGreaterThan(before + 0.5);
    // Of another number of passages: not those of this text.
    index.setVectors({ id: '1', vector: null, passages: bytesOf([a, a, a]) });
    expect(best(b)).toBeGreaterThan(before + 0.5);
    index.apply(makeRow('1', 'short'));
    expect(best(b)).toBe(-1);
  });
});

describe('vectors of passages', () => {
  it('of a very long text are shared by consecutive passages', () => {
    const content = textOf(passageVectorsMax * 2 + 10);
    const { terms } = makeRow('1', content);
    const texts = textsOfPassages(content, terms ?? '');
    expect(texts).toHaveLength(passageVectorCount(passageVectorsMax * 2 + 10));
    expect(texts.length).toBeLessThanOrEqual(passageVectorsMax);
    expect(texts[0]).toContain('subject0');
    expect(texts[0]).toContain('subject2');
    expect(texts.at(-1)).toContain(`subject${passageVectorsMax * 2 + 9} `);
  });

  it('cost an account without long texts nothing', () => {
    const short = makeIndex([makeRow('1', 'one short text'), makeRow('2', 'another one')]);
    expect([short.passageVectors, short.contextTerms]).toEqual([null, null]);
    const own = Float32Array.of(1, 0, 0, 0);
    const long = makeIndex([
      rowOf(
        '1',
        own,
        Array.from({ length: 50 }, () => own),
      ),
    ]);
    const without = makeIndex([rowOf('1', own, [], { terms: makeRow('1', textOf(50)).terms })]);
    expect(estimateIndexBytes(long) - estimateIndexBytes(without)).toBeGreaterThan(50 * dimensions);
  });
});

function toUnit(values: Int8Array): number[] {
  const length = Math.hypot(...values);
  return Array.from(values, (value) => value / length);
}

function cosineOf(a: readonly number[], b: readonly number[]): number {
  const dot = a.reduce((sum, value, i) => sum + value * (b[i] as number), 0);
  return dot / (Math.hypot(...a) * Math.hypot(...b) || 1);
}
