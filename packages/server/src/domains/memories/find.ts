import { normalizeText } from '@mneme/text';
import { batchBySize } from '../../kernel/batches.ts';
import { AppError } from '../../kernel/errors.ts';
import { type Ctx, canReadMemory, type TxCtx, visibilityOf } from '../ctx.ts';
import { isExpired, type MemoryRecord } from './model.ts';
import { readContentSizes } from './store/link-targets.ts';
import { idsWithMetadata } from './store/list.ts';
import {
  countMemoriesInSpace,
  findMemories,
  findMemoryRow,
  findVisibleIds,
  readMemoryLabels,
} from './store/memories.ts';

/** A memory that has not expired; it may be soft-deleted. */
export async function findMemory(
  { engine, actor, clock }: Pick<Ctx, 'engine' | 'actor' | 'clock'>,
  id: string,
): Promise<MemoryRecord | undefined> {
  const record = await findMemoryRow(engine.db, actor.accountId, id);
  return record && !isExpired(record, clock.now()) ? record : undefined;
}

/** Active memories by id, for other domains. */
export async function memoriesById(
  ctx: Ctx,
  ids: readonly string[],
): Promise<Map<string, MemoryRecord>> {
  if (ids.length === 0) return new Map();
  const records = await findMemories(ctx.engine.db, ctx.actor.accountId, ids);
  return byId(ctx, records);
}

/** Like memoriesById, inside a transaction. */
export async function memoriesInTx(
  inTx: TxCtx,
  ids: readonly string[],
): Promise<Map<string, MemoryRecord>> {
  return byId(inTx, await findMemories(inTx.tx, inTx.actor.accountId, ids));
}

/** Without those that have expired. */
function byId(
  { clock }: Pick<Ctx, 'clock'>,
  records: readonly MemoryRecord[],
): Map<string, MemoryRecord> {
  const now = clock.now();
  const present = records.filter((record) => !isExpired(record, now));
  return new Map(present.map((record) => [record.id, record]));
}

export async function memoryInTx(inTx: TxCtx, id: string): Promise<MemoryRecord | undefined> {
  return (await memoriesInTx(inTx, [id])).get(id);
}

const pageRows = 100;
const pageBytes = 1_048_576;

/**
 * Active memories in the order of the ids, in pages: at most 100 memories and at most one megabyte,
 * except for a single larger one. Omits memories that are erased or not visible.
 */
export async function* memoryPages(
  ctx: Ctx,
  ids: readonly string[],
): AsyncGenerator<MemoryRecord[]> {
  for (let from = 0; from < ids.length; from += pageRows) {
    const batch = ids.slice(from, from + pageRows);
    const sizes = await readContentSizes(ctx.engine.db, ctx.actor.accountId, batch);
    for (const page of batchBySize(batch, (id) => sizes.get(id) ?? 0, pageBytes)) {
      const records = await memoriesById(ctx, page);
      yield page.flatMap((id) => {
        const record = records.get(id);
        return record && canReadMemory(ctx.actor, record) ? [record] : [];
      });
    }
  }
}

/** Bytes of the contents of memories that are not erased, by id. */
export const contentSizesOf = (ctx: Ctx, ids: readonly string[]): Promise<Map<string, number>> =>
  readContentSizes(ctx.engine.db, ctx.actor.accountId, ids);

/** The ids that are active memories and visible. */
export const visibleMemoryIds = (ctx: Ctx, ids: readonly string[]): Promise<Set<string>> =>
  findVisibleIds(ctx.engine.db, ctx.actor.accountId, [...new Set(ids)], {
    visible: visibilityOf(ctx.actor),
    now: ctx.clock.now(),
  });

/** The beginnings of visible memories that have not expired; they may be soft-deleted. */
export async function findMemoryLabels(
  { engine, actor, clock }: Ctx,
  ids: readonly string[],
  charactersMax: number,
): Promise<Map<string, { readonly label: string; readonly created_at: Date }>> {
  if (ids.length === 0) return new Map();
  const scope = { visible: visibilityOf(actor), now: clock.now() };
  const rows = await readMemoryLabels(engine.db, actor.accountId, ids, scope, charactersMax);
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

const phrasePage = 200;

/** The memories that contain every phrase. */
export const findIdsContaining = (
  ctx: Ctx,
  ids: readonly string[],
  phrases: readonly string[],
): Promise<Set<string>> =>
  filterByPhrases(ids, phrases, async (page) =>
    Array.from((await memoriesById(ctx, page)).values(), ({ id, content }) => [id, content]),
  );

/** The texts that contain every phrase. The index only knows terms, so phrases need the texts. */
export async function filterByPhrases(
  ids: readonly string[],
  phrases: readonly string[],
  read: (page: readonly string[]) => Promise<readonly (readonly [id: string, text: string])[]>,
): Promise<Set<string>> {
  const normalizedPhrases = phrases.map(normalizeText);
  const matching = new Set<string>();
  for (let from = 0; from < ids.length; from += phrasePage) {
    for (const [id, text] of await read(ids.slice(from, from + phrasePage))) {
      const normalizedText = normalizeText(text);
      if (normalizedPhrases.every((phrase) => normalizedText.includes(phrase))) matching.add(id);
    }
  }
  return matching;
}

export const findIdsByMetadata = (
  ctx: Ctx,
  pairs: Readonly<Record<string, string>>,
): Promise<Set<string>> => idsWithMetadata(ctx.engine.db, ctx.actor.accountId, pairs);

/** Throws 409 space_not_empty if the space has memories, also soft-deleted ones: restorable. */
export async function requireNoMemoriesInSpace(inTx: TxCtx, spaceId: string): Promise<void> {
  const { active, deleted } = await countMemoriesInSpace(inTx.tx, inTx.actor.accountId, spaceId);
  if (active + deleted === 0) return;
  throw new AppError('space_not_empty', {
    details: { count: active + deleted, soft_deleted: deleted },
  });
}
