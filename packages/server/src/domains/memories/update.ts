import { type Memory, metadata as metadataSchema, type PatchMemoryBody } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { mergePatch } from '../../kernel/json-merge-patch.ts';
import { validate } from '../../kernel/validate.ts';
import type { Ctx } from '../ctx.ts';
import type { Reply } from '../handler.ts';
import {
  analyseTextYielding,
  resolveAccountModel,
  retryOnModelChange,
} from '../search-index/index.ts';
import { requireUsableSpace } from '../spaces/index.ts';
import { type AnalysedText, AnalysisOutdated, changeMemory } from './change.ts';
import { embedContents, requireContentSize } from './embed.ts';
import { requireValidExpiry } from './expiry.ts';
import { findMemory } from './find.ts';
import {
  changedFields,
  hashOfNewContent,
  type MemoryRecord,
  referenceTimeOf,
  requireActiveMemory,
  requireUnprotected,
  uniqueTags,
} from './model.ts';

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
  requireValidExpiry(ctx, patch);
  return retryOnModelChange(ctx, () =>
    retryOnOutdatedAnalysis(async () => {
      const analysed = await analysePatch(ctx, id, patch);
      const { supersedes } = patch;
      return changeMemory(ctx, id, { ifMatch: guard.ifMatch, analysed, supersedes }, (before) => {
        requireActiveMemory(before);
        requireUnprotected(before, guard.confirmed);
        return applyMemoryPatch(before, patch);
      });
    }),
  );
}

const attemptsMax = 5;

async function retryOnOutdatedAnalysis<T>(attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof AnalysisOutdated) || count === attemptsMax) throw error;
    }
  }
}

/**
 * What the index gets of the new content, or of the content at its new time; before the lock, also
 * of a soft-deleted memory, which may be restored concurrently. Throws 404 memory_not_found.
 */
async function analysePatch(
  ctx: Ctx,
  id: string,
  patch: PatchMemoryBody,
): Promise<AnalysedText | undefined> {
  if (patch.content === undefined && patch.occurred_at === undefined) return undefined;
  const existing = await findMemory(ctx, id);
  if (!existing) throw new AppError('memory_not_found');
  const { created_at, occurred_at } = existing;
  const at = referenceTimeOf({
    created_at,
    occurred_at: patch.occurred_at === undefined ? occurred_at : patch.occurred_at,
  });
  if (patch.content === undefined) return analyseAgain(ctx, existing, at);
  const text = patch.content;
  const [content] = await embedContents(ctx, [{ content: text, occurred_at: at }], 'provisional');
  if (!content) throw new AppError('embedding_failed');
  return { content, text, at };
}

/** The vectors stay: they do not depend on the time. */
async function analyseAgain(
  ctx: Ctx,
  { content: text }: MemoryRecord,
  at: Date,
): Promise<AnalysedText> {
  const { model } = await resolveAccountModel(ctx);
  const terms = await analyseTextYielding(text, at);
  return { content: { terms, vectors: [], models: [model] }, text, at };
}

/** Returns the same record if the patch changes nothing. */
export function applyMemoryPatch(before: MemoryRecord, patch: PatchMemoryBody): MemoryRecord {
  const after: MemoryRecord = {
    ...before,
    ...(patch.content === undefined
      ? {}
      : {
          content: patch.content,
          content_hash: hashOfNewContent(before, patch.content),
        }),
    ...(patch.metadata === undefined
      ? {}
      : { metadata: mergedMetadata(before.metadata, patch.metadata) }),
    ...(patch.tags === undefined ? {} : { tags: uniqueTags(patch.tags) }),
    ...(patch.priority === undefined ? {} : { priority: patch.priority }),
    ...(patch.space_id === undefined ? {} : { space_id: patch.space_id }),
    ...(patch.session_id === undefined ? {} : { session_id: patch.session_id }),
    ...(patch.occurred_at === undefined ? {} : { occurred_at: patch.occurred_at }),
    ...(patch.expires_at === undefined ? {} : { expires_at: patch.expires_at }),
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
