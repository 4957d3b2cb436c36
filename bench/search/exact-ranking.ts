import { parseQueryIntent } from '../../packages/server/src/domains/search/intent.ts';
import { parseQuery } from '../../packages/server/src/domains/search/query.ts';
import { VectorArena } from '../../packages/server/src/domains/search-index/account/arena.ts';
import type { Vectors } from '../../packages/server/src/domains/search-index/account/vectors.ts';
import { analyseText } from '../../packages/server/src/domains/search-index/analysis.ts';
import { quantiseVector } from '../../packages/server/src/domains/search-index/model.ts';
import { SearchBuffers } from '../../packages/server/src/domains/search-index/ranking/buffers.ts';
import type { RankingInput } from '../../packages/server/src/domains/search-index/ranking/order.ts';
import { Search } from '../../packages/server/src/domains/search-index/ranking/search.ts';
import { rankerNameOf } from '../../packages/server/src/domains/search-index/ranking/weights.ts';
import {
  AccountIndex,
  salienceBoostMax,
} from '../../packages/server/src/domains/search-index/testing.ts';
import type { Embedder } from '../../packages/server/src/providers/embedding/index.ts';
import { type Corpus, priorityAt } from './corpus.ts';
import { type MemoryLayout, memoriesPerSession } from './workload.ts';

/** What the exact ranking needs of the product's embedder. */
export type ExactEmbedder = Pick<Embedder, 'model' | 'dimensions' | 'embed'>;

const embedBatchSize = 1_000;

/**
 * The ranking of everything that is stored, in this process: every memory's cosine is computed
 * from vectors as the embedder made them, of which the service keeps a byte a dimension.
 */
export class ExactRanking {
  readonly #embedder: ExactEmbedder;
  readonly #index: AccountIndex;
  readonly #scratch = new SearchBuffers();

  private constructor(embedder: ExactEmbedder, index: AccountIndex) {
    this.#embedder = embedder;
    this.#index = index;
  }

  /** @param createdAt of each memory: of two about the same thing the newer one is first */
  static async build(
    stock: Corpus,
    layout: MemoryLayout,
    embedder: ExactEmbedder,
    createdAt: readonly Date[],
  ): Promise<ExactRanking> {
    const { dimensions } = embedder;
    const index = new AccountIndex(dimensions, new VectorArena(dimensions));
    const floats = new Float32Array(stock.length * dimensions);
    for (let from = 0; from < stock.length; from += embedBatchSize) {
      const part = stock.slice(from, from + embedBatchSize);
      for (const [i, vector] of (await embedder.embed(part, 'document')).entries()) {
        const place = from + i;
        floats.set(vector, place * dimensions);
        index.apply(documentAt(place, part[i] ?? '', vector, layout, createdAt[place]));
      }
    }
    const dotProducts = dotsWith(floats, dimensions);
    Object.assign(index.vectors, { dotProducts, beginCosines: cosinesWith(dotProducts) });
    return new ExactRanking(embedder, index);
  }

  /**
   * The first places, best first.
   * @param boosts factors of salience, which the service learns from being searched; by place
   */
  async topPositions(
    q: string,
    boosts: ReadonlyMap<number, number>,
    count: number,
  ): Promise<number[]> {
    const now = new Date();
    const parsed = parseQuery(q);
    const [vector = null] = await this.#embedder.embed([parsed.text], 'query');
    const search = new Search(this.#index, this.#scratch, {
      cacheKey: q,
      text: q,
      terms: parsed.terms,
      excludedTerms: parsed.excluded,
      fragments: parsed.fragments,
      phraseMatches: null,
      vector,
      ranker: rankerNameOf(this.#embedder.model),
      spaces: null,
      visibleSpaces: null,
      visibleUser: null,
      intent: parseQueryIntent(q, now),
      filters: {},
      threshold: 0,
      now: now.getTime(),
    });
    const setSalience = (salienceOf: (boost: number) => number): void => {
      for (const [place, boost] of boosts) {
        this.#index.setSalience(String(place), salienceOf(boost), now.getTime());
      }
    };
    setSalience((boost) => (boost - 1) / salienceBoostMax);
    try {
      return topRanked(search.rank(), count);
    } finally {
      search.release();
      setSalience(() => 0);
    }
  }
}

const documentAt = (
  place: number,
  text: string,
  vector: Float32Array,
  layout: MemoryLayout,
  createdAt = new Date(),
) => {
  const inSession = layout === 'in sessions';
  return {
    id: String(place),
    kind: 'memory',
    space_id: null,
    user_id: null,
    agent_id: null,
    run_id: null,
    session_id: inSession ? String(Math.floor(place / memoriesPerSession)) : null,
    session_ordinal: inSession ? place % memoriesPerSession : null,
    speaker: null,
    role: null,
    content_type: 'text',
    tags: [],
    priority: priorityAt(place),
    salience: null,
    salience_at: null,
    pinned: false,
    occurred_at: null,
    created_at: createdAt,
    superseded_by: [],
    likely_superseded_by: [],
    facts_ended_at: null,
    facts_ended_by: [],
    position: 0,
    terms: analyseText(text, createdAt),
    vector: new Uint8Array(quantiseVector(vector).buffer),
    // Its texts are short.
    passages: null,
  };
};

/** In place of the index's own, which multiplies bytes; vectors are of length 1. */
function dotsWith(floats: Float32Array, dimensions: number) {
  return (query: ArrayLike<number>, _inverseNorms: Float32Array, out: Float32Array): void => {
    for (let place = 0; place * dimensions < floats.length; place += 1) {
      let sum = 0;
      for (let i = 0; i < dimensions; i += 1) {
        sum += (query[i] as number) * (floats[place * dimensions + i] as number);
      }
      out[place] = sum;
    }
  };
}

/** Likewise, both minus the mean. */
function cosinesWith(dotProducts: ReturnType<typeof dotsWith>): Vectors['beginCosines'] {
  return ({ vector, length, meanDot }, { inverseNorms, centred }, out) =>
    () => {
      dotProducts(vector, inverseNorms, out);
      for (const [place, norm] of centred.entries()) {
        const product = (out[place] as number) - meanDot;
        out[place] = norm > 0 ? product / (length * norm) : 0;
      }
    };
}

function topRanked({ documents, sortValues }: RankingInput, count: number): number[] {
  const best: { place: number; order: number }[] = [];
  for (const [i, place] of documents.entries()) {
    const order = sortValues[i] as number;
    if (best.length === count && order <= (best.at(-1)?.order ?? Number.NEGATIVE_INFINITY))
      continue;
    const at = best.findIndex((one) => one.order < order);
    best.splice(at < 0 ? best.length : at, 0, { place, order });
    best.length = Math.min(best.length, count);
  }
  return best.map(({ place }) => place);
}
