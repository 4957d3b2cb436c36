/** Long documents of several kinds, found by single passages of them; see long-documents/. */
import { quantile } from '../statistics.ts';
import { PassageBm25, passageBm25Variants } from './bm25.ts';
import { loadDocuments } from './data-sets.ts';
import type { PassageQuestion } from './long-documents/document-parts.ts';
import { generateLongDocuments } from './long-documents/generate.ts';
import { type JudgedRanking, mean, metricsOf } from './metrics.ts';
import {
  type BaselineComparison,
  type BenchmarkReport,
  formatPercent,
  metricsTable,
  ratioOf,
  renderTable,
} from './report.ts';
import type { RetrievalTarget } from './retrieval-target.ts';

const limit = 50;
const seed = 20_261_128;
/** Of the questions to handbooks, so that the kinds have about equally many. */
const handbookShare = 10;
const rowNames = ['meaning', 'words', 'log', 'table', 'list', 'code'] as const;

interface QuestionResult {
  readonly kind: PassageQuestion['kind'];
  readonly ours: JudgedRanking;
  readonly baselines: readonly JudgedRanking[];
  /** Whether the hit of the right document names the right passage; null: not found. */
  readonly isPassageRight: boolean | null;
  readonly millis: number;
}

/** Among 348 short documents. */
export async function measurePassages(service: RetrievalTarget): Promise<BenchmarkReport> {
  const generated = generateLongDocuments(seed, { handbooks: 6, words: 10_000 });
  const documents = [...generated.documents, ...loadDocuments().documents];
  const isOfHandbook = ({ kind }: PassageQuestion): boolean =>
    kind === 'meaning' || kind === 'words';
  const ofHandbooks = generated.questions.filter(isOfHandbook);
  const questions = [
    // A step that is odd takes questions of both kinds.
    ...ofHandbooks.filter((_, i) => i % (2 * handbookShare + 1) === 0),
    ...generated.questions.filter((one) => !isOfHandbook(one)),
  ];
  const contents = documents.map(({ content }) => content);
  const spaceId = await service.createSpace('passages');
  const ids = await service.store(
    spaceId,
    contents.map((content) => ({ content })),
  );
  const baselines = passageBm25Variants.map(
    ({ windowWords, ...options }) => new PassageBm25(contents, windowWords, options),
  );
  const asked: QuestionResult[] = [];
  for (const { text, documentId, answer, kind } of questions) {
    const { hits, millis } = await service.search(text, spaceId, limit);
    const right = ids[documents.findIndex(({ id }) => id === documentId)] as string;
    const relevant = new Map([[right, 2]]);
    const hit = hits.find(({ id }) => id === right);
    asked.push({
      kind,
      ours: { ranked: hits.map(({ id }) => id), relevant },
      baselines: baselines.map((one) => ({
        ranked: one.rank(text, limit).map((i) => ids[i] ?? ''),
        relevant,
      })),
      isPassageRight: hit ? (hit.passage?.text.includes(answer) ?? false) : null,
      millis,
    });
  }
  return reportOf(documents.length, asked);
}

function reportOf(documents: number, asked: readonly QuestionResult[]): BenchmarkReport {
  const all = compare('all', asked);
  const rows = [all, ...rowNames.map((name) => compare(name, ofKind(asked, name)))];
  const shares = rowNames.map((name) => rightShare(ofKind(asked, name)));
  const latencies = asked.map(({ millis }) => millis);
  const [p50, p95] = [quantile(latencies, 0.5), quantile(latencies, 0.95)];
  const named = rightShare(asked);
  return {
    lines: [
      `${documents} documents; BM25 is the best of ${passageBm25Variants.length} with passages`,
      '',
      ...metricsTable(rows, ['nDCG@10', 'R@5', 'R@10', 'MRR']),
      '',
      ...renderTable(
        ['the hit names the right passage', 'all', ...rowNames],
        [['share of the documents found, %', ...[named, ...shares].map(formatPercent)]],
      ),
      '',
      `latency: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
    ],
    thresholds: [
      {
        description: 'passages: nDCG@10 over BM25 with passages',
        value: ratioOf(all, 'ndcg10'),
        min: 1.05,
        unit: '×',
      },
    ],
    figures: { rows, named, p50, p95 },
  };
}

const ofKind = (
  asked: readonly QuestionResult[],
  kind: PassageQuestion['kind'],
): QuestionResult[] => asked.filter((one) => one.kind === kind);

function rightShare(asked: readonly QuestionResult[]): number {
  const found = asked.filter(({ isPassageRight }) => isPassageRight !== null);
  return mean(found.map(({ isPassageRight }) => (isPassageRight === true ? 1 : 0)));
}

/** The better BM25, by nDCG@10. */
function compare(name: string, asked: readonly QuestionResult[]): BaselineComparison {
  const variants = passageBm25Variants.map((_, i) =>
    metricsOf(asked.map(({ baselines }) => baselines[i] as JudgedRanking)),
  );
  const [best] = variants.toSorted((a, b) => b.ndcg10 - a.ndcg10);
  if (!best) throw new Error('no baseline');
  return { name, ours: metricsOf(asked.map(({ ours }) => ours)), baseline: best };
}
