export { factCheck } from './checks.ts';
export { eraseAccountGraph, forgetMemories, forgetSpace } from './erase.ts';
export { extractNow } from './extract-now.ts';
export { type Pass, readingMemories } from './hooks.ts';
export { mostSpokenOf } from './read.ts';
export { sourceOf } from './read-on.ts';
export { Reader } from './reader.ts';
export { graphHandlers } from './routes.ts';
export { releaseReadings } from './store/reading.ts';
