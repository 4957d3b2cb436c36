export { noteAccess } from './access.ts';
export { embedTexts } from './embed.ts';
export { eraseAccountMemories, eraseMemories, eraseMemoriesKind } from './erase.ts';
export {
  memoriesById,
  memoriesContaining,
  memoriesWithMetadata,
  requireNoMemories,
} from './find.ts';
export { type MemoryRecord, presentMemory, salienceAt } from './model.ts';
export { memoryHandlers } from './routes.ts';
