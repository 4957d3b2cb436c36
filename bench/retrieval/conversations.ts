/** Conversations and agent chats, question by question, by the protocol of the data sets. */
import { quantile } from '../statistics.ts';
import { Bm25, type Bm25Options } from './bm25.ts';
import { type Conversation, conversationFiles, loadConversations } from './data-sets.ts';
import { anyHitAt, type JudgedRanking, mean, metricsOf, type RetrievalMetrics } from './metrics.ts';
import {
  type BenchmarkReport,
  formatPercent,
  metricsTable,
  ratioOf,
  type Threshold,
} from './report.ts';
import type { RetrievalTarget } from './retrieval-target.ts';

const limit = 50;

interface Protocol {
  readonly bm25: Bm25Options;
  readonly bars: readonly { figure: keyof RetrievalMetrics; name: string; min: number }[];
}

const protocols: Readonly<Record<keyof typeof conversationFiles, Protocol>> = {
  conversations: {
    bm25: { k1: 0.9, b: 0.4 },
    bars: [
      { figure: 'recall10', name: 'recall@10', min: 1.28 },
      { figure: 'mrr', name: 'MRR', min: 1.3 },
    ],
  },
  chats: {
    bm25: { k1: 1.2, b: 0.75 },
    bars: [{ figure: 'recall10', name: 'recall@10', min: 1.3 }],
  },
};

interface QuestionResult {
  readonly category: string;
  /** By ids of turns. */
  readonly ours: JudgedRanking;
  readonly baseline: JudgedRanking;
  readonly sessionHit: { readonly ours: number; readonly baseline: number };
  readonly millis: number;
}

/** Null when the data set is not there. */
export async function measureConversations(
  service: RetrievalTarget,
  name: keyof typeof conversationFiles,
  dataDir: string,
): Promise<BenchmarkReport | null> {
  const conversations = loadConversations(dataDir, conversationFiles[name]);
  if (!conversations) return null;
  const { bm25, bars } = protocols[name];
  const asked: QuestionResult[] = [];
  for (const conversation of conversations)
    asked.push(...(await runQuestions(service, conversation, bm25)));
  const categories = [...new Set(asked.map(({ category }) => category))].sort();
  const all = compare('all', asked);
  const rows = [
    all,
    ...categories.map((one) =>
      compare(
        one,
        asked.filter(({ category }) => category === one),
      ),
    ),
  ];
  const latencies = asked.map(({ millis }) => millis);
  const [p50, p95] = [quantile(latencies, 0.5), quantile(latencies, 0.95)];
  return {
    lines: [
      ...metricsTable(rows, ['R@5', 'R@10', 'R@20', 'R@50', 'any@10', 'MRR']),
      '',
      `session-hit@10: ${rows.map((row) => `${row.name} ${sessions(row)}`).join(', ')}`,
      `latency: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
    ],
    thresholds: bars.map(
      ({ figure, name: says, min }): Threshold => ({
        description: `${name}: ${says} over BM25`,
        value: ratioOf(all, figure),
        min,
        unit: '×',
      }),
    ),
    figures: { rows, p50, p95 },
  };
}

type Row = ReturnType<typeof compare>;

const sessions = ({ sessionHit: { ours, baseline } }: Row): string =>
  `${formatPercent(ours)} / ${formatPercent(baseline)}`;

const compare = (name: string, asked: readonly QuestionResult[]) => ({
  name,
  ours: metricsOf(asked.map(({ ours }) => ours)),
  baseline: metricsOf(asked.map(({ baseline }) => baseline)),
  sessionHit: {
    ours: mean(asked.map(({ sessionHit }) => sessionHit.ours)),
    baseline: mean(asked.map(({ sessionHit }) => sessionHit.baseline)),
  },
});

async function runQuestions(
  service: RetrievalTarget,
  conversation: Conversation,
  options: Bm25Options,
): Promise<QuestionResult[]> {
  const { turns, questions } = conversation;
  const { spaceId, turnOf } = await storeConversation(service, conversation);
  const index = new Bm25(
    turns.map(({ content }) => content),
    options,
  );
  const sessionOf = new Map(turns.map(({ id, session }) => [id, String(session)]));
  const asked: QuestionResult[] = [];
  for (const { text, evidence, category } of questions) {
    const { hits, millis } = await service.search(text, spaceId, limit);
    const relevant = new Map(evidence.map((id) => [id, 1]));
    const ours = { ranked: hits.map(({ id }) => turnOf.get(id) ?? id), relevant };
    const baseline = { ranked: index.rank(text, limit).map((i) => turns[i]?.id ?? ''), relevant };
    const hit = ({ ranked }: JudgedRanking): number => {
      const held = new Map(evidence.map((id) => [sessionOf.get(id) ?? '', 1]));
      return anyHitAt({ ranked: ranked.map((id) => sessionOf.get(id) ?? ''), relevant: held }, 10);
    };
    const sessionHit = { ours: hit(ours), baseline: hit(baseline) };
    asked.push({ category, ours, baseline, sessionHit, millis });
  }
  return asked;
}

/** Stores a conversation; a turn that was said before counts as the earlier one. */
async function storeConversation(
  service: RetrievalTarget,
  { id, turns }: Conversation,
): Promise<{ spaceId: string; turnOf: ReadonlyMap<string, string> }> {
  const spaceId = await service.createSpace(id);
  const sessions = new Map<number, string>();
  for (const { session } of turns) {
    if (sessions.has(session)) continue;
    sessions.set(session, await service.createSession(`${id}, session ${session}`, spaceId));
  }
  const stored = await service.store(
    spaceId,
    turns.map(({ content, session, occurredAt, metadata }) => ({
      content,
      session_id: sessions.get(session) ?? '',
      occurred_at: occurredAt.toISOString(),
      metadata,
    })),
  );
  const turnOf = new Map<string, string>();
  for (const [i, memory] of stored.entries()) {
    if (!turnOf.has(memory)) turnOf.set(memory, turns[i]?.id ?? '');
  }
  return { spaceId, turnOf };
}
