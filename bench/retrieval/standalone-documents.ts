/** Documents that stand alone: no session, no speaker, no dates. */
import { quantile } from '../statistics.ts';
import { Bm25, stemsOf } from './bm25.ts';
import { type DocumentQuestion, type DocumentSet, loadDocuments } from './data-sets.ts';
import { type JudgedRanking, metricsOf } from './metrics.ts';
import { type BaselineComparison, type BenchmarkReport, metricsTable, ratioOf } from './report.ts';
import type { RetrievalTarget } from './retrieval-target.ts';

const limit = 50;
const bm25 = { k1: 1.2, b: 0.75 };
/** From this share of its stems on a question is in the words of the document. */
const sameWordsMin = 0.5;

interface QuestionResult {
  readonly sameWords: boolean;
  readonly ours: JudgedRanking;
  readonly baseline: JudgedRanking;
  readonly millis: number;
}

/** The short documents, and 152 more of 500 to 4,300 words with 152 questions. */
export const measureLibrary = (service: RetrievalTarget): Promise<BenchmarkReport> => {
  const { documents } = loadDocuments();
  const long = loadDocuments(new URL('library/', import.meta.url));
  const set = { documents: [...documents, ...long.documents], questions: long.questions };
  return measureSet(service, 'library', set, 1.03);
};

export const measureDocuments = (service: RetrievalTarget): Promise<BenchmarkReport> =>
  measureSet(service, 'documents', loadDocuments(), 1);

async function measureSet(
  service: RetrievalTarget,
  name: string,
  set: DocumentSet,
  min: number,
): Promise<BenchmarkReport> {
  const asked = await runQuestions(service, set);
  const rows = [
    compare('all', asked),
    compare(
      'in the words of the document',
      asked.filter(({ sameWords }) => sameWords),
    ),
    compare(
      'in other words',
      asked.filter(({ sameWords }) => !sameWords),
    ),
  ];
  const all = rows[0] as BaselineComparison;
  const latencies = asked.map(({ millis }) => millis);
  const [p50, p95] = [quantile(latencies, 0.5), quantile(latencies, 0.95)];
  return {
    lines: [
      `${set.documents.length} documents`,
      '',
      ...metricsTable(rows, ['nDCG@10', 'R@10', 'MRR']),
      '',
      `latency: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms; the goal is 1.05 ×`,
    ],
    thresholds: [
      {
        description: `${name}: nDCG@10 over BM25`,
        value: ratioOf(all, 'ndcg10'),
        min,
        unit: '×',
      },
    ],
    figures: { rows, p50, p95 },
  };
}

const compare = (name: string, asked: readonly QuestionResult[]): BaselineComparison => ({
  name,
  ours: metricsOf(asked.map(({ ours }) => ours)),
  baseline: metricsOf(asked.map(({ baseline }) => baseline)),
});

async function runQuestions(
  service: RetrievalTarget,
  { documents, questions }: DocumentSet,
): Promise<QuestionResult[]> {
  const contents = documents.map(({ content }) => content);
  const spaceId = await service.createSpace('documents');
  const stored = await service.store(
    spaceId,
    contents.map((content) => ({ content })),
  );
  const documentOf = new Map(stored.map((memory, i) => [memory, documents[i]?.id ?? '']));
  const index = new Bm25(contents, bm25);
  const stems = new Map(documents.map(({ id, content }) => [id, new Set(stemsOf(content))]));
  const asked: QuestionResult[] = [];
  for (const question of questions) {
    const { hits, millis } = await service.search(question.text, spaceId, limit);
    const relevant = new Map(Object.entries(question.relevant));
    const places = index.rank(question.text, limit);
    asked.push({
      sameWords: sharedStemRatio(question, stems) >= sameWordsMin,
      ours: { ranked: hits.map(({ id }) => documentOf.get(id) ?? id), relevant },
      baseline: { ranked: places.map((i) => documents[i]?.id ?? ''), relevant },
      millis,
    });
  }
  return asked;
}

/** The share of the question's stems in that document of the best grade that has most of them. */
function sharedStemRatio(
  { text, relevant }: DocumentQuestion,
  stems: ReadonlyMap<string, ReadonlySet<string>>,
): number {
  const own = [...new Set(stemsOf(text))];
  const best = Object.keys(relevant).filter((id) => relevant[id] === 2);
  const shared = (id: string): number => own.filter((stem) => stems.get(id)?.has(stem)).length;
  return Math.max(0, ...best.map(shared)) / Math.max(1, own.length);
}
