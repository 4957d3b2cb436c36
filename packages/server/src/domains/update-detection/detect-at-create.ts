import type { DetectUpdates, PossibleUpdate } from '@mneme/contract';
import { tellsOfChange } from '../../providers/language/index.ts';
import type { Ctx } from '../ctx.ts';
import type { CreatedDraft, FoundUpdates, HookCtx } from '../memories/index.ts';
import { supersededBy } from '../relationships/index.ts';
import { indexCache } from '../search-index/index.ts';
import { nearestQuery } from './candidates.ts';
import {
  applicationMin,
  canBeOutdated,
  canOutdate,
  isShort,
  roundConfidence,
  suggestionMin,
} from './model.ts';
import { recentMemories } from './recent-memories.ts';
import { upsertSuggestions } from './store/suggestions.ts';

/**
 * Finds older memories that a new one may outdate, before it is stored. Only texts with words that
 * tell of a change are compared, by features alone, and only if the account's index is loaded. The
 * rest is found in the background. A failure is logged: the memory is stored all the same. What it
 * costs a create: `npm run bench:updates:writes`.
 */
export async function detectAtCreate(ctx: Ctx, draft: CreatedDraft): Promise<void> {
  const { record } = draft;
  const mode = (record.detect_updates ?? ctx.actor.settings.detect_updates) as DetectUpdates;
  if (mode === 'off' || !canOutdate(record) || !isShort(record)) return;
  if (!tellsOfChange(record.content)) return;
  try {
    draft.possibleUpdates = await findUpdates(ctx, draft, mode);
  } catch (error) {
    ctx.log.warn({ err: error, memory: record.id }, 'detection of updates failed');
  }
}

async function findUpdates(
  ctx: Ctx,
  { record, content, supersedes = [] }: CreatedDraft,
  mode: DetectUpdates,
): Promise<PossibleUpdate[]> {
  const [model] = content.models;
  const vector = content.vectors.find((one) => one.model === model)?.vector;
  if (!vector || model === undefined) return [];
  const { accountId } = ctx.actor;
  const query = nearestQuery(record, { vector });
  const request = { kind: 'nearest', accountId, query } as const;
  const near = (await indexCache.of(ctx).queryIfLoaded(request, model)) ?? [];
  const outdated = await supersededBy(
    ctx,
    near.flatMap(({ id, isSuperseded }) => (isSuperseded ? [id] : [])),
  );
  const current = near.filter(({ id }) => !supersedes.includes(id) && !outdated.has(id));
  const memories = await recentMemories.of(ctx).find(ctx, current);
  const older = current.flatMap(({ id, similarity }) => {
    const memory = memories.get(id);
    return memory && canBeOutdated(memory, record)
      ? [{ id, text: memory.content, similarity }]
      : [];
  });
  return ctx.language
    .outdatedAtOnce(record.content, older)
    .filter(({ confidence }) => confidence >= suggestionMin)
    .sort((a, b) => b.confidence - a.confidence)
    .map(({ index, confidence, reason }) => ({
      memory_id: older[index]?.id ?? '',
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
