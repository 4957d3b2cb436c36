import type { DetectUpdates, PossibleUpdate } from '@mneme/contract';
import { tellsOfChange } from '../../providers/language/index.ts';
import type { Ctx } from '../ctx.ts';
import type { CreatedDraft, FoundUpdates, HookCtx } from '../memories/index.ts';
import { findNearMemories } from './candidates.ts';
import {
  applicationMin,
  canBeOutdated,
  canOutdate,
  roundConfidence,
  suggestionMin,
} from './model.ts';
import { upsertSuggestions } from './store/suggestions.ts';

/** Longer texts are compared in the background only. */
const charactersMax = 1_000;

/**
 * Finds older memories that a new one may outdate, before it is stored. Only texts with words that
 * tell of a change are compared, and by features alone: a create takes hardly longer. The rest is
 * found in the background.
 */
export async function detectAtCreate(ctx: Ctx, draft: CreatedDraft): Promise<void> {
  const { record, content, supersedes = [] } = draft;
  const mode = (record.detect_updates ?? ctx.actor.settings.detect_updates) as DetectUpdates;
  if (mode === 'off' || !canOutdate(record) || record.content.length > charactersMax) return;
  const embedded = content.vectors[0];
  if (!embedded || !tellsOfChange(record.content)) return;
  const near = await findNearMemories(ctx, record, embedded.vector, embedded.model);
  const older = near.filter(
    (one) => canBeOutdated(one.record, record) && !supersedes.includes(one.record.id),
  );
  const texts = older.map((one) => ({ text: one.record.content, similarity: one.similarity }));
  draft.possibleUpdates = ctx.language
    .outdatedAtOnce(record.content, texts)
    .filter(({ confidence }) => confidence >= suggestionMin)
    .sort((a, b) => b.confidence - a.confidence)
    .map(({ index, confidence, reason }) => ({
      memory_id: older[index]?.record.id ?? '',
      confidence: roundConfidence(confidence),
      reason,
      applied: mode === 'apply' && confidence >= applicationMin,
    }));
}

const statusOf = ({ applied }: PossibleUpdate): 'applied' | 'open' =>
  applied ? 'applied' : 'open';

/**
 * Stores what was found as suggestions, with the new memories. The ranking follows them once the
 * background pass has judged them again.
 */
export async function storeFoundUpdates(
  ctx: HookCtx,
  found: readonly FoundUpdates[],
): Promise<void> {
  const { tx, clock } = ctx;
  for (const [accountId, own] of Map.groupBy(found, ({ record }) => record.account_id)) {
    const suggestions = own.flatMap(({ record, updates }) =>
      updates.map((update) => ({
        newerId: record.id,
        olderId: update.memory_id,
        confidence: update.confidence,
        reason: update.reason,
        status: statusOf(update),
      })),
    );
    await upsertSuggestions(tx, accountId, suggestions, clock.now());
  }
}
