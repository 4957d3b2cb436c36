export type { MemoryScope } from '../scope.ts';
export { MnemeSession, type MnemeSessionOptions } from './session.ts';
