import { readFile } from 'node:fs/promises';
import { runClustering } from '../../packages/server/src/domains/clusters/thread/run-in-thread.ts';
import { createEmbedder } from '../../packages/server/src/providers/embedding/index.ts';
import { adjustedRandIndex } from './adjusted-rand-index.ts';

export interface TopicText {
  readonly topic: string;
  readonly text: string;
}

/** What came of the texts of a topic. */
interface TopicResult {
  readonly topic: string;
  /** The cluster that most of them are in; null where most are in none. */
  readonly label: string | null;
  readonly share: number;
}

export interface TopicFigures {
  readonly texts: number;
  readonly clusters: number;
  readonly noise: number;
  /** Noise counted as one more cluster. */
  readonly rand: number;
  /** What naming the topic with the nearest centroid gets, of all the other texts with theirs. */
  readonly nearestCentroid: { readonly rand: number; readonly right: number };
  readonly topics: readonly TopicResult[];
}

/** Of about 14 words a text, and of about 45. */
export const topicSets = ['short', 'long'] as const;
export type TopicSet = (typeof topicSets)[number];

/** The texts with their topics, in the order of the file. */
export async function readTopicTexts(set: TopicSet): Promise<TopicText[]> {
  const lines = await readFile(new URL(`topics-${set}.jsonl`, import.meta.url), 'utf8');
  return lines
    .trimEnd()
    .split('\n')
    .map((line): TopicText => JSON.parse(line));
}

/** Embeds the texts by the default model and finds their topics as a run does. */
export async function clusterTopicTexts(labelled: readonly TopicText[]): Promise<TopicFigures> {
  await using embedder = await createEmbedder({ provider: 'encoder' });
  const dimension = embedder.dimensions;
  const texts = labelled.map(({ text }) => text);
  const rows = await embedder.embed(texts, 'document');
  const names = [...new Set(labelled.map(({ topic }) => topic))];
  const truth = labelled.map(({ topic }) => names.indexOf(topic));
  const vectors = new Float32Array(rows.length * dimension);
  for (const [i, row] of rows.entries()) vectors.set(row, i * dimension);
  const { labels, clusters } = await runClustering({
    algorithm: 'bertopic',
    minClusterSize: 5,
    dimension,
    vectors,
    texts,
    seed: 1,
  });
  const named = nearestCentroids(rows, truth, names.length);
  return {
    texts: texts.length,
    clusters: clusters.length,
    noise: labels.filter((label) => label < 0).length / labels.length,
    rand: adjustedRandIndex(labels, truth),
    nearestCentroid: {
      rand: adjustedRandIndex(named, truth),
      right: named.filter((topic, i) => topic === truth[i]).length / named.length,
    },
    topics: names.map((topic, number) => {
      const own = [...labels].filter((_, i) => truth[i] === number);
      const counts = new Map<number, number>();
      for (const label of own) counts.set(label, (counts.get(label) ?? 0) + 1);
      const [label, count] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? [-1, 0];
      return { topic, label: clusters[label]?.label ?? null, share: count / own.length };
    }),
  };
}

/** Each text's topic by the nearest centroid, its own text left out of it. */
function nearestCentroids(
  rows: readonly Float32Array[],
  truth: readonly number[],
  topics: number,
): number[] {
  const dimension = rows[0]?.length ?? 0;
  const sums = Array.from({ length: topics }, () => new Float64Array(dimension));
  for (const [i, row] of rows.entries()) {
    const sum = sums[truth[i] as number] as Float64Array;
    for (const [j, value] of row.entries()) sum[j] = (sum[j] as number) + value;
  }
  return rows.map((row, i) => {
    const cosines = sums.map((sum, topic) => {
      const others = topic === truth[i] ? sum.map((value, j) => value - (row[j] as number)) : sum;
      const onto = others.reduce((dot, value, j) => dot + value * (row[j] as number), 0);
      return onto / Math.hypot(...others);
    });
    return cosines.indexOf(Math.max(...cosines));
  });
}
