import { limits } from '@mneme/contract';
import { extractEntitiesAndFacts } from '@mneme/extraction';
import { describe, expect, it, test } from 'vitest';
import { createTextGenerator, readVocabulary } from '../text-generator.ts';
import type { ExtractionFigures } from './extraction.ts';
import { pathologicalTexts } from './pathological-texts.ts';
import { extractionTable, extractionVerdicts, walkTable, walkVerdicts } from './report.ts';
import { markerText, sentenceWithNames } from './sentences.ts';
import type { WalkFigures } from './walks.ts';

describe('what is stored', () => {
  const at = new Date('2026-11-21T12:00:00Z');

  it('names somebody or something in each sentence, and a marker surely', async () => {
    const texts = createTextGenerator(await readVocabulary(), 1);
    const read = Array.from({ length: 60 }, () =>
      extractEntitiesAndFacts({ text: sentenceWithNames(texts), at }),
    );
    const names = read.map(({ entities }) => entities.filter(({ type }) => type !== 'date').length);
    expect(Math.min(...names)).toBeGreaterThan(0);
    expect(read.filter(({ facts }) => facts.length > 0).length).toBeGreaterThan(30);
    for (const number of [1, 2, 30]) {
      expect(
        extractEntitiesAndFacts({ text: markerText(number), at }).entities.length,
      ).toBeGreaterThan(2);
    }
  });

  it('poisons are as large as a memory may be', () => {
    for (const [, text] of pathologicalTexts) {
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limits.contentBytesMax);
      expect(Buffer.byteLength(text)).toBeGreaterThan(limits.contentBytesMax * 0.5);
    }
  });
});

describe('the report', () => {
  const reading = (given: Partial<ExtractionFigures>): ExtractionFigures => ({
    server: 'embedded',
    memories: 10_000,
    seconds: 50,
    idleMs: [4],
    busyMs: [30],
    pathologicalMs: [
      ['dates', 1_999],
      ['brackets', 10],
    ],
    ...given,
  });
  const held = (given: Partial<ExtractionFigures>): boolean[] =>
    extractionVerdicts(reading(given)).map((line) => line.startsWith('held'));

  test('reading is held by its time, by searches meanwhile, and by the worst poison', () => {
    expect(held({})).toEqual([true, true, true]);
    expect(held({ seconds: 100 })).toEqual([false, true, true]);
    expect(held({ busyMs: [50] })).toEqual([true, false, true]);
    expect(held({ idleMs: [40], busyMs: [79] })).toEqual([true, true, true]);
    expect(held({ pathologicalMs: [['dates', 2_000]] })).toEqual([true, true, false]);
  });

  const walks = (given: Partial<WalkFigures>): WalkFigures => ({
    server: 'embedded',
    graph: 'even',
    subgraphMs: [60],
    sizes: [500],
    pathMs: [40],
    lengths: [],
    ...given,
  });

  test('walks are held by their p95 on the embedded engine, and told elsewhere', () => {
    const missed = (given: Partial<WalkFigures>): number =>
      walkVerdicts(walks(given)).filter((line) => line.startsWith('MISSED')).length;
    expect(missed({})).toBe(0);
    expect(missed({ subgraphMs: [60.1] })).toBe(1);
    expect(missed({ pathMs: [40.1] })).toBe(1);
    expect(missed({ server: 'PostgreSQL', subgraphMs: [99], pathMs: [99] })).toBe(0);
  });

  test('tables have a row for each engine, also where no path was found', () => {
    expect(extractionTable([reading({})])).toContain(
      '| embedded | 10000 | 50.0 | 200 | 4.0 / 4.0 | 30.0 / 30.0 |',
    );
    expect(extractionTable([reading({})])).toContain('| dates: embedded | 1999 |');
    expect(walkTable([walks({})])).toContain('| 0 of 1: – / – |');
  });
});
