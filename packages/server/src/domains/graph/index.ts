export {
  type AssertedFact,
  type EndedFact,
  findAssertedFacts,
  findEndedFacts,
} from './ended-facts.ts';
export { extractMemoryNow } from './extract-now.ts';
export { ExtractionWorker } from './extraction-worker.ts';
export { type FactQuestion, type FactTime, findFactSupport } from './fact-support.ts';
export { beforeExtractionWrite, type ExtractionBatch, onFactsEnded } from './hooks.ts';
export { importAssertions, importEntities, importMentions } from './import.ts';
export type { EntityRecord } from './model.ts';
export { toSourceText } from './process-batch.ts';
export { mostMentionedEntities } from './read.ts';
export { graphRouteHandlers } from './routes.ts';
export type { AssertionRecord } from './store/assertion-log.ts';
