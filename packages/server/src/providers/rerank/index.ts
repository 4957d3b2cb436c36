export { createReranker, type Reranker, RerankFailed } from './reranker.ts';
