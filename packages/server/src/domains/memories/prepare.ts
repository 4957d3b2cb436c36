import { AppError } from '../../kernel/errors.ts';
import { type Ctx, requestedUser } from '../ctx.ts';
import { resolveAccountModel } from '../search-index/index.ts';
import {
  type Embeddable,
  type EmbeddedContent,
  embedContents,
  isTextRejected,
  requireContentSize,
  requireValidVector,
} from './embed.ts';
import { requireValidExpiry } from './expiry.ts';
import type { PreparedMemory } from './insert.ts';
import { asItemError, isAcceptedItem, throwFirstError } from './item-errors.ts';
import {
  hashContent,
  hashDuplicateKey,
  type MemoryRecord,
  type NewMemory,
  uniqueTags,
} from './model.ts';

interface PrepareOptions {
  /** Throws the first error of an item, with its index, instead of returning it. */
  readonly allOrNone?: boolean;
}

/**
 * The first half of every insert, before the transaction: checks what does not depend on stored
 * memories, and embeds. Each item becomes a memory that is ready for `insertPreparedMemories`, or
 * its error, in the order of the items; an item that is an error already stays one. Throws
 * embedding_failed if the model is unavailable.
 */
export async function prepareMemories(
  ctx: Ctx,
  items: readonly (NewMemory | AppError)[],
  { allOrNone = false }: PrepareOptions = {},
): Promise<(PreparedMemory | AppError)[]> {
  const model = await resolveAccountModel(ctx);
  const checked = items.map((item) => (item instanceof AppError ? item : check(ctx, item, model)));
  if (allOrNone) throwFirstError(checked);
  const now = ctx.clock.now();
  const bodies = checked.filter(isAcceptedItem);
  const contents = await embedEach(
    ctx,
    bodies.map((body) => toEmbeddable(body, now)),
  );
  const embedded = new Map(bodies.map((body, i) => [body, contents[i]]));
  const prepared = checked.map((item) => {
    if (item instanceof AppError) return item;
    const content = embedded.get(item) ?? new AppError('embedding_failed');
    if (content instanceof AppError) return content;
    const supersedes = [...new Set(item.supersedes)];
    const record = buildRecord(ctx, item, now);
    const usesSpaceLifetime = item.expires_at === undefined && record.protection_level !== 'hard';
    const { isMessage = false } = item;
    return { ctx, content, record, supersedes, usesSpaceLifetime, isMessage };
  });
  if (allOrNone) throwFirstError(prepared);
  return prepared;
}

/**
 * An early check, before contents are analysed. Throws 422 content_too_large with the index of the
 * first one over the limit of the plan.
 */
export const requireContentSizes = (ctx: Ctx, contents: readonly string[]): void =>
  throwFirstError(
    contents.map((content) => {
      try {
        return requireContentSize(ctx, content);
      } catch (error) {
        return asItemError(error);
      }
    }),
  );

/** Returns the body, or the error that does not depend on stored memories. */
function check(
  ctx: Ctx,
  body: NewMemory,
  model: { readonly dimensions: number },
): NewMemory | AppError {
  try {
    requireContentSize(ctx, body.content);
    requireValidVector(model, body.embedding);
    requireValidExpiry(ctx, body);
    requestedUser(ctx.actor, body.user_id);
    return body;
  } catch (error) {
    return asItemError(error);
  }
}

/** All together; one by one only if the model rejects a text. */
async function embedEach(
  ctx: Ctx,
  items: readonly Embeddable[],
): Promise<(EmbeddedContent | AppError)[]> {
  try {
    return await embedContents(ctx, items, 'provisional');
  } catch (error) {
    if (!isTextRejected(error)) throw error;
    if (items.length === 1) return [error];
  }
  const results: (EmbeddedContent | AppError)[] = [];
  for (const item of items) results.push(...(await embedEach(ctx, [item])));
  return results;
}

/** Dates in the text are relative to the occurred_at that the record will have. */
const toEmbeddable = (body: NewMemory, now: Date): Embeddable => ({
  content: body.content,
  embedding: body.embedding,
  occurred_at: body.occurred_at ?? now,
});

function buildRecord(ctx: Ctx, body: NewMemory, now: Date): MemoryRecord {
  return {
    account_id: ctx.actor.accountId,
    id: ctx.ids.uuid(),
    space_id: body.space_id ?? null,
    user_id: requestedUser(ctx.actor, body.user_id) ?? null,
    agent_id: body.agent_id ?? null,
    run_id: body.run_id ?? null,
    session_id: body.session_id ?? null,
    session_ordinal: null,
    content: body.content,
    content_type: body.type ?? body.content_type ?? 'text',
    content_hash: contentHashOf(body),
    tags: uniqueTags(body.tags ?? []),
    metadata: body.metadata ?? {},
    priority: body.priority ?? 0,
    salience: null,
    salience_at: null,
    is_pinned: body.is_pinned ?? false,
    protection_level: body.protection_level ?? 'none',
    quality_score: null,
    revision: 1,
    occurred_at: body.occurred_at ?? null,
    expires_at: body.expires_at ?? null,
    detect_updates: body.detect_updates ?? null,
    verified_at: null,
    deleted_at: null,
    created_at: now,
    updated_at: now,
  };
}

function contentHashOf({ content, duplicateKey, allow_duplicate }: NewMemory): Uint8Array | null {
  if (duplicateKey !== undefined) return hashDuplicateKey(duplicateKey);
  return allow_duplicate ? null : hashContent(content);
}
