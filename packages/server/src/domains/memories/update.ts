import { type Memory, metadata as metadataSchema, type PatchMemoryBody } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { mergePatch } from '../../kernel/json-merge-patch.ts';
import { validate } from '../../kernel/validate.ts';
import type { Ctx } from '../ctx.ts';
import type { Reply } from '../handler.ts';
import { type NewDocument, retryOnModelChange } from '../search-index/index.ts';
import { requireUsableSpace } from '../spaces/index.ts';
import { changeMemory } from './change.ts';
import { embedContents, requireContentSize } from './embed.ts';
import {
  changedFields,
  hashContent,
  type MemoryRecord,
  referenceTimeOf,
  requireActiveMemory,
  requireUnprotected,
  uniqueTags,
} from './model.ts';
import { findMemory } from './store/memories.ts';

export interface WritePreconditions {
  readonly ifMatch: readonly string[] | null;
  readonly confirmed: boolean;
}

/**
 * Changes fields; embeds new content before locking anything. Throws the errors of a create, and
 * conflict (deleted), confirmation_required, memory_protected, precondition_failed.
 */
export async function updateMemory(
  ctx: Ctx,
  id: string,
  patch: PatchMemoryBody,
  guard: WritePreconditions,
): Promise<Reply<Memory>> {
  if (patch.space_id !== undefined) await requireUsableSpace(ctx, patch.space_id);
  if (patch.content !== undefined) requireContentSize(ctx, patch.content);
  return retryOnModelChange(ctx, async () => {
    const { content: text } = patch;
    const content = text === undefined ? undefined : await embedNewContent(ctx, id, text);
    const { supersedes } = patch;
    return changeMemory(ctx, id, { ifMatch: guard.ifMatch, content, supersedes }, (before) => {
      requireActiveMemory(before);
      requireUnprotected(before, guard.confirmed);
      return applyMemoryPatch(before, patch);
    });
  });
}

/**
 * The time of a memory's content never changes, so it is read before the lock, also of a
 * soft-deleted memory, which may be restored concurrently. Throws 404 memory_not_found.
 */
async function embedNewContent(
  ctx: Ctx,
  id: string,
  content: string,
): Promise<NewDocument['content']> {
  const existing = await findMemory(ctx.engine.db, ctx.actor.accountId, id);
  if (!existing) throw new AppError('memory_not_found');
  const item = { content, occurred_at: referenceTimeOf(existing) };
  const [embedded] = await embedContents(ctx, [item], 'provisional');
  if (!embedded) throw new AppError('embedding_failed');
  return embedded;
}

/** Returns the same record if the patch changes nothing. */
export function applyMemoryPatch(before: MemoryRecord, patch: PatchMemoryBody): MemoryRecord {
  const after: MemoryRecord = {
    ...before,
    ...(patch.content === undefined
      ? {}
      : {
          content: patch.content,
          content_hash: before.content_hash && hashContent(patch.content),
        }),
    ...(patch.metadata === undefined
      ? {}
      : { metadata: mergedMetadata(before.metadata, patch.metadata) }),
    ...(patch.tags === undefined ? {} : { tags: uniqueTags(patch.tags) }),
    ...(patch.priority === undefined ? {} : { priority: patch.priority }),
    ...(patch.space_id === undefined ? {} : { space_id: patch.space_id }),
    ...(patch.session_id === undefined ? {} : { session_id: patch.session_id }),
  };
  return changedFields(before, after).length > 0 ? after : before;
}

/** The merged metadata must satisfy the limits, not only the patch. */
function mergedMetadata(
  before: Record<string, unknown>,
  patch: Record<string, unknown>,
): Record<string, unknown> {
  return validate(metadataSchema, mergePatch(before, patch), 'metadata');
}
