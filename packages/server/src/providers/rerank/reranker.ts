import { z } from 'zod';
import { type EndpointDeps, type EndpointSettings, OpenAiEndpoint } from '../openai/endpoint.ts';
import { parseJson } from '../openai/error-response.ts';

/** Compares documents with a query by a model that reads both together. */
export interface Reranker {
  /** Null: the API serves one model and its name is not configured. */
  readonly model: string | null;
  /**
   * One score for each document, in their order; a higher one is more relevant. Throws
   * RerankFailed, or the signal's reason.
   */
  score(query: string, documents: readonly string[], signal?: AbortSignal): Promise<number[]>;
}

/** There was no usable response. The message is for the log: it contains no text and no key. */
export class RerankFailed extends Error {
  override readonly name = 'RerankFailed';
  /** The failure does not depend on the texts. */
  readonly unavailable: boolean;

  constructor(message: string, options: ErrorOptions & { unavailable?: boolean } = {}) {
    super(message, options);
    this.unavailable = options.unavailable ?? false;
  }
}

/** Text Embeddings Inference accepts so many texts in one request by default. */
const teiBatchMax = 32;

const index = z.int().min(0);
/** Cohere v2, Jina, vLLM and llama.cpp; then Text Embeddings Inference. */
const answerSchema = z.union([
  z
    .object({ results: z.array(z.object({ index, relevance_score: z.number() })) })
    .transform(({ results }) =>
      results.map((one) => ({ index: one.index, score: one.relevance_score })),
    ),
  z.array(z.object({ index, score: z.number() })),
]);

/**
 * Client of `POST /rerank`. With a model it sends `{model, query, documents, top_n}` as Cohere and
 * Jina specify, without one `{query, texts}` as Text Embeddings Inference does; it reads either
 * response. It calls once: a search waits for it.
 */
export function createReranker(
  { model, url, ...settings }: EndpointSettings & { readonly model: string | null },
  deps: EndpointDeps = {},
): Reranker {
  const kind = {
    name: 'reranker',
    settings: 'MNEME_RERANK',
    path: 'rerank',
    responseBytesMax: 2 ** 22,
    ErrorClass: RerankFailed,
  };
  const base = url.replace(/\/rerank\/*$/, '');
  const endpoint = new OpenAiEndpoint(
    { ...settings, model, url: base, retries: 'lost connection' },
    kind,
    deps,
  );
  async function request(body: object, count: number, signal?: AbortSignal): Promise<number[]> {
    const text = await endpoint.request(JSON.stringify(body), signal);
    const scores = readScores(parseJson(text), count);
    if (scores === null) throw endpoint.createError('the response is not one score per document');
    return scores;
  }
  return {
    model,
    async score(query, documents, signal) {
      if (model !== null) {
        const body = { model, query, documents, top_n: documents.length };
        return request(body, documents.length, signal);
      }
      const starts = Array.from(
        { length: Math.ceil(documents.length / teiBatchMax) },
        (_, i) => i * teiBatchMax,
      );
      const batches = await Promise.all(
        starts.map((start) => {
          const texts = documents.slice(start, start + teiBatchMax);
          return request({ query, texts, truncate: true }, texts.length, signal);
        }),
      );
      return batches.flat();
    },
  };
}

/** Null unless each document has exactly one finite score. */
function readScores(response: unknown, count: number): number[] | null {
  const { data: ranks } = answerSchema.safeParse(response);
  if (ranks?.length !== count) return null;
  const scores = new Map(ranks.map((rank) => [rank.index, rank.score]));
  const ordered = Array.from({ length: count }, (_, i) => scores.get(i));
  return ordered.every((score) => score !== undefined) ? ordered : null;
}
