export { enrichLater, enrichLaterKind } from './enrich.ts';
export { enrichmentHandlers } from './routes.ts';
export { scoreQuality } from './score.ts';
