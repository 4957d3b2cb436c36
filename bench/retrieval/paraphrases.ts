/** Statements that share no content word with the question, among 300 others. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Bm25 } from './bm25.ts';
import { type JudgedRanking, metricsOf, recallAt } from './metrics.ts';
import { type BenchmarkReport, formatPercent } from './report.ts';
import type { RetrievalTarget } from './retrieval-target.ts';

const limit = 50;
const distractors = new URL(
  '../../packages/server/src/providers/embedding/fixtures/distractors.txt',
  import.meta.url,
);

/** Null when the pairs are not there. */
export async function measureParaphrases(
  service: RetrievalTarget,
  dataDir: string,
): Promise<BenchmarkReport | null> {
  const file = path.join(dataDir, 'vectors', 'paraphrases.json');
  if (!existsSync(file)) return null;
  const pairs = JSON.parse(readFileSync(file, 'utf8')) as [question: string, statement: string][];
  const others = readFileSync(distractors, 'utf8').trimEnd().split('\n');
  const texts = [...pairs.map(([, statement]) => statement), ...others];
  const spaceId = await service.createSpace('paraphrases');
  const stored = await service.store(
    spaceId,
    texts.map((content) => ({ content })),
  );
  const index = new Bm25(texts, { k1: 1.2, b: 0.75 });
  const judged: { ours: JudgedRanking; plain: JudgedRanking }[] = [];
  for (const [i, [question]] of pairs.entries()) {
    const { hits } = await service.search(question, spaceId, limit);
    const relevant = new Map([[stored[i] ?? '', 1]]);
    const places = index.rank(question, limit);
    judged.push({
      ours: { ranked: hits.map(({ id }) => id), relevant },
      plain: { ranked: places.map((place) => stored[place] ?? ''), relevant },
    });
  }
  const share = (of: 'ours' | 'plain', k: number): number =>
    judged.filter((one) => recallAt(one[of], k) === 1).length / judged.length;
  const [first, firstFive] = [share('ours', 1), share('ours', 5)];
  return {
    lines: [
      `${pairs.length} pairs among ${others.length} others: first ${formatPercent(first)} %, ` +
        `in the first five ${formatPercent(firstFive)} %, ` +
        `MRR ${formatPercent(metricsOf(judged.map(({ ours }) => ours)).mrr)} % ` +
        `(BM25: ${formatPercent(share('plain', 1))} % and ${formatPercent(share('plain', 5))} %)`,
    ],
    thresholds: [
      { description: 'paraphrases: first', value: first, min: 0.5, unit: '%' },
      { description: 'paraphrases: in the first five', value: firstFive, min: 0.8, unit: '%' },
    ],
    figures: { pairs: pairs.length, first, firstFive },
  };
}
