/**
 * The ranking alone, in this process, without HTTP or a database: seconds instead of minutes.
 * `node bench/retrieval/in-process.ts [--only PARTS] [--data DIR] [--json FILE]`, with the model of
 * MNEME_EMBEDDING_PROVIDER: `static` or `encoder`.
 */
import { writeFile } from 'node:fs/promises';
import { parseQueryIntent } from '../../packages/server/src/domains/search/intent.ts';
import { parseQuery } from '../../packages/server/src/domains/search/query.ts';
import { VectorArena } from '../../packages/server/src/domains/search-index/account/vectors.ts';
import { analyseText } from '../../packages/server/src/domains/search-index/analysis.ts';
import { quantiseVector } from '../../packages/server/src/domains/search-index/model.ts';
import { SearchBuffers } from '../../packages/server/src/domains/search-index/ranking/buffers.ts';
import { Search } from '../../packages/server/src/domains/search-index/ranking/search.ts';
import { rankerNameOf } from '../../packages/server/src/domains/search-index/ranking/weights.ts';
import { AccountIndex } from '../../packages/server/src/domains/search-index/testing.ts';
import { createEmbedder } from '../../packages/server/src/providers/embedding/index.ts';
import { leadingSpeaker } from '../../packages/server/src/text/speaker.ts';
import { measureConversations } from './conversations.ts';
import { measureEveryday } from './everyday.ts';
import { measureNotes } from './notes.ts';
import { type BenchmarkName, readOptions } from './options.ts';
import { measureParaphrases } from './paraphrases.ts';
import { type BenchmarkReport, renderThreshold } from './report.ts';
import type { MemoryInput, RetrievalTarget, SearchHits } from './retrieval-target.ts';
import { measureScores } from './scores.ts';
import { measureDocuments, measureLibrary } from './standalone-documents.ts';

type Embedder = Awaited<ReturnType<typeof createEmbedder>>;

const storedAt = new Date('2026-11-21T12:00:00Z');

interface SpaceIndex {
  readonly index: AccountIndex;
  /** By content. */
  readonly ids: Map<string, string>;
  /** By id: each access takes a tenth of the way from .5 to 1, as in the service. */
  readonly saliences: Map<string, number>;
}

const normalizeText = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, ' ');

/** Memories that hold the phrases as they stand, white space and letter case aside. */
function idsContaining({ ids }: SpaceIndex, phrases: readonly string[]): string[] {
  const holds = ([content]: [string, string]): boolean =>
    phrases.every((phrase) => normalizeText(content).includes(normalizeText(phrase)));
  return [...ids].filter(holds).map(([, id]) => id);
}

/** Stores and finds as the service does, each space in an index of its own. */
class InProcessRetrieval implements RetrievalTarget {
  readonly #embedder: Embedder;
  readonly #arena: VectorArena;
  readonly #scratch = new SearchBuffers();
  readonly #shelves: SpaceIndex[] = [];
  #sessions = 0;

  constructor(embedder: Embedder) {
    this.#embedder = embedder;
    this.#arena = new VectorArena(embedder.dimensions);
  }

