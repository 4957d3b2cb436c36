import { isDeepStrictEqual } from 'node:util';
import type { Check, Fault } from '../../check.ts';
import { type Ctx, withTransaction } from '../../ctx.ts';
import {
  analyse,
  indexDocuments,
  isWhole,
  liveDocumentIds,
  modelInSnapshot,
  readDocuments,
  removeDocuments,
  type StoredDocument,
} from '../../index/index.ts';
import {
  embedContents,
  type MemoryRecord,
  saidAt,
  unerasedMemories,
} from '../../memories/index.ts';
import { factsOf, textOf } from './segments.ts';
import { type SegmentRecord, segmentsAfter, segmentsById } from './store.ts';

const stepRows = 200;
const strayRows = 1_000;

type Model = Awaited<ReturnType<typeof modelInSnapshot>>;

/** Each segment has the one document that follows from it and its memory, with a vector. */
export const segmentCheck: Check = {
  name: 'segments',
  async read(ctx, tx, after) {
    const { accountId } = ctx.actor;
    const segments = await segmentsAfter(tx, accountId, after, stepRows);
    const ids = segments.map(({ id }) => id);
    const documents = await readDocuments(tx, accountId, ids);
    const owners = [...new Set(segments.map((one) => one.memory_id))];
    const memories = new Map(
      (await unerasedMemories(tx, accountId, owners)).map((memory) => [memory.id, memory]),
    );
    const own = await modelInSnapshot(ctx, tx);
    return {
      rows: segments.length,
      next: segments.length < stepRows ? null : (ids.at(-1) ?? null),
      judge: () =>
        segments.flatMap((segment) => {
          const memory = memories.get(segment.memory_id);
          // One that is being erased is found no more, and its rows go with it.
          return memory ? faultsOf(own, segment, memory, documents.get(segment.id)) : [];
        }),
    };
  },
  repair: (ctx, faults) => reindex(ctx, [...new Set(faults.flatMap(({ id }) => id ?? []))]),
};

/** Each document of a segment has its segment. */
export const segmentStrayCheck: Check = {
  name: 'segment strays',
  async read({ actor: { accountId } }, tx, after) {
    const ids = await liveDocumentIds(tx, accountId, 'audio_segment', after, strayRows);
    const present = new Set((await segmentsById(tx, accountId, ids)).map(({ id }) => id));
    const message = 'there is no such segment';
    return {
      rows: ids.length,
      next: ids.length < strayRows ? null : (ids.at(-1) ?? null),
      judge: () =>
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

function faultsOf(
  own: Model,
  segment: SegmentRecord,
  memory: MemoryRecord,
  document: StoredDocument | undefined,
): Fault[] {
  const { id } = segment;
  const fault = (code: string, message: string): Fault => ({ code, id, message });
  if (!document) return [fault('document_missing', 'the segment has no document')];
  if (document.isBuried) return [fault('document_buried', 'the segment has only a tombstone')];
  const faults: Fault[] = [];
  const { salience: _, salienceAt: __, ...facts } = factsOf(memory, segment);
  if (!isDeepStrictEqual(facts, document.facts)) {
    faults.push(fault('document_differs', 'its document has other facts than its memory'));
  }
  if (document.terms !== analyse(textOf(segment), saidAt(memory))) {
    faults.push(fault('terms_differ', 'its terms are not those of its words'));
  }
  if (!document.vectors.some((vector) => isWhole(vector, own))) {
    faults.push(fault('vector_missing', `it has no whole vector of ${own.model}`));
  }
  return faults;
}

/** Makes documents of segments anew. Returns the ids of those that were made. */
async function reindex(ctx: Ctx, ids: readonly string[]): Promise<Set<string>> {
  const { db } = ctx.engine;
  const { accountId } = ctx.actor;
  const segments = await segmentsById(db, accountId, ids);
  const owners = [...new Set(segments.map((one) => one.memory_id))];
  const saidBefore = new Map(
    (await unerasedMemories(db, accountId, owners)).map((one) => [one.id, saidAt(one)]),
  );
  const items = segments.map((segment) => ({
    content: textOf(segment),
    occurred_at: saidBefore.get(segment.memory_id) ?? ctx.clock.now(),
  }));
  const contents = new Map(
    (await embedContents(ctx, items)).map((content, i) => [segments[i]?.id, content]),
  );
  return withTransaction(ctx, async (inTx) => {
    const memories = new Map(
      (await unerasedMemories(inTx.tx, accountId, owners)).map((memory) => [memory.id, memory]),
    );
    const documents = (await segmentsById(inTx.tx, accountId, ids)).flatMap((segment) => {
      const memory = memories.get(segment.memory_id);
      const content = contents.get(segment.id);
      return memory && content ? [{ ...factsOf(memory, segment), content }] : [];
    });
    indexDocuments(inTx, documents);
    return new Set(documents.map(({ id }) => id));
  });
}
