/** The product's own index and ranking, without HTTP and a database. */

import { leadingSpeaker } from '@mneme/text';
import { parseQueryIntent } from '../../packages/server/src/domains/search/intent.ts';
import { presentPassage } from '../../packages/server/src/domains/search/passage.ts';
import { parseQuery } from '../../packages/server/src/domains/search/query.ts';
import { VectorArena } from '../../packages/server/src/domains/search-index/account/arena.ts';
import {
  analyseText,
  hasSeveralPassages,
} from '../../packages/server/src/domains/search-index/analysis.ts';
import { quantiseVector } from '../../packages/server/src/domains/search-index/model.ts';
import {
  quantisePassageVectors,
  textsOfPassages,
} from '../../packages/server/src/domains/search-index/passage-vectors.ts';
import { SearchBuffers } from '../../packages/server/src/domains/search-index/ranking/buffers.ts';
import type { IndexQuery } from '../../packages/server/src/domains/search-index/ranking/query.ts';
import { Search } from '../../packages/server/src/domains/search-index/ranking/search.ts';
import {
  type RankerName,
  rankerNameOf,
} from '../../packages/server/src/domains/search-index/ranking/weights.ts';
import {
  AccountIndex,
  type DocumentRow,
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
    const terms = sent.map((one) => analyseText(one.content, occurredAtOf(one) ?? storedAt));
    const passages = await this.#embedPassages(contents, terms);
    return sent.map((one, i) => {
      const earlier = ids.get(one.content);
      if (earlier !== undefined) return earlier;
      const id = String(ids.size).padStart(6, '0');
      ids.set(one.content, id);
      const vector = new Uint8Array(quantiseVector(vectors[i] as Float32Array).buffer);
      index.apply({
        ...rowOf(id, one),
        terms: terms[i] as string,
        vector,
        passages: passages[i] as Uint8Array | null,
      });
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
    const contents = new Map([...space.ids].map(([content, id]) => [id, content]));
    const hits = [...page.hits, ...page.filler].map(({ id, score, passage }) => ({
      id,
      score,
      passage: presentPassage(contents.get(id) ?? '', passage),
    }));
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

  /** Null for texts of one passage. */
  async #embedPassages(
    contents: readonly string[],
    terms: readonly string[],
  ): Promise<(Uint8Array | null)[]> {
    const texts = contents.map((content, i) => {
      const own = terms[i] as string;
      return hasSeveralPassages(own) ? textsOfPassages(content, own) : [];
    });
    const vectors = await this.#embedder.embed(texts.flat(), 'document');
    let from = 0;
    return texts.map(({ length }) => {
      const own = vectors.slice(from, from + length);
      from += length;
      const bytes = quantisePassageVectors(own, this.#embedder.dimensions);
      return length === 0 ? null : new Uint8Array(bytes.buffer);
    });
  }
}

const occurredAtOf = ({ occurred_at: at }: MemoryInput): Date | null =>
  at === undefined ? null : new Date(at);

function rowOf(id: string, sent: MemoryInput): Omit<DocumentRow, 'terms' | 'vector' | 'passages'> {
  const { content, session_id: session, metadata } = sent;
  return {
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
    occurred_at: occurredAtOf(sent),
    created_at: storedAt,
    superseded_by: [],
    likely_superseded_by: [],
    facts_ended_at: null,
    facts_ended_by: [],
    position: 0,
  };
}
