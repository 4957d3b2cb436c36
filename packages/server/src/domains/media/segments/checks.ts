import { isDeepStrictEqual } from 'node:util';
import type { ConsistencyCheck, Inconsistency } from '../../consistency-check.ts';
import { type Ctx, withTransaction } from '../../ctx.ts';
import {
  embedContents,
  findUnerasedMemories,
  type MemoryRecord,
  referenceTimeOf,
} from '../../memories/index.ts';
import {
  analyse,
  indexDocuments,
  isCompleteVector,
  liveDocumentIds,
  readDocuments,
  readModelInSnapshot,
  removeDocuments,
  type StoredDocument,
} from '../../search-index/index.ts';
import { segmentText, toSegmentFacts } from './segments.ts';
import { type SegmentRecord, segmentsAfter, segmentsById } from './store.ts';

const batchRows = 200;
const orphanRows = 1_000;

type Model = Awaited<ReturnType<typeof readModelInSnapshot>>;

/** Each segment has the one document that follows from it and its memory, with a vector. */
export const segmentCheck: ConsistencyCheck = {
  name: 'segments',
  async read(ctx, tx, after) {
    const { accountId } = ctx.actor;
    const segments = await segmentsAfter(tx, accountId, after, batchRows);
    const ids = segments.map(({ id }) => id);
    const documents = await readDocuments(tx, accountId, ids);
    const owners = [...new Set(segments.map((one) => one.memory_id))];
    const memories = new Map(
      (await findUnerasedMemories(tx, accountId, owners)).map((memory) => [memory.id, memory]),
    );
    const own = await readModelInSnapshot(ctx, tx);
    return {
      rows: segments.length,
      next: segments.length < batchRows ? null : (ids.at(-1) ?? null),
      compare: () =>
        segments.flatMap((segment) => {
          const memory = memories.get(segment.memory_id);
          // One that is being erased is found no more, and its rows go with it.
          return memory ? findInconsistencies(own, segment, memory, documents.get(segment.id)) : [];
        }),
    };
  },
  repair: (ctx, faults) => reindexSegments(ctx, [...new Set(faults.flatMap(({ id }) => id ?? []))]),
};

/** Each document of a segment has its segment. */
export const segmentOrphanCheck: ConsistencyCheck = {
  name: 'segment strays',
  async read({ actor: { accountId } }, tx, after) {
    const ids = await liveDocumentIds(tx, accountId, 'audio_segment', after, orphanRows);
    const present = new Set((await segmentsById(tx, accountId, ids)).map(({ id }) => id));
    const message = 'there is no such segment';
    return {
      rows: ids.length,
      next: ids.length < orphanRows ? null : (ids.at(-1) ?? null),
      compare: () =>
        ids.filter((id) => !present.has(id)).map((id) => ({ code: 'document_stray', id, message })),
    };
  },
  repair: (ctx, faults) =>
    withTransaction(ctx, async (inTx) => {
      const ids = [...new Set(faults.flatMap(({ id }) => id ?? []))];
      const there = await segmentsById(inTx.tx, inTx.actor.accountId, ids);
      const present = new Set(there.map(({ id }) => id));
      const strays = ids.filter((id) => !present.has(id));
      removeDocuments(inTx, strays);
      return new Set(strays);
    }),
};

function findInconsistencies(
  own: Model,
  segment: SegmentRecord,
  memory: MemoryRecord,
  document: StoredDocument | undefined,
): Inconsistency[] {
  const { id } = segment;
  const fault = (code: string, message: string): Inconsistency => ({ code, id, message });
  if (!document) return [fault('document_missing', 'the segment has no document')];
  if (document.isTombstone) return [fault('document_buried', 'the segment has only a tombstone')];
  const faults: Inconsistency[] = [];
  const { salience: _, salienceAt: __, ...facts } = toSegmentFacts(memory, segment);
  if (!isDeepStrictEqual(facts, document.facts)) {
    faults.push(fault('document_differs', 'its document has other facts than its memory'));
  }
  if (document.terms !== analyse(segmentText(segment), referenceTimeOf(memory))) {
    faults.push(fault('terms_differ', 'its terms are not those of its words'));
  }
  if (!document.vectors.some((vector) => isCompleteVector(vector, own))) {
    faults.push(fault('vector_missing', `it has no whole vector of ${own.model}`));
  }
  return faults;
}

/** Makes documents of segments anew. Returns the ids of those that were made. */
async function reindexSegments(ctx: Ctx, ids: readonly string[]): Promise<Set<string>> {
  const { db } = ctx.engine;
  const { accountId } = ctx.actor;
  const segments = await segmentsById(db, accountId, ids);
  const owners = [...new Set(segments.map((one) => one.memory_id))];
  const saidBefore = new Map(
    (await findUnerasedMemories(db, accountId, owners)).map((one) => [
      one.id,
      referenceTimeOf(one),
    ]),
  );
  const items = segments.map((segment) => ({
    content: segmentText(segment),
    occurred_at: saidBefore.get(segment.memory_id) ?? ctx.clock.now(),
  }));
  const contents = new Map(
    (await embedContents(ctx, items)).map((content, i) => [segments[i]?.id, content]),
  );
  return withTransaction(ctx, async (inTx) => {
    const memories = new Map(
      (await findUnerasedMemories(inTx.tx, accountId, owners)).map((memory) => [memory.id, memory]),
    );
    const documents = (await segmentsById(inTx.tx, accountId, ids)).flatMap((segment) => {
      const memory = memories.get(segment.memory_id);
      const content = contents.get(segment.id);
      return memory && content ? [{ ...toSegmentFacts(memory, segment), content }] : [];
    });
    indexDocuments(inTx, documents);
    return new Set(documents.map(({ id }) => id));
  });
}
