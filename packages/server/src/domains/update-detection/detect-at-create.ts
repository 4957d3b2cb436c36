import type { DetectUpdates, PossibleUpdate } from '@mneme/contract';
import { type AppLifetime, perApp } from '../../kernel/per-app.ts';
import { tellsOfChange } from '../../providers/language/index.ts';
import type { Ctx } from '../ctx.ts';
import {
  type CreatedDraft,
  type FoundUpdates,
  type HookCtx,
  type MemoryRecord,
  memoriesById,
} from '../memories/index.ts';
import { supersededBy } from '../relationships/index.ts';
import { indexCache, type NearDocument } from '../search-index/index.ts';
import { nearestQuery } from './candidates.ts';
import {
  applicationMin,
  type ComparedMemory,
  canBeOutdated,
  canOutdate,
  isShort,
  isTextCompared,
  modeOf,
  roundConfidence,
  suggestionMin,
  toCompared,
} from './model.ts';
import { recentMemories } from './recent-memories.ts';
import { upsertSuggestions } from './store/suggestions.ts';

/** More comparisons at the same time would slow down the creates of a busy service. */
const comparisonsMax = 2;
/** Rarely is a memory outdated that is further away. */
const candidatesMax = 4;

const comparisons = perApp<AppLifetime, { running: number }>(() => ({ running: 0 }));

/**
 * Finds older memories that a new one may outdate, before it is stored. Only texts with words that
 * tell of a change are compared, by features alone, only if the account's index is loaded, and only
 * a few at the same time. The rest is found in the background. A failure is logged: the memory is
 * stored all the same. What it costs a create: `npm run bench:updates:writes`.
 */
export async function detectAtCreate(ctx: Ctx, draft: CreatedDraft): Promise<void> {
  const { record } = draft;
  const mode = modeOf(record, ctx.actor.settings);
  if (mode === 'off' || !canOutdate(record) || !isShort(record)) return;
  const current = comparisons.of(ctx);
  if (current.running >= comparisonsMax || !tellsOfChange(record.content)) return;
  current.running += 1;
  try {
    await compare(ctx, draft, mode);
  } catch (error) {
    logFailure(ctx, record, error);
  } finally {
    current.running -= 1;
  }
}

const logFailure = (ctx: Ctx, record: MemoryRecord, error: unknown): void =>
  ctx.log.warn({ err: error, memory: record.id }, 'detection of updates failed');

async function compare(ctx: Ctx, draft: CreatedDraft, mode: DetectUpdates): Promise<void> {
  const { record } = draft;
  const near = await findNear(ctx, draft);
  const recent = recentMemories.of(ctx);
  const known = recent.find(ctx.actor.accountId, near);
  const olderIds = near.flatMap(({ id }) => (known.has(id) ? [] : [id]));
  const judgeWith = (records: ReadonlyMap<string, MemoryRecord>): PossibleUpdate[] => {
    const read = new Map([...records].map(([id, one]) => [id, toCompared(one)]));
    recent.addRead(read, near);
    return judge(ctx, record, near, new Map([...known, ...read]), mode);
  };
  // What is applied must be known before the transaction.
  if (olderIds.length === 0 || mode === 'apply') {
    draft.possibleUpdates = judgeWith(await memoriesById(ctx, olderIds));
    return;
  }
  // A read of its own would wait for the transaction of other creates, and the create for the next.
  draft.comparison = {
    olderIds,
    finish(read) {
      try {
        return judgeWith(read);
      } catch (error) {
        logFailure(ctx, record, error);
        return [];
      }
    },
  };
}

/** The nearest documents that are not superseded. */
async function findNear(
  ctx: Ctx,
  { record, content, supersedes = [] }: CreatedDraft,
): Promise<readonly NearDocument[]> {
  const [model] = content.models;
  const vector = content.vectors.find((one) => one.model === model)?.vector;
  if (!vector || model === undefined) return [];
  const { accountId } = ctx.actor;
  const query = nearestQuery(record, { vector }, candidatesMax);
  const request = { kind: 'nearest', accountId, query } as const;
  const near = (await indexCache.of(ctx).queryIfLoaded(request, model)) ?? [];
  const outdated = await supersededBy(
    ctx,
    near.flatMap(({ id, isSuperseded }) => (isSuperseded ? [id] : [])),
  );
  return near.filter(({ id }) => !supersedes.includes(id) && !outdated.has(id));
}

function judge(
  ctx: Ctx,
  record: MemoryRecord,
  near: readonly NearDocument[],
  memories: ReadonlyMap<string, ComparedMemory>,
  mode: DetectUpdates,
): PossibleUpdate[] {
  const older = near.flatMap(({ id, similarity }) => {
    const memory = memories.get(id);
    return memory && isTextCompared(memory, record) && canBeOutdated(memory, record)
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
