/** The product's own index and ranking, without HTTP and a database. */

import { leadingSpeaker } from '@mneme/text';
import { parseQueryIntent } from '../../packages/server/src/domains/search/intent.ts';
import { parseQuery } from '../../packages/server/src/domains/search/query.ts';
import { VectorArena } from '../../packages/server/src/domains/search-index/account/vectors.ts';
import { analyseText } from '../../packages/server/src/domains/search-index/analysis.ts';
import { quantiseVector } from '../../packages/server/src/domains/search-index/model.ts';
import { SearchBuffers } from '../../packages/server/src/domains/search-index/ranking/buffers.ts';
import type { IndexQuery } from '../../packages/server/src/domains/search-index/ranking/query.ts';
import { Search } from '../../packages/server/src/domains/search-index/ranking/search.ts';
import {
  type RankerName,
  rankerNameOf,
} from '../../packages/server/src/domains/search-index/ranking/weights.ts';
import {
  AccountIndex,
  type ModelScale,
} from '../../packages/server/src/domains/search-index/testing.ts';
import type { createEmbedder } from '../../packages/server/src/providers/embedding/index.ts';
import type { MemoryInput, RetrievalTarget, SearchHits } from './retrieval-target.ts';

type Embedder = Awaited<ReturnType<typeof createEmbedder>>;

const storedAt = new Date('2026-11-21T12:00:00Z');

export interface SpaceIndex {
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
export class InProcessRetrieval implements RetrievalTarget {
  readonly #embedder: Embedder;
  readonly #ranker: RankerName;
  readonly #scale: ModelScale | null;
  readonly #arena: VectorArena;
  readonly #buffers = new SearchBuffers();
  readonly #spaces: SpaceIndex[] = [];
  #sessions = 0;

  /** @param scale of a model that the ranker is not fitted for */
  constructor(
    embedder: Embedder,
    ranker: RankerName = rankerNameOf(embedder.model),
    scale: ModelScale | null = null,
  ) {
    this.#embedder = embedder;
    this.#ranker = ranker;
    this.#scale = scale;
    this.#arena = new VectorArena(embedder.dimensions);
  }

  async createSpace(): Promise<string> {
    const index = new AccountIndex(this.#embedder.dimensions, this.#arena);
    index.setScale(this.#scale);
    this.#spaces.push({ index, ids: new Map(), saliences: new Map() });
    return String(this.#spaces.length - 1);
  }

  async createSession(): Promise<string> {
    this.#sessions += 1;
    return String(this.#sessions);
  }

  async store(spaceId: string, sent: readonly MemoryInput[]): Promise<string[]> {
    const { index, ids } = this.space(spaceId);
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

  /** The query as the service builds it. */
  async buildQuery(q: string, spaceId: string): Promise<IndexQuery> {
    const parsed = parseQuery(q);
    const { text, terms, fragments, requiredPhrases, preferredPhrases } = parsed;
    const embeds = text !== '' && this.#ranker !== 'keyword';
    const [vector = null] = embeds ? await this.#embedder.embed([text], 'query') : [];
    const space = this.space(spaceId);
    return {
      cacheKey: q,
      text: q,
      terms,
      fragments,
      excludedTerms: parsed.excluded,
      phraseMatches: requiredPhrases.length > 0 ? idsContaining(space, requiredPhrases) : null,
      preferredMatches: preferredPhrases.flatMap((one) => idsContaining(space, [one])),
      vector,
      ranker: this.#ranker,
      spaces: null,
      visibleSpaces: null,
      visibleUser: null,
      intent: parseQueryIntent(q, storedAt),
      filters: {},
      threshold: 0,
      now: storedAt.getTime(),
    };
  }

  async search(q: string, spaceId: string, limit: number): Promise<SearchHits> {
    const began = performance.now();
    const space = this.space(spaceId);
    const search = new Search(space.index, this.#buffers, await this.buildQuery(q, spaceId));
    const page = search.page(search.rank(), { offset: 0, limit, explain: false });
    const hits = [...page.hits, ...page.filler];
    search.release();
    const millis = performance.now() - began;
    for (const { id } of hits) {
      const salience = 0.9 * (space.saliences.get(id) ?? 0.5) + 0.1;
      space.saliences.set(id, salience);
      space.index.setSalience(id, salience, storedAt.getTime());
    }
    return { hits, millis };
  }

  space(spaceId: string): SpaceIndex {
    const space = this.#spaces[Number(spaceId)];
    if (!space) throw new Error(`no space ${spaceId}`);
    return space;
  }

  #apply(index: AccountIndex, id: string, sent: MemoryInput, vector: Float32Array): void {
    const { content, session_id: session, occurred_at, metadata } = sent;
    const occurredAt = occurred_at === undefined ? null : new Date(occurred_at);
    index.apply({
      id,
      kind: 'memory',
      space_id: null,
      user_id: null,
      agent_id: null,
      run_id: null,
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
      superseded_by: [],
      likely_superseded_by: [],
      facts_ended_at: null,
      facts_ended_by: [],
      position: 0,
      terms: analyseText(content, occurredAt ?? storedAt),
      vector: new Uint8Array(quantiseVector(vector).buffer),
    });
  }
}
