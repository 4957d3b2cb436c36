export type { MemoryScope } from '../scope.ts';
export { MnemeStore, type MnemeStoreOptions } from './store.ts';
