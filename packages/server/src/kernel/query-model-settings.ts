import { checkAnyText, checkInteger, checkUrl, type Setting } from './setting.ts';

/** Settings of the models that a search may use. */
export const queryModelSettings = {
  MNEME_LLM_REWRITE_TIMEOUT_MS: {
    description: 'Milliseconds that a search with `rewrite=true` waits for that API',
    defaultValue: '2000',
    check: checkInteger(50, 60_000),
  },
  MNEME_RERANK_URL: {
    description:
      'Reorders the best search results with a reranker: base URL of an API with `/rerank` as ' +
      'Cohere, Jina or Text Embeddings Inference serve it',
    check: checkUrl(['http:', 'https:']),
  },
  MNEME_RERANK_MODEL: {
    description:
      'Model name of that API: requests have the form of Cohere and Jina; unset: the form of ' +
      'Text Embeddings Inference, which needs no name',
    check: checkAnyText,
  },
  MNEME_RERANK_API_KEY: {
    description: 'Bearer key of that API',
    secret: true,
    check: checkAnyText,
  },
  MNEME_RERANK_TIMEOUT_MS: {
    description: 'Milliseconds that a search waits for that API',
    defaultValue: '2000',
    check: checkInteger(50, 60_000),
  },
  MNEME_RERANK_TOP: {
    description: 'Number of the best results that are reordered',
    defaultValue: '50',
    check: checkInteger(2, 200),
  },
} as const satisfies Record<string, Setting>;
