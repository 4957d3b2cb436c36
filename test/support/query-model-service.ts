import type { ServerResponse } from 'node:http';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { jsonReply, type LanguageEndpoint, startLanguageEndpoint } from './language-endpoint.ts';
import { type ModelEndpoint, startModelEndpoint } from './model-endpoint.ts';
import { type engines, type Service, startService } from './service.ts';

/** A request in the form of Cohere and Jina, or in that of Text Embeddings Inference. */
export interface RerankRequest {
  readonly model?: string;
  readonly query: string;
  readonly documents?: readonly string[];
  readonly texts?: readonly string[];
  readonly top_n?: number;
}

export interface RerankEndpoint extends ModelEndpoint {
  readonly requests: RerankRequest[];
  reply: (request: RerankRequest, response: ServerResponse) => void;
}

/** Replies with the score of each document, in the form of the request. */
export const scoreBy =
  (scoreOf: (document: string, query: string) => number) =>
  ({ query, documents, texts }: RerankRequest, response: ServerResponse): void => {
    const ranks = (documents ?? texts ?? [])
      .map((document, index) => ({ index, score: scoreOf(document, query) }))
      .sort((a, b) => b.score - a.score);
    const results = ranks.map(({ index, score }) => ({ index, relevance_score: score }));
    response.end(JSON.stringify(documents ? { results } : ranks));
  };

export async function startRerankEndpoint(): Promise<RerankEndpoint> {
  const requests: RerankRequest[] = [];
  const server = await startModelEndpoint((body, response) => {
    requests.push(body as RerankRequest);
    endpoint.reply(body as RerankRequest, response);
  });
  const endpoint: RerankEndpoint = { ...server, requests, reply: scoreBy(() => 0) };
  return endpoint;
}

const schemaOf = ({ response_format }: LanguageEndpoint['requests'][number]): string =>
  response_format.json_schema.name;

export interface QueryModelService extends AsyncDisposable {
  readonly service: Service;
  readonly clock: FakeClock;
  readonly chat: LanguageEndpoint;
  readonly reranker: RerankEndpoint;
  /** Sets the texts that the model makes of any query. */
  rewriteTo(...queries: readonly string[]): void;
  /** The requests for rewrites. */
  rewriteRequests(): LanguageEndpoint['requests'];
  /** Ends the pause after failures. */
  endPause(): void;
}

/** A service with a language model and a reranker, for both of which it waits 3 s. */
export async function startQueryModelService(
  engine: (typeof engines)[number],
  options: { readonly rerankModel?: string; readonly waitMs?: number } = {},
): Promise<QueryModelService> {
  const { rerankModel = '', waitMs = 3_000 } = options;
  const [chat, reranker] = [await startLanguageEndpoint(), await startRerankEndpoint()];
  const clock = createFakeClock();
  const env = {
    MNEME_EMBEDDING_PROVIDER: 'static',
    MNEME_LLM_URL: chat.url,
    MNEME_LLM_MODEL: 'small-1',
    MNEME_LLM_TIMEOUT_MS: '1000',
    MNEME_LLM_REWRITE_TIMEOUT_MS: String(waitMs),
    MNEME_RERANK_URL: reranker.url,
    MNEME_RERANK_MODEL: rerankModel,
    MNEME_RERANK_TIMEOUT_MS: String(waitMs),
    MNEME_RERANK_TOP: '40',
  };
  const service = await startService(engine, { env, overrides: { clock } });
  return {
    service,
    clock,
    chat,
    reranker,
    rewriteTo(...queries) {
      chat.setReplies('rewrites', jsonReply({ queries }));
    },
    rewriteRequests: () => chat.requests.filter((request) => schemaOf(request) === 'rewrites'),
    endPause: () => clock.advance(60_000),
    async [Symbol.asyncDispose]() {
      await service.stop();
      await chat[Symbol.asyncDispose]();
      await reranker[Symbol.asyncDispose]();
    },
  };
}
