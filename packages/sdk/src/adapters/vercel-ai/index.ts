export type { MemoryScope } from '../scope.ts';
export { type MemoryMiddlewareOptions, mnemeMiddleware } from './middleware.ts';
export { type MemoryTools, mnemeTools } from './tools.ts';
