import type { RunningJob } from '../../work/worker.ts';
import type { App, Ctx, TxCtx } from '../ctx.ts';
import type { DocumentFacts } from './model.ts';
import { indexShelf } from './shelf.ts';
import {
  accountsWithTombstones,
  buryDocuments,
  type NewDocument,
  putDocuments,
  removeAllDocuments,
  removeTombstones,
  updateFacts,
} from './store.ts';

const accountsOf = (documents: readonly DocumentFacts[]): Set<string> =>
  new Set(documents.map(({ accountId }) => accountId));

/** New documents, or new content of known ones; found by the first search after the commit. */
export function indexDocuments(
  ctx: Pick<TxCtx, 'journal'>,
  documents: readonly NewDocument[],
): void {
  if (documents.length === 0) return;
  ctx.journal.positioned(accountsOf(documents), putDocuments(documents));
}

/** Space, tags, priority and so on changed, the content did not. */
export function reindexFacts(ctx: TxCtx, documents: readonly DocumentFacts[]): void {
  if (documents.length === 0) return;
  ctx.journal.positioned(accountsOf(documents), updateFacts(documents));
}

export function removeDocuments(ctx: TxCtx, ids: readonly string[]): void {
  if (ids.length === 0) return;
  const { accountId } = ctx.actor;
  ctx.journal.positioned([accountId], buryDocuments(accountId, ids, ctx.clock.now()));
}

export const compactIndexKind = 'index.compact';
const tombstoneMs = 3_600_000;

/** Job: tombstones that every running process has long seen. */
export async function compactIndex(app: App, job: RunningJob): Promise<void> {
  const before = new Date(app.clock.now().getTime() - tombstoneMs);
  for (const accountId of await accountsWithTombstones(app.engine.db, before)) {
    await app.engine.transaction((tx) => removeTombstones(tx, accountId, before));
    await job.progress(0.5);
  }
}

const eraseStep = 200;

/** All documents of an account, in small steps. */
export async function eraseDocuments(ctx: Ctx, job: RunningJob): Promise<void> {
  indexShelf.of(ctx).drop(ctx.actor.accountId);
  while (await removeAllDocuments(ctx.engine.db, ctx.actor.accountId, eraseStep)) {
    await job.progress(0.5);
  }
}
