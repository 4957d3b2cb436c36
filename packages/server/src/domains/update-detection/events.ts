import type { UpdateReason } from '@mneme/contract';
import { sharedOwner } from '../../events/shared-owner.ts';
import type { TxCtx } from '../ctx.ts';
import type { MemoryRecord } from '../memories/index.ts';
import { type MemoryPair, pairKey, roundConfidence } from './model.ts';

interface OpenSuggestion extends MemoryPair {
  readonly confidence: number;
  readonly reason: UpdateReason;
}

/**
 * Publishes the open suggestions that are new.
 * @param added the pairs that had no suggestion
 */
export function publishSuggested(
  { journal, actor }: TxCtx,
  open: readonly OpenSuggestion[],
  added: readonly MemoryPair[],
  memories: ReadonlyMap<string, MemoryRecord>,
): void {
  const addedKeys = new Set(added.map(pairKey));
  for (const suggestion of open) {
    if (!addedKeys.has(pairKey(suggestion))) continue;
    const pair = [suggestion.newerId, suggestion.olderId].flatMap((id) => memories.get(id) ?? []);
    journal.addEvent({
      accountId: actor.accountId,
      type: 'memory.update_suggested',
      spaceId: pair[0]?.space_id ?? null,
      owner: sharedOwner(pair),
      data: {
        newer_id: suggestion.newerId,
        older_id: suggestion.olderId,
        confidence: roundConfidence(suggestion.confidence),
        reason: suggestion.reason,
      },
    });
  }
}
