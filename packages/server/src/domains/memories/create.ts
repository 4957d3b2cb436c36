import type { Memory } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import type { Ctx } from '../ctx.ts';
import type { Reply } from '../handler.ts';
import { resolveAccountModel, retryOnModelChange } from '../search-index/index.ts';
import {
  type Embeddable,
  embedContents,
  isTextRejected,
  requireContentSize,
  requireValidVector,
} from './embed.ts';
import { groupCommitWriter } from './group-commit.ts';
import type { PreparedMemory } from './insert.ts';
import { hashContent, type MemoryRecord, type NewMemory, uniqueTags } from './model.ts';

/**
 * Stores a memory. When this resolves, it is durable and the next search finds it. Throws
 * content_too_large, invalid_embedding, embedding_failed, space_not_found, space_access_denied,
 * not_found (session), duplicate_memory.
 */
export async function createMemory(ctx: Ctx, body: NewMemory): Promise<Reply<Memory>> {
  return retryOnModelChange(ctx, async () => {
    requireValidMemory(ctx, body, await resolveAccountModel(ctx));
    const [prepared] = await prepareMemories(ctx, [body]);
    if (!prepared) throw new AppError('internal_error');
    return groupCommitWriter.of(ctx).add(prepared);
  });
}

/** Throws every error that does not depend on stored memories. */
export function requireValidMemory(
  ctx: Ctx,
  body: NewMemory,
  model: { readonly dimensions: number },
): void {
  requireContentSize(ctx, body.content);
  requireValidVector(model, body.embedding);
}

export async function prepareMemories(
  ctx: Ctx,
  bodies: readonly NewMemory[],
): Promise<PreparedMemory[]> {
  const now = ctx.clock.now();
  const contents = await embedContents(
    ctx,
    bodies.map((body) => toEmbeddable(body, now)),
  );
  return bodies.flatMap((body, i) => {
    const content = contents[i];
    return content ? [{ ctx, content, record: buildRecord(ctx, body, now) }] : [];
  });
}

/**
 * Like prepareMemories, but a text that the model rejects is an error in the results. Throws
 * embedding_failed if the model is unavailable.
 */
export async function prepareIndividually(
  ctx: Ctx,
  bodies: readonly NewMemory[],
): Promise<(PreparedMemory | AppError)[]> {
  try {
    return await prepareMemories(ctx, bodies);
  } catch (error) {
    if (!isTextRejected(error)) throw error;
  }
  const now = ctx.clock.now();
  const results = await Promise.allSettled(
    bodies.map((body) => embedContents(ctx, [toEmbeddable(body, now)])),
  );
  return bodies.map((body, i) => {
    const result = results[i];
    if (result?.status === 'rejected') {
      if (isTextRejected(result.reason)) return result.reason;
      throw result.reason;
    }
    const [content] = result?.value ?? [];
    if (!content) throw new AppError('embedding_failed');
    return { ctx, content, record: buildRecord(ctx, body, now) };
  });
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
    session_id: body.session_id ?? null,
    session_ordinal: null,
    content: body.content,
    content_type: body.type ?? body.content_type ?? 'text',
    content_hash: body.allow_duplicate ? null : hashContent(body.content),
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
    verified_at: null,
    deleted_at: null,
    created_at: now,
    updated_at: now,
  };
}
