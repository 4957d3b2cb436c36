import type { Memory } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import type { Ctx } from '../ctx.ts';
import type { Reply } from '../handle.ts';
import { accountModel, untilModelHolds } from '../index/index.ts';
import {
  type Embeddable,
  embedContents,
  isFaultOfText,
  requireContentFits,
  requireFittingVector,
} from './embed.ts';
import { groupWriter } from './group.ts';
import { distinct, hashContent, type MemoryRecord, type NewMemory } from './model.ts';
import type { Prepared } from './storing.ts';

/**
 * Stores a memory. When this resolves it is durable, and the next search finds it. Throws
 * content_too_large, invalid_embedding, embedding_failed, space_not_found, space_access_denied,
 * not_found (session), duplicate_memory.
 */
export async function createMemory(ctx: Ctx, body: NewMemory): Promise<Reply<Memory>> {
  return untilModelHolds(ctx, async () => {
    requireStorable(ctx, body, await accountModel(ctx));
    const [prepared] = await prepareMemories(ctx, [body]);
    if (!prepared) throw new AppError('internal_error');
    return groupWriter.of(ctx).add(prepared);
  });
}

/** Everything that can be refused without looking at stored memories. */
export function requireStorable(
  ctx: Ctx,
  body: NewMemory,
  model: { readonly dimensions: number },
): void {
  requireContentFits(ctx, body.content);
  requireFittingVector(model, body.embedding);
}

export async function prepareMemories(ctx: Ctx, bodies: readonly NewMemory[]): Promise<Prepared[]> {
  const now = ctx.clock.now();
  const contents = await embedContents(
    ctx,
    bodies.map((body) => said(body, now)),
  );
  return bodies.flatMap((body, i) => {
    const content = contents[i];
    return content ? [{ ctx, content, record: newRecord(ctx, body, now) }] : [];
  });
}

/**
 * As prepareMemories, but a text that the model refuses is one fault among the outcomes. Throws
 * embedding_failed when no text would fare better.
 */
export async function prepareEach(
  ctx: Ctx,
  bodies: readonly NewMemory[],
): Promise<(Prepared | AppError)[]> {
  try {
    return await prepareMemories(ctx, bodies);
  } catch (error) {
    if (!isFaultOfText(error)) throw error;
  }
  const now = ctx.clock.now();
  const settled = await Promise.allSettled(
    bodies.map((body) => embedContents(ctx, [said(body, now)])),
  );
  return bodies.map((body, i) => {
    const one = settled[i];
    if (one?.status === 'rejected') {
      if (isFaultOfText(one.reason)) return one.reason;
      throw one.reason;
    }
    const [content] = one?.value ?? [];
    if (!content) throw new AppError('embedding_failed');
    return { ctx, content, record: newRecord(ctx, body, now) };
  });
}

/** The time that dates in it are relative to is the one that the record will have. */
const said = (body: NewMemory, now: Date): Embeddable => ({
  content: body.content,
  embedding: body.embedding,
  occurred_at: body.occurred_at ?? now,
});

function newRecord(ctx: Ctx, body: NewMemory, now: Date): MemoryRecord {
  return {
    account_id: ctx.actor.accountId,
    id: ctx.ids.uuid(),
    space_id: body.space_id ?? null,
    session_id: body.session_id ?? null,
    session_ordinal: null,
    content: body.content,
    content_type: body.type ?? body.content_type ?? 'text',
    content_hash: body.allow_duplicate ? null : hashContent(body.content),
    tags: distinct(body.tags ?? []),
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