  async createSpace(): Promise<string> {
    const index = new AccountIndex(this.#embedder.dimensions, this.#arena);
    this.#shelves.push({ index, ids: new Map(), saliences: new Map() });
    return String(this.#shelves.length - 1);
  }

  async createSession(): Promise<string> {
    this.#sessions += 1;
    return String(this.#sessions);
  }

  async store(spaceId: string, sent: readonly MemoryInput[]): Promise<string[]> {
    const { index, ids } = this.#shelf(spaceId);
    const contents = sent.map(({ content }) => content);
    const vectors = await this.#embedder.embed(contents, 'document');
    return sent.map((one, i) => {
      const earlier = ids.get(one.content);
      if (earlier !== undefined) return earlier;
      const id = String(ids.size).padStart(6, '0');
      ids.set(one.content, id);
      this.#apply(index, id, one, vectors[i] as Float32Array);
      return id;
    });
  }

  async search(q: string, spaceId: string, limit: number): Promise<SearchHits> {
    const began = performance.now();
    const parsed = parseQuery(q);
    const { text, terms, fragments, requiredPhrases, preferredPhrases } = parsed;
    const [vector = null] = text === '' ? [] : await this.#embedder.embed([text], 'query');
    const shelf = this.#shelf(spaceId);
    const search = new Search(shelf.index, this.#scratch, {
      cacheKey: q,
      text: q,
      terms,
      fragments,
      excludedTerms: parsed.excluded,
      phraseMatches: requiredPhrases.length > 0 ? idsContaining(shelf, requiredPhrases) : null,
      preferredMatches: preferredPhrases.flatMap((one) => idsContaining(shelf, [one])),
      vector,
      ranker: rankerNameOf(this.#embedder.model),
      spaces: null,
      intent: parseQueryIntent(q, storedAt),
      filters: {},
      threshold: 0,
      now: storedAt.getTime(),
    });
    const page = search.page(search.rank(), { offset: 0, limit, explain: false });
    const hits = [...page.hits, ...page.filler];
    search.release();
    const millis = performance.now() - began;
    for (const { id } of hits) {
      const salience = 0.9 * (shelf.saliences.get(id) ?? 0.5) + 0.1;
      shelf.saliences.set(id, salience);
      shelf.index.setSalience(id, salience, storedAt.getTime());
    }
    return { hits, millis };
  }

  #shelf(spaceId: string): SpaceIndex {
    const shelf = this.#shelves[Number(spaceId)];
    if (!shelf) throw new Error(`no space ${spaceId}`);
    return shelf;
  }

  #apply(index: AccountIndex, id: string, sent: MemoryInput, vector: Float32Array): void {
    const { content, session_id: session, occurred_at, metadata } = sent;
    const occurredAt = occurred_at === undefined ? null : new Date(occurred_at);
    index.apply({
      id,
      kind: 'memory',
      space_id: null,
      session_id: session ?? null,
      session_ordinal: session === undefined ? null : Number(id),
      speaker: session === undefined ? null : leadingSpeaker(content),
      role: metadata?.role ?? null,
      content_type: 'text',
      tags: [],
      priority: 0,
      salience: null,
      salience_at: null,
      pinned: false,
      occurred_at: occurredAt,
      created_at: storedAt,
      terms: analyseText(content, occurredAt ?? storedAt),
      vector: new Uint8Array(quantiseVector(vector).buffer),
    });
  }
}

const benchmarks: Readonly<
  Record<
    BenchmarkName,
    (lab: InProcessRetrieval, dataDir: string) => Promise<BenchmarkReport | null>
  >
> = {
  conversations: (lab, dataDir) => measureConversations(lab, 'conversations', dataDir),
  chats: (lab, dataDir) => measureConversations(lab, 'chats', dataDir),
  documents: (lab) => measureDocuments(lab),
  library: (lab) => measureLibrary(lab),
  everyday: (lab, dataDir) => measureEveryday(lab, dataDir),
  notes: (lab) => measureNotes(lab),
  paraphrases: (lab, dataDir) => measureParaphrases(lab, dataDir),
  scores: (lab) => measureScores(lab),
};

const print = (text: string): void => void process.stdout.write(`${text}\n`);

async function run(): Promise<void> {
  const { benchmarks: wanted, dataDir, jsonFile } = readOptions(process.argv.slice(2));
  const provider = process.env.MNEME_EMBEDDING_PROVIDER === 'encoder' ? 'encoder' : 'static';
  await using embedder = await createEmbedder({ provider });
  const figures: Partial<Record<BenchmarkName, unknown>> = {};
  const bars: string[] = [];
  for (const name of wanted) {
    const report = await benchmarks[name](new InProcessRetrieval(embedder), dataDir);
    if (!report) continue;
    print([`\n## ${name}\n`, ...report.lines].join('\n'));
    bars.push(...report.thresholds.map(renderThreshold));
    figures[name] = report.figures;
  }
  print(['', ...bars].join('\n'));
  if (jsonFile) await writeFile(jsonFile, `${JSON.stringify(figures, null, 1)}\n`);
}

if (import.meta.main) await run();
