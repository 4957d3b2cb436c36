export { noteAccess } from './access.ts';
export { changeMemory } from './change.ts';
export { documentCheck, memoryCounterCheck, strayCheck } from './checks.ts';
export { createMemory } from './create.ts';
export { embedContents, embedEach, embedQuery } from './embed.ts';
export { eraseAccountMemories, eraseAgain, eraseMemories, eraseMemoriesKind } from './erase.ts';
export {
  holdingPhrases,
  memoriesById,
  memoriesContaining,
  memoriesInTx,
  memoriesWithMetadata,
  memoryInTx,
  memoryPages,
  requireNoMemories,
  visibleIds,
} from './find.ts';
export {
  changedMemories,
  endingMemories,
  erasingMemories,
  type HookCtx,
  type Joining,
  joiningSessions,
  type MemoryChange,
} from './hooks.ts';
export {
  hashContent,
  isUnverifiedMail,
  type MemoryRecord,
  type NewMemory,
  presentMemory,
  replyWith,
  requireActive,
  saidAt,
} from './model.ts';
export { reembedMemories } from './reembed.ts';
export { softDelete } from './remove.ts';
export { memoryHandlers } from './routes.ts';
export {
  detachAll,
  detachKept,
  eraseMarked,
  listSessionMemories,
  markSessionMemories,
  protectedInSession,
  storeMessages,
} from './session.ts';
export {
  memoriesAfter,
  namedSessions,
  type SessionTally,
  tallySessions,
  unerasedMemories,
} from './store/checks.ts';
export {
  contentBeginnings,
  findEnds,
  holdMemories,
  joinExistingMemory,
  lockEnds,
  type MemoryEnd,
  visibleMemories,
} from './store/ends.ts';
export {
  type BriefMemory,
  countOfPeriod,
  memoriesOfPeriod,
  type Period,
} from './store/period.ts';
export { lockRecords, saveQuality } from './store/quality.ts';
export { findMemory } from './store.ts';
export { type Outcome, storeTogether } from './together.ts';
