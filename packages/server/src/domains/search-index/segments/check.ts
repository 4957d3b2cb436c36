import type { ConsistencyCheck, Inconsistency } from '../../consistency-check.ts';
import type { Ctx } from '../../ctx.ts';
import { indexCache } from '../index-cache.ts';
import { toTransferable } from '../index-loader.ts';
import { readDocumentChanges, readIndexPosition, startAfter } from '../store/documents.ts';
import { findEmbeddingModel } from '../store/models.ts';
import { readVectorChanges } from '../store/provisional-vectors.ts';
import { countChangedSince, findUsableSegments, type SegmentRow } from '../store/segments.ts';
import { SearchWorkerClient } from '../thread/search-worker-client.ts';
import { segmentFiles } from './segment-files.ts';

/** Short statements: the embedded engine has one connection. */
const pageLimits = { rows: 1_000, bytes: 4_000_000 };
/** The index that is rebuilt; an id of an account is a UUID. */
const rebuiltId = 'rebuilt';

/** Segments have what an index has that is rebuilt from the documents of their position. */
export const segmentCheck: ConsistencyCheck = {
  name: 'index_segments',
  async read({ actor, ...ctx }, tx) {
    const { accountId } = actor;
    const head = await readIndexPosition(tx, accountId);
    const rows = head?.model ? await findUsableSegments(tx, accountId, head.model) : [];
    const existing = await segmentFiles.of(ctx).filterExisting(accountId, rows);
    return {
      rows: existing.length,
      next: null,
      compare: async () => {
        const found = existing.map((row) =>
          compareSegment({ actor, ...ctx }, head?.model ?? '', row),
        );
        return (await Promise.all(found)).flat();
      },
    };
  },
  async repair(ctx, inconsistencies) {
    const ids = inconsistencies.flatMap(({ id }) => id ?? []);
    const { accountId } = ctx.actor;
    await segmentFiles.of(ctx).remove(ids.map((id) => ({ accountId, id })));
    // It may have been loaded from one of them.
    indexCache.of(ctx).evict(accountId);
    return new Set(ids);
  },
};

/** In a thread of its own, which ends afterwards. */
async function compareSegment(
  ctx: Omit<Ctx, 'tx'>,
  model: string,
  { id, position }: SegmentRow,
): Promise<Inconsistency[]> {
  const { engine, embedding, actor, version } = ctx;
  const { accountId } = actor;
  const { current } = embedding.open;
  const known = model === current.model ? current : await findEmbeddingModel(engine.db, model);
  const { dimensions } = known ?? current;
  const worker = new SearchWorkerClient({ dimensions }, () => undefined);
  try {
    const segment = { id, accountId, model, dimensions, release: version };
    const file = segmentFiles.of(ctx).fileOf({ accountId, id });
    const load = await worker.request({ kind: 'loadSegment', accountId, file, segment });
    // An erasure or a newer segment has removed it meanwhile; another version is not used.
    if (load.result === 'missing' || load.result === 'outdated') return [];
    if (load.result !== 'loaded') {
      return [{ code: 'segment_damaged', id, message: `the segment is damaged: ${load.message}` }];
    }
    await rebuild(ctx, worker, model, position);
    const changedVectors = await readChangedVectors(ctx, model, position);
    const { differing, unmatched, wrongFrequencies } = await worker.request({
      kind: 'compareIndexes',
      accountId,
      rebuiltId,
      changedVectors,
    });
    const changed = await countChangedSince(engine.db, accountId, position, unmatched);
    const faults = differing.length + unmatched.length - changed + wrongFrequencies;
    if (faults === 0) return [];
    const message = `the segment differs from a rebuild in ${faults} documents or terms`;
    return [{ code: 'segment_differs', id, message }];
  } finally {
    await worker.close();
  }
}

/** An index of the documents that have not changed since the position. */
async function rebuild(
  { engine, actor }: Omit<Ctx, 'tx'>,
  worker: SearchWorkerClient,
  model: string,
  position: number,
): Promise<void> {
  let after = startAfter(0);
  for (;;) {
    const page = await readDocumentChanges(engine.db, actor.accountId, after, model, pageLimits);
    const rows = page.rows.filter((row) => row.position <= position).map(toTransferable);
    worker.post({ kind: 'rows', accountId: rebuiltId, rows });
    if (page.next === null || page.next.position > position) return;
    after = page.next;
    await worker.request({ kind: 'size', accountId: rebuiltId });
  }
}

/** Read after the documents: what they had may be newer than the position. */
async function readChangedVectors(
  { engine, actor }: Omit<Ctx, 'tx'>,
  model: string,
  position: number,
): Promise<string[]> {
  const ids: string[] = [];
  let after = startAfter(position);
  for (;;) {
    const { rows, next } = await readVectorChanges(
      engine.db,
      actor.accountId,
      after,
      model,
      pageLimits,
    );
    ids.push(...rows.map(({ id }) => id));
    if (next === null) return ids;
    after = next;
  }
}
