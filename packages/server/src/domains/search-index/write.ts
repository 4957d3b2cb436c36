import type { Journal } from '../../events/journal.ts';
import type { RunningJob } from '../../jobs/job-worker.ts';
import { batchBySize } from '../../kernel/batches.ts';
import type { App, Ctx, TxCtx } from '../ctx.ts';
import { accountModels, ModelChanged } from './account-models.ts';
import { indexCache } from './index-cache.ts';
import {
  addIndexWrite,
  additionOf,
  type IndexWriteCtx,
  successorChangeOf,
} from './index-writes.ts';
import type { DocumentAttributes, Successors } from './model.ts';
import { segmentFiles } from './segments/segment-files.ts';
import {
  accountsWithTombstones,
  deleteDocumentBatch,
  deleteStaleVectors,
  type NewDocument,
  pruneTombstones,
  resetPassages,
  updateDocumentAttributes,
  upsertDocuments,
  writeTombstones,
} from './store/documents.ts';
import { deleteEncodingLease } from './store/provisional-vectors.ts';
import { deleteSegmentsOf, deleteUnusedSegments } from './store/segments.ts';
import { updateSuccessors } from './store/successors.ts';

const byAccount = <T extends DocumentAttributes>(documents: readonly T[]): Map<string, T[]> =>
  Map.groupBy(documents, ({ accountId }) => accountId);

/** Characters of terms per statement. */
const statementCharacters = 1_048_576;
const termsLength = ({ content }: NewDocument): number => content.terms.length;

/**
 * Adds documents that no index has yet; the first search after the commit finds them. The flush
 * throws ModelChanged if the account's model is not among those of a document.
 */
export function indexNewDocuments(ctx: IndexWriteCtx, documents: readonly NewDocument[]): void {
  writeDocuments(ctx, documents, 'new');
}

/** Like indexNewDocuments, of documents that may be known: they keep vectors of other models. */
export function indexDocuments(ctx: IndexWriteCtx, documents: readonly NewDocument[]): void {
  writeDocuments(ctx, documents, 'known');
}

function writeDocuments(
  ctx: IndexWriteCtx,
  documents: readonly NewDocument[],
  state: 'new' | 'known' | 'replaced',
): void {
  for (const [accountId, own] of byAccount(documents)) {
    for (const batch of batchBySize(own, termsLength, statementCharacters)) {
      const characters = batch.reduce((all, document) => all + termsLength(document), 0);
      const write = upsertDocuments(accountId, batch);
      const change = state === 'new' ? { change: additionOf(batch) } : {};
      addIndexWrite(ctx, accountId, { write, characters, ...change });
      if (state !== 'known') continue;
      addIndexWrite(ctx, accountId, { write: resetPassages(accountId, batch) });
    }
    ctx.journal.addPrecondition(({ accountId: locked, model }) => {
      if (locked !== accountId || model === null) return;
      if (own.every(({ content }) => content.models.includes(model))) return;
      throw new ModelChanged(accountId, model);
    });
  }
}

/** Replaces the content of known documents. */
export function replaceDocuments(ctx: IndexWriteCtx, documents: readonly NewDocument[]): void {
  writeDocuments(ctx, documents, 'replaced');
  for (const document of documents) {
    addIndexWrite(ctx, document.accountId, { write: deleteStaleVectors(document) });
  }
}

/** Updates space, tags, priority and so on; the content is unchanged. */
export function reindexAttributes(
  ctx: IndexWriteCtx,
  documents: readonly DocumentAttributes[],
): void {
  for (const [accountId, own] of byAccount(documents)) {
    addIndexWrite(ctx, accountId, { write: updateDocumentAttributes(accountId, own) });
  }
}

/** What a transaction writes about the successors of documents, by account and document. */
const pendingSuccessors = new WeakMap<Journal, Map<string, Map<string, Successors>>>();

/**
 * Writes what supersedes documents. All of a transaction is one write: two updates of a document in
 * one statement would exclude each other.
 */
export function reindexSuccessors(
  ctx: IndexWriteCtx & Pick<TxCtx, 'actor'>,
  documents: readonly Successors[],
): void {
  if (documents.length === 0) return;
  const { accountId } = ctx.actor;
  const all = pendingSuccessors.get(ctx.journal) ?? new Map<string, Map<string, Successors>>();
  pendingSuccessors.set(ctx.journal, all);
  const known = all.get(accountId);
  const pending = known ?? new Map<string, Successors>();
  for (const one of documents) pending.set(one.id, { ...pending.get(one.id), ...one });
  if (known) return;
  all.set(accountId, pending);
  addIndexWrite(ctx, accountId, {
    write: (place) => updateSuccessors(accountId, [...pending.values()])(place),
    change: (target) => successorChangeOf([...pending.values()])(target),
  });
}

export function removeDocuments(ctx: TxCtx, ids: readonly string[]): void {
  if (ids.length === 0) return;
  const { accountId } = ctx.actor;
  addIndexWrite(ctx, accountId, { write: writeTombstones(accountId, ids, ctx.clock.now()) });
}

export const compactIndexKind = 'index.compact';
const tombstoneRetentionMs = 3_600_000;
/** A process renews the rows of its segments daily. */
const segmentRetentionMs = 7 * 86_400_000;
/** Short statements: the embedded engine has one connection, and other requests run in between. */
const tombstoneBatch = 500;

/** Job: deletes tombstones that every running process has seen long ago. */
export async function compactIndex(app: App, job: RunningJob): Promise<void> {
  const nowMs = app.clock.now().getTime();
  await deleteUnusedSegments(app.engine.db, new Date(nowMs - segmentRetentionMs));
  const before = new Date(nowMs - tombstoneRetentionMs);
  for (const accountId of await accountsWithTombstones(app.engine.db, before)) {
    for (let isMore = true; isMore; ) {
      isMore = await app.engine.transaction((tx) =>
        pruneTombstones(tx, accountId, before, tombstoneBatch),
      );
      await job.saveProgress(0.5);
    }
  }
}

const eraseBatch = 200;

/** Erases all documents of an account, in small steps. */
export async function eraseDocuments(ctx: Ctx, job: RunningJob): Promise<void> {
  await forgetIndex(ctx);
  while (await deleteDocumentBatch(ctx.engine.db, ctx.actor.accountId, eraseBatch)) {
    await job.saveProgress(0.5);
  }
  await deleteEncodingLease(ctx.engine.db, ctx.actor.accountId);
  // Again, because a concurrent search may have loaded it.
  await forgetIndex(ctx);
  accountModels.of(ctx).delete(ctx.actor.accountId);
}

/** Drops the index of an account and its segments, so that none is written any more. */
async function forgetIndex(ctx: Ctx): Promise<void> {
  const { accountId } = ctx.actor;
  indexCache.of(ctx).evict(accountId);
  await deleteSegmentsOf(ctx.engine.db, accountId);
  await segmentFiles.of(ctx).removeAccount(accountId);
}
