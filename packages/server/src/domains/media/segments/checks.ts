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
  analyseText,
  indexDocuments,
  isCompleteVector,
  liveDocumentIds,
  readDocuments,
  readModelInSnapshot,
  removeDocuments,
  type StoredDocument,
} from '../../search-index/index.ts';
import { segmentText, toSegmentAttributes } from './segments.ts';
import { type SegmentRecord, segmentsAfter, segmentsById } from './store/segments.ts';

const batchRows = 200;
const orphanRows = 1_000;

type Model = Awaited<ReturnType<typeof readModelInSnapshot>>;

/** Each segment has a document with the attributes of its memory, its terms and a vector. */
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
    const model = await readModelInSnapshot(ctx, tx);
    return {
      rows: segments.length,
      next: segments.length < batchRows ? null : (ids.at(-1) ?? null),
      compare: () =>
        segments.flatMap((segment) => {
          const memory = memories.get(segment.memory_id);
          // A memory that is being erased is not returned; its segments are deleted with it.
          return memory
            ? findInconsistencies(model, segment, memory, documents.get(segment.id))
            : [];
        }),
    };
  },
  repair: (ctx, inconsistencies) =>
    reindexSegments(ctx, [...new Set(inconsistencies.flatMap(({ id }) => id ?? []))]),
};

/** Each document of kind `audio_segment` has its segment. */
export const segmentOrphanCheck: ConsistencyCheck = {
  name: 'segment strays',
  async read({ actor: { accountId } }, tx, after) {
    const ids = await liveDocumentIds(tx, accountId, 'audio_segment', after, orphanRows);
    const present = new Set((await segmentsById(tx, accountId, ids)).map(({ id }) => id));
    const message = 'the document has no segment';
    return {
      rows: ids.length,
      next: ids.length < orphanRows ? null : (ids.at(-1) ?? null),
      compare: () =>
        ids.filter((id) => !present.has(id)).map((id) => ({ code: 'document_stray', id, message })),
    };
  },
  repair: (ctx, inconsistencies) =>
    withTransaction(ctx, async (inTx) => {
      const ids = [...new Set(inconsistencies.flatMap(({ id }) => id ?? []))];
      const existing = await segmentsById(inTx.tx, inTx.actor.accountId, ids);
      const present = new Set(existing.map(({ id }) => id));
      const orphanIds = ids.filter((id) => !present.has(id));
      removeDocuments(inTx, orphanIds);
      return new Set(orphanIds);
    }),
};

function findInconsistencies(
  model: Model,
  segment: SegmentRecord,
  memory: MemoryRecord,
  document: StoredDocument | undefined,
): Inconsistency[] {
  const { id } = segment;
  const inconsistency = (code: string, message: string): Inconsistency => ({ code, id, message });
  if (!document) return [inconsistency('document_missing', 'the segment has no document')];
  if (document.isTombstone)
    return [inconsistency('document_buried', 'the document of the segment is a tombstone')];
  const inconsistencies: Inconsistency[] = [];
  const { salience: _, salienceAt: __, ...attributes } = toSegmentAttributes(memory, segment);
  if (!isDeepStrictEqual(attributes, document.attributes)) {
    inconsistencies.push(
      inconsistency(
        'document_differs',
        'the facts of the document differ from those of the memory',
      ),
    );
  }
  if (document.terms !== analyseText(segmentText(segment), referenceTimeOf(memory))) {
    inconsistencies.push(
      inconsistency('terms_differ', 'the indexed terms do not match the text of the segment'),
    );
  }
  if (!document.vectors.some((vector) => isCompleteVector(vector, model))) {
    inconsistencies.push(
      inconsistency('vector_missing', `the document has no complete vector of ${model.model}`),
    );
  }
  return inconsistencies;
}

/** Indexes segments again. Returns the ids of the indexed segments. */
async function reindexSegments(ctx: Ctx, ids: readonly string[]): Promise<Set<string>> {
  const { db } = ctx.engine;
  const { accountId } = ctx.actor;
  const segments = await segmentsById(db, accountId, ids);
  const owners = [...new Set(segments.map((one) => one.memory_id))];
  const dates = new Map(
    (await findUnerasedMemories(db, accountId, owners)).map((one) => [
      one.id,
      referenceTimeOf(one),
    ]),
  );
  const items = segments.map((segment) => ({
    content: segmentText(segment),
    occurred_at: dates.get(segment.memory_id) ?? ctx.clock.now(),
  }));
  const contents = new Map(
    (await embedContents(ctx, items, 'final')).map((content, i) => [segments[i]?.id, content]),
  );
  return withTransaction(ctx, async (inTx) => {
    const memories = new Map(
      (await findUnerasedMemories(inTx.tx, accountId, owners)).map((memory) => [memory.id, memory]),
    );
    const documents = (await segmentsById(inTx.tx, accountId, ids)).flatMap((segment) => {
      const memory = memories.get(segment.memory_id);
      const content = contents.get(segment.id);
      return memory && content ? [{ ...toSegmentAttributes(memory, segment), content }] : [];
    });
    indexDocuments(inTx, documents);
    return new Set(documents.map(({ id }) => id));
  });
}
