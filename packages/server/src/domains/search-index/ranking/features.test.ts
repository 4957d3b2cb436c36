import { describe, expect, it } from 'vitest';
import type { DocumentRow } from '../account/document-row.ts';
import { analyseText } from '../analysis.ts';
import { quantiseVector } from '../model.ts';
import { makeIndex, makeQuery, makeRow, searchHits } from '../testing.ts';
import type { IndexQuery } from './query.ts';
import { type FeatureName, featureNames, rankers } from './weights.ts';

const day = 86_400_000;
const said = Date.UTC(2026, 4, 8);
const { intent } = makeQuery('');

const turn = (id: string, content: string, extra: Partial<DocumentRow> = {}): DocumentRow =>
  makeRow(id, content, {
    session_id: 's',
    session_ordinal: Number(id),
    occurred_at: new Date(said),
    terms: analyseText(content, new Date(said)),
    ...extra,
  });

/** The value of a feature for each memory found: its contribution over its weight. */
function featureOf(
  name: FeatureName,
  rows: readonly DocumentRow[],
  query: string,
  extra: Partial<IndexQuery> = {},
): Record<string, number> {
  const hits = searchHits(makeIndex(rows), makeQuery(query, extra));
  const ranker = rankers[extra.vector ? 'sentence' : 'keyword'];
  const turns = new Set(rows.flatMap(({ id, session_id }) => (session_id === null ? [] : [id])));
  return Object.fromEntries(
    hits.map(({ id, explanation }) => {
      const { weights, scale } = ranker[turns.has(id) ? 'turn' : 'text'];
      const factor = scale * (weights[featureNames.indexOf(name)] ?? 0);
      return [id, (explanation?.features[name] ?? Number.NaN) / (factor === 0 ? 1 : factor)];
    }),
  );
}

const bytes = (...values: number[]): Uint8Array =>
  new Uint8Array(quantiseVector(Float32Array.from(values)).buffer);

