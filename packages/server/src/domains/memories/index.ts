export { recordAccess } from './access.ts';
export { changeMemory } from './change.ts';
export { createMemories } from './create.ts';
export { embedContents, embedQuery, tryEmbedEach } from './embed.ts';
export { encodeMemories } from './encode.ts';
export { EncodingWorker } from './encoding-worker.ts';
export { reapplyMemoryErasures } from './erase.ts';
export { publishBulkEvents } from './events.ts';
export {
  contentSizesOf,
  filterByPhrases,
  findIdsByMetadata,
  findIdsContaining,
  findMemory,
  findMemoryLabels,
  memoriesById,
  memoriesInTx,
  memoryInTx,
  memoryPages,
  visibleMemoryIds,
} from './find.ts';
export {
  beforeMemoriesErase,
  beforeMemoriesHide,
  beforeMemoryCreate,
  beforeSessionJoin,
  beforeSupersede,
  beforeVectorsReplace,
  type CreatedDraft,
  type FoundUpdates,
  type HookCtx,
  type MemoryChange,
  onMemoryChanges,
  onSupersede,
  onUpdatesFound,
  type SessionJoin,
  type Succession,
} from './hooks.ts';
export {
  importMemories,
  importMemoryErasures,
  type MemoryToImport,
} from './import.ts';
export type { ItemResult } from './insert.ts';
export {
  hashContent,
  hashDuplicateKey,
  isContentHash,
  isTurn,
  isUnverifiedMail,
  type MemoryRecord,
  type NewMemory,
  presentCurrentMemory,
  referenceTimeOf,
  replyWithCreated,
  requireActiveMemory,
} from './model.ts';
export { type OwnedRecords, ownedRecordRegistry } from './owned-records.ts';
export { requireContentSizes } from './prepare.ts';
export { presentEventMemory, presentMemories } from './present.ts';
export { reembedMemories } from './reembed.ts';
export { softDeleteMemory } from './remove.ts';
export {
  loadSampledMemories,
  type SampleQuestion,
  sampleQuestions,
} from './sample-questions.ts';
export {
  detachAllFromSession,
  detachPinnedAndProtectedFromSession,
  eraseHiddenInSession,
  findProtectedInSession,
  hideSessionMemories,
  listSessionMemories,
  storeMessages,
} from './session-memories.ts';
export {
  countSessionMemories,
  findReferencedSessionIds,
  findUnerasedMemories,
  listMemoriesAfter,
  type SessionMemoryCounts,
} from './store/checks.ts';
export { findIdsByHashes } from './store/hashes.ts';
export {
  findLinkTargets,
  findUsersWithMemories,
  findUsersWithoutOthers,
  joinExistingMemory,
  type LinkTarget,
  lockLinkTargets,
  lockMemoriesForKeyShare,
  readContentPrefixes,
  remainingMemoryCondition,
  visibleMemoriesSubquery,
} from './store/link-targets.ts';
export { isUnexpired } from './store/memories.ts';
export {
  countMemoriesInPeriod,
  findMemoriesInPeriod,
  type MemoryExcerpt,
  type PeriodFilter,
} from './store/period.ts';
export { lockMemoriesForNoKeyUpdate, saveQuality } from './store/quality.ts';
export { requireUsableMemories, requireUsableTargets } from './usable-targets.ts';
