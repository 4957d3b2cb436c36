/**
 * The ranking alone, in this process, without HTTP or a database: seconds instead of minutes.
 * `node bench/retrieval/lab.ts [folder of the data]`
 */
import { AccountIndex } from '../../packages/server/src/domains/index/account/account-index.ts';
import { VectorArena } from '../../packages/server/src/domains/index/account/vectors.ts';
import { analyse } from '../../packages/server/src/domains/index/analysis.ts';
import { quantise } from '../../packages/server/src/domains/index/model.ts';
import type { IndexQuery } from '../../packages/server/src/domains/index/ranking/query.ts';
import { Scratch } from '../../packages/server/src/domains/index/ranking/scratch.ts';
import { Search } from '../../packages/server/src/domains/index/ranking/search.ts';
import { intentOf } from '../../packages/server/src/domains/search/intent.ts';
import { parseQuery } from '../../packages/server/src/domains/search/query.ts';
import { createEmbedder } from '../../packages/server/src/providers/embedding/index.ts';
import { leadingSpeaker } from '../../packages/server/src/text/speaker.ts';
import { Bm25 } from './bm25.ts';
import { loadConversations, loadDocuments } from './data.ts';
import { type Judged, metricsOf, ndcgAt, mean } from './metrics.ts';

const embedder = await createEmbedder({ provider: 'static' });
const arena = new VectorArena(embedder.dimensions);
const scratch = new Scratch();
const now = new Date('2026-11-21T12:00:00Z');

interface Stored {
  readonly id: string;
  readonly content: string;
  readonly session?: number;
  readonly occurredAt?: Date;
  readonly metadata?: Readonly<Record<string, string>>;
}

async function indexOf(texts: readonly Stored[]): Promise<AccountIndex> {
  const index = new AccountIndex(embedder.dimensions, arena);
  const vectors = await embedder.embed(
    texts.map(({ content }) => content),
    'document',
  );
  for (const [i, { id, content, session, occurredAt, metadata }] of texts.entries()) {
    const inSession = session !== undefined;
    index.apply({
      id,
      kind: 'memory',
      space_id: null,
      session_id: inSession ? String(session) : null,
      session_ordinal: inSession ? i : null,
      speaker: inSession ? leadingSpeaker(content) : null,
      role: metadata?.role ?? null,
      content_type: 'text',
      tags: [],
      priority: 0,
      salience: null,
      salience_at: null,
      pinned: false,
      occurred_at: occurredAt ?? null,
      created_at: now,
      terms: analyse(content, occurredAt ?? now),
      vector: new Uint8Array(quantise(vectors[i] as Float32Array).buffer),
    });
  }
  return index;
}

async function ask(index: AccountIndex, text: string, limit: number): Promise<string[]> {
  const parsed = parseQuery(text);
  const [vector] = await embedder.embed([parsed.text], 'query');
  const query: IndexQuery = {
    text,
    terms: parsed.terms,
    excluded: parsed.excluded,
    holders: null,
    vector: vector ?? null,
    spaces: null,
    intent: intentOf(text, now),
    filters: {},
    threshold: 0,
    now: now.getTime(),
  };
  const search = new Search(index, scratch, query);
  const { hits } = search.page(search.rank(), { offset: 0, limit, explain: false });
  search.end();
  return hits.map(({ id }) => id);
}

const judged = (found: readonly string[], evidence: readonly string[]): Judged => ({
  found,
  relevant: new Map(evidence.map((id) => [id, 1])),
});

const dir = process.argv[2] ?? '../shared/data';
const sets = [
  { name: 'conversations', file: 'locomo-dev.json', bm25: { k1: 0.9, b: 0.4 } },
  { name: 'chats', file: 'agent-chats-dev.json', bm25: { k1: 1.2, b: 0.75 } },
] as const;
const per = (value: number): string => (value * 100).toFixed(1);
for (const { name, file, bm25 } of sets) {
  const ours: (Judged & { category: string })[] = [];
  const plain: Judged[] = [];
  for (const { turns, questions } of loadConversations(dir, file) ?? []) {
    const index = await indexOf(turns);
    const yardstick = new Bm25(turns.map(({ content }) => content), bm25);
    for (const { text, evidence, category } of questions) {
      ours.push({ ...judged(await ask(index, text, 50), evidence), category });
      const places = yardstick.rank(text, 50).map((i) => turns[i]?.id ?? '');
      plain.push(judged(places, evidence));
    }
  }
  const show = (some: readonly Judged[]): string =>
    Object.entries(metricsOf(some))
      .map(([key, value]) => `${key} ${per(value as number)}`)
      .join('  ');
  console.log(`${name}: ours ${show(ours)}`);
  console.log(`${name}: BM25 ${show(plain)}`);
  for (const [category, some] of Map.groupBy(ours, (one) => one.category)) {
    console.log(`   ${category} (${some.length}): ${show(some)}`);
  }
}
const { documents, questions } = loadDocuments();
const index = await indexOf(documents);
const yardstick = new Bm25(documents.map(({ content }) => content), { k1: 1.2, b: 0.75 });
const both = { ours: [] as number[], plain: [] as number[] };
for (const { text, relevant } of questions) {
  const grades = new Map(Object.entries(relevant));
  both.ours.push(ndcgAt({ found: await ask(index, text, 50), relevant: grades }, 10));
  const places = yardstick.rank(text, 50).map((i) => documents[i]?.id ?? '');
  both.plain.push(ndcgAt({ found: places, relevant: grades }, 10));
}
console.log(`documents: nDCG@10 ours ${per(mean(both.ours))} BM25 ${per(mean(both.plain))}`);
