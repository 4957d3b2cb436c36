/** Notes of assistants, asked for by the opening message of a conversation. */
import { readdirSync, readFileSync } from 'node:fs';
import { Bm25 } from './bm25.ts';
import { type JudgedRanking, metricsOf } from './metrics.ts';
import { type BaselineComparison, type BenchmarkReport, metricsTable, ratioOf } from './report.ts';
import type { RetrievalTarget } from './retrieval-target.ts';

const limit = 50;
const parameters = [
  { k1: 0.9, b: 0.4 },
  { k1: 1.2, b: 0.75 },
] as const;
/** Evidence of this many words is long. */
const longWords = 100;

interface NoteAccount {
  readonly id: string;
  readonly notes: readonly { key: string; content: string; occurred_at: string }[];
  readonly questions: readonly { question: string; answers: readonly string[] }[];
}

interface QuestionResult {
  readonly isLong: boolean;
  readonly ours: JudgedRanking;
  readonly baselines: readonly JudgedRanking[];
}

/** Half of the accounts, in the order of their names, is never used for fitting. */
export function loadNotes(): { fitting: NoteAccount[]; heldBack: NoteAccount[] } {
  const folder = new URL('notes/', import.meta.url);
  const accounts = readdirSync(folder)
    .toSorted()
    .map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as NoteAccount);
  return {
    fitting: accounts.filter((_, i) => i % 2 === 0),
    heldBack: accounts.filter((_, i) => i % 2 === 1),
  };
}

export async function measureNotes(service: RetrievalTarget): Promise<BenchmarkReport> {
  const { fitting, heldBack } = loadNotes();
  const results: Record<'fitting' | 'heldBack', QuestionResult[]> = { fitting: [], heldBack: [] };
  for (const account of fitting) results.fitting.push(...(await runQuestions(service, account)));
  for (const account of heldBack) results.heldBack.push(...(await runQuestions(service, account)));
  const all = [...results.fitting, ...results.heldBack];
  const rows = [
    compare('all', all),
    compare('for fitting', results.fitting),
    compare('held back', results.heldBack),
    compare(
      `evidence of ${longWords} words and more`,
      all.filter(({ isLong }) => isLong),
    ),
    compare(
      'shorter evidence',
      all.filter(({ isLong }) => !isLong),
    ),
  ];
  const [total, , , long] = rows as [
    BaselineComparison,
    BaselineComparison,
    BaselineComparison,
    BaselineComparison,
  ];
  const bar = (description: string, row: BaselineComparison, min: number) => ({
    description: `notes: recall@10 over the better BM25${description}`,
    value: ratioOf(row, 'recall10'),
    min,
    unit: '×' as const,
  });
  return {
    lines: metricsTable(rows, ['R@5', 'R@10', 'R@20', 'MRR']),
    thresholds: [bar('', total, 1.15), bar(`, evidence of ${longWords} words`, long, 1)],
    figures: { rows },
  };
}

/** The better BM25 of the two, by recall@10. */
function compare(name: string, results: readonly QuestionResult[]): BaselineComparison {
  const [first, second] = parameters.map((_, i) =>
    metricsOf(results.flatMap(({ baselines }) => baselines[i] ?? [])),
  );
  const isFirst = (first?.recall10 ?? 0) >= (second?.recall10 ?? 0);
  return {
    name,
    ours: metricsOf(results.map(({ ours }) => ours)),
    baseline: (isFirst ? first : second) as BaselineComparison['baseline'],
  };
}

async function runQuestions(
  service: RetrievalTarget,
  { id, notes, questions }: NoteAccount,
): Promise<QuestionResult[]> {
  const spaceId = await service.createSpace(`notes ${id}`);
  const ids = await service.store(
    spaceId,
    notes.map(({ content, occurred_at }) => ({ content, occurred_at })),
  );
  const keyOf = new Map(ids.map((stored, i) => [stored, notes[i]?.key ?? '']));
  const contents = notes.map(({ content }) => content);
  const indexes = parameters.map((options) => new Bm25(contents, options));
  const wordsOf = new Map(notes.map(({ key, content }) => [key, content.split(/\s+/).length]));
  const results: QuestionResult[] = [];
  for (const { question, answers } of questions) {
    const relevant = new Map(answers.map((key) => [key, 1]));
    const { hits } = await service.search(question, spaceId, limit);
    results.push({
      isLong: answers.every((key) => (wordsOf.get(key) ?? 0) >= longWords),
      ours: { ranked: hits.map((hit) => keyOf.get(hit.id) ?? ''), relevant },
      baselines: indexes.map((index) => ({
        ranked: index.rank(question, limit).map((i) => notes[i]?.key ?? ''),
        relevant,
      })),
    });
  }
  return results;
}
