export { noteAccess } from './access.ts';
export { documentCheck, memoryCounterCheck, strayCheck } from './checks.ts';
export { embedQuery } from './embed.ts';
export { eraseAccountMemories, eraseMemories, eraseMemoriesKind } from './erase.ts';
export {
  memoriesById,
  memoriesContaining,
  memoriesWithMetadata,
  memoryPages,
  requireNoMemories,
  visibleIds,
} from './find.ts';
export {
  changedMemories,
  erasingMemories,
  type HookCtx,
  type Joining,
  joiningSessions,
  type MemoryChange,
} from './hooks.ts';
export { type MemoryRecord, presentMemory } from './model.ts';
export { reembedMemories } from './reembed.ts';
export { memoryHandlers } from './routes.ts';
export {
  detachKept,
  eraseMarked,
  listSessionMemories,
  markSessionMemories,
  protectedInSession,
  storeMessages,
} from './session.ts';
export { namedSessions, type SessionTally, tallySessions } from './store/checks.ts';
export {
  existingMemories,
  findEnds,
  holdMemories,
  lockEnds,
  type MemoryEnd,
  visibleMemories,
} from './store/ends.ts';