describe('features', () => {
  it('do not depend on other results: one word of many is no full match', () => {
    const rows = [makeRow('1', 'a zither in the attic'), makeRow('2', 'a zither and an ocarina')];
    const query = 'zither ocarina balalaika sousaphone';
    const restated = featureOf('restated', rows, query);
    expect(restated).toEqual({ 1: 0, 2: 0 });
    const alone = featureOf('whole_text', rows.slice(0, 1), 'zither');
    const withOther = featureOf('whole_text', rows.slice(0, 1), query);
    expect(withOther['1']).toBeCloseTo(alone['1'] ?? 0);
  });

  it('count a phrase that is preferred', () => {
    const rows = [makeRow('1', 'a red zither'), makeRow('2', 'a zither, red')];
    const query = { preferredMatches: ['1', 'no longer there'] };
    expect(featureOf('phrase', rows, 'red zither', query)).toEqual({ 1: 1, 2: 0 });
  });

  it('count what a document says about the fact that is asked for', () => {
    const rows = [makeRow('1', 'a zither'), makeRow('2', 'a zither, too'), makeRow('3', 'zither')];
    const factSupport = new Map([
      ['1', 0.8],
      ['2', -0.4],
      ['no longer there', 1],
    ]);
    const found = featureOf('fact', rows, 'zither', { factSupport });
    expect(found['1']).toBeCloseTo(0.8);
    expect(found['2']).toBeCloseTo(-0.4);
    expect(found['3']).toBe(0);
  });

  it('count the words of a lookup that a text has, by their idf', () => {
    const others = 'in the attic beside old chairs, boxes and lamps of our aunt';
    const rows = [
      makeRow('1', `a zither and an ocarina ${others}`),
      makeRow('2', `a zither ${others}`),
    ];
    const lookup = { intent: { ...intent, isLookup: true } };
    const found = featureOf('lookup', rows, 'zither ocarina', lookup);
    expect(found['1']).toBeGreaterThan(0.9);
    expect(found['2']).toBeGreaterThan(0);
    expect(found['2']).toBeLessThan(0.5);
    expect(featureOf('lookup', rows, 'zither ocarina')).toEqual({ 1: 0, 2: 0 });
  });

  it('put a text with the word of a lookup before texts whose vectors are nearer', () => {
    const rows = [
      makeRow('1', 'ERR_4711 stands in the log', { vector: bytes(0, 1, 0, 0) }),
      makeRow('2', 'ERR_4712 stands in the log', { vector: bytes(1, 0.5, 0, 0) }),
    ];
    const query = { vector: Float32Array.of(1, 0, 0, 0), intent: { ...intent, isLookup: true } };
    const [first] = searchHits(makeIndex(rows), makeQuery('ERR_4711', query));
    expect(first?.id).toBe('1');
    expect(first?.score).toBeGreaterThan(0.5);
  });

  it('prefer the named speaker, and what they say about themselves', () => {
    const rows = [
      turn('1', 'I play the zither in our band.', { speaker: 'Ana' }),
      turn('2', 'Your zither is out of tune, you know.', { speaker: 'Ana' }),
      turn('3', 'I have a zither too.', { speaker: 'Ben' }),
    ];
    const query = { intent: { ...intent, names: ['ana'] } };
    expect(featureOf('speaker', rows, 'zither', query)).toEqual({ 1: 1, 2: 1, 3: 0 });
    const own = featureOf('of_speaker', rows, 'zither', query);
    expect(own['1']).toBeGreaterThan(0);
    expect(own['2']).toBeLessThan(0);
    expect(own['3']).toBe(0);
    const both = { intent: { ...intent, names: ['ana', 'ben'] } };
    expect(featureOf('speaker', rows, 'zither', both)).toEqual({ 1: 0, 2: 0, 3: 0 });
  });

  it('prefer the user’s words where somebody asks about themselves', () => {
    const rows = [
      turn('1', 'My zither is old.', { role: 'user' }),
      turn('2', 'A zither has strings.', { role: 'assistant' }),
    ];
    const query = { intent: { ...intent, isAboutSelf: true } };
    expect(featureOf('oneself', rows, 'zither', query)).toEqual({ 1: 1, 2: 0 });
    expect(featureOf('oneself', rows, 'zither')).toEqual({ 1: 0, 2: 0 });
  });

  it('prefer the requested time, less with each day of distance', () => {
    const at = (days: number) => ({ occurred_at: new Date(said + days * day) });
    const rows = [0, 3, 10, 40].map((days, i) => turn(String(i), 'the zither', at(days)));
    const times = [{ from: said, to: said + day, isYear: false }];
    const found = featureOf('time', rows, 'zither', { intent: { ...intent, times } });
    expect(found['0']).toBeCloseTo(1);
    expect(found['1']).toBeCloseTo(Math.exp(-2 / 7));
    expect(found['1']).toBeGreaterThan(found['2'] ?? 0);
    expect(found['3']).toBe(0);
  });

  it('use the times that a text mentions, and whether it mentions one', () => {
    const rows = [turn('1', 'I sold the zither yesterday.'), turn('2', 'I sold the zither.')];
    const times = [{ from: said - day, to: said, isYear: false }];
    const query = { intent: { ...intent, asksWhen: true, times } };
    expect(featureOf('time_said', rows, 'zither', query)).toEqual({ 1: 1, 2: 0 });
    expect(featureOf('states_time', rows, 'zither', query)).toEqual({ 1: 1, 2: 0 });
  });

  it('use the similarity of a memory and of its neighbouring turns', () => {
    const rows = [
      turn('1', 'the zither', { vector: bytes(1, 0, 0, 0) }),
      turn('2', 'the attic', { vector: bytes(0, 1, 0, 0) }),
      makeRow('3', 'the cellar', { vector: bytes(0, 0, 1, 0) }),
    ];
    const query = { vector: Float32Array.of(1, 0, 0, 0) };
    const own = featureOf('semantic', rows, 'zither attic cellar', query);
    const around = featureOf('semantic_context', rows, 'zither attic cellar', query);
    expect(own['1']).toBeGreaterThan(0.8);
    expect(own['2']).toBeLessThan(0.2);
    expect(around['2']).toBeGreaterThan(0.2);
    expect(around['3']).toBe(0);
  });

  it('rank a question below an answer, only in conversations', () => {
    const rows = [
      turn('1', 'Is that a zither?'),
      turn('2', 'A zither.'),
      makeRow('3', 'A zither?'),
    ];
    const found = featureOf('question', rows, 'zither');
    expect(found['1']).toBe(1);
    expect([Math.abs(found['2'] ?? 1), Math.abs(found['3'] ?? 1)]).toEqual([0, 0]);
  });
});
