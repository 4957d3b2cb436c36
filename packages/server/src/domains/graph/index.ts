export { eraseAccountGraph, forgetMemories } from './erase.ts';
export { Reader } from './reader.ts';
export { graphHandlers } from './routes.ts';
