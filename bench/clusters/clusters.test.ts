import { isStopWord } from '@mneme/text';
import { describe, expect, it } from 'vitest';
import { adjustedRandIndex } from './adjusted-rand-index.ts';
import {
  type ClusterRunFigures,
  clusterRunTable,
  clusterRunVerdicts,
  topicTable,
} from './report.ts';
import { readTopicTexts, type TopicFigures, topicSets } from './topics.ts';

describe('the adjusted Rand index', () => {
  it('is that of paper and pencil', () => {
    // Of ten pairs four are together in the one, two in the other, and the same two in both.
    expect(adjustedRandIndex([0, 0, 0, 1, 1], [0, 0, 1, 2, 2])).toBeCloseTo(
      (2 - 0.8) / (3 - 0.8),
      6,
    );
    expect(adjustedRandIndex([0, 1, 1, 2], [5, 3, 3, -1])).toBe(1);
    expect(adjustedRandIndex([0, 0, 1, 1], [0, 1, 0, 1])).toBeCloseTo(-0.5, 6);
  });
});

describe.each(topicSets)('the labelled topics, %s', (set) => {
  it('are twenty, of at least thirty texts each, and none occurs twice', async () => {
    const all = await readTopicTexts(set);
    const topics = Map.groupBy(all, ({ topic }) => topic);
    expect(topics.size).toBe(20);
    for (const texts of topics.values()) expect(texts.length).toBeGreaterThanOrEqual(30);
    expect(new Set(all.map(({ text }) => text)).size).toBe(all.length);
  });

  it('have no word that stands in more than a third of the texts of a topic', async () => {
    for (const [topic, texts] of Map.groupBy(await readTopicTexts(set), (each) => each.topic)) {
      const counts = new Map<string, number>();
      for (const { text } of texts) {
        for (const word of new Set(text.toLowerCase().match(/\p{L}+/gu))) {
          if (!isStopWord(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
        }
      }
      const [word, count] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? ['', 0];
      expect(count, `${topic}: ${word}`).toBeLessThanOrEqual(texts.length / 3);
    }
  });
});

describe('the report of clusters', () => {
  const figures = (given: Partial<ClusterRunFigures>): ClusterRunFigures => ({
    server: 'embedded',
    memories: 20_000,
    seconds: 30,
    peakMb: 900,
    clusters: 210,
    noise: 0.02,
    idleMs: [4],
    busyMs: [30],
    mapMs: [200],
    ...given,
  });
  const held = (given: Partial<ClusterRunFigures>): boolean[] =>
    clusterRunVerdicts(figures(given)).map((line) => line.startsWith('held'));

  it('holds a run by its time, its memory and the searches meanwhile', () => {
    expect(held({})).toEqual([true, true, true, true]);
    expect(held({ seconds: 60 })).toEqual([false, true, true, true]);
    expect(held({ peakMb: 1_500 })).toEqual([true, false, true, true]);
    expect(held({ busyMs: [50] })).toEqual([true, true, false, true]);
    expect(held({ idleMs: [40], busyMs: [79] })).toEqual([true, true, true, true]);
    expect(held({ memories: 200_000, seconds: 899, peakMb: 3_000 })).toEqual([true, true, true]);
    expect(held({ mapMs: [400] })).toEqual([true, true, true, false]);
  });

  it('has a row for each engine, and one for each part of the topics', () => {
    expect(clusterRunTable([figures({})])).toContain(
      '| embedded | 20000 | 30.0 | 900 | 210 | 2 % | 4.0 | 30.0 | 200 |',
    );
    const part: TopicFigures = {
      texts: 40,
      clusters: 2,
      noise: 0.1,
      rand: 0.61,
      nearestCentroid: { rand: 0.7, right: 0.8 },
      topics: [],
    };
    const table = topicTable('long', { all: part });
    expect(table).toContain('| all | 40 | 2 | 10 % | 0.61 | 0.70 (80 %) |');
    expect(table).toContain('held  ');
    expect(topicTable('long', { all: { ...part, rand: 0.59 } })).toContain('MISSED');
  });
});
