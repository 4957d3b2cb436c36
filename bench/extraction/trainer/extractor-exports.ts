export * from '../../../packages/server/src/providers/language/local/extraction/training-api.ts';
