import { isDeepStrictEqual } from 'node:util';
import { readResourceCount } from '../accounts/index.ts';
import {
  type ConsistencyCheck,
  compareCounter,
  createSingleStepCheck,
  type Inconsistency,
} from '../consistency-check.ts';
import type { Ctx } from '../ctx.ts';
import {
  analyseYielding,
  type FactsWithoutSalience,
  isCompleteVector,
  isOutdatedAnalysis,
  liveDocumentIds,
  readDocuments,
  readModelInSnapshot,
  type StoredDocument,
} from '../search-index/index.ts';
import { type MemoryRecord, referenceTimeOf, toDocumentFacts } from './model.ts';
import { reindexMemories, removeOrphanDocuments } from './reindex.ts';
import { countMemories, findUnerasedIds, listMemoriesAfter } from './store/checks.ts';

const page = { rows: 200, bytes: 1_048_576 };
/** A turn of the event loop after so much text, so that others are answered meanwhile. */
const yieldCharacters = 20_000;

const expectedMemories = ({ engine, actor }: Ctx): Promise<number> =>
  readResourceCount(engine.db, actor.accountId, 'memories');

type Model = Awaited<ReturnType<typeof readModelInSnapshot>>;

/** Each memory has the one document that follows from it, and a vector of the account's model. */
export const documentCheck: ConsistencyCheck = {
  name: 'documents',
  expectedRows: expectedMemories,
  async read(ctx, tx, after) {
    const { accountId } = ctx.actor;
    const memories = await listMemoriesAfter(tx, accountId, after, page);
    const ids = memories.map(({ id }) => id);
    const documents = await readDocuments(tx, accountId, ids);
    const own = await readModelInSnapshot(ctx, tx);
    return {
      rows: memories.length,
      next: ids.at(-1) ?? null,
      compare: () => compareDocuments(own, memories, documents),
    };
  },
  repair: (ctx, faults) => reindexMemories(ctx, inconsistentIds(faults)),
};

const inconsistentIds = (faults: readonly Inconsistency[]): string[] => [
  ...new Set(faults.flatMap(({ id }) => id ?? [])),
];

async function compareDocuments(
  own: Model,
  memories: readonly MemoryRecord[],
  documents: ReadonlyMap<string, StoredDocument>,
): Promise<Inconsistency[]> {
  const faults: Inconsistency[] = [];
  let characters = 0;
  for (const memory of memories) {
    faults.push(...(await compareDocument(own, memory, documents.get(memory.id))));
    characters += memory.content.length;
    if (characters < yieldCharacters) continue;
    characters = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return faults;
}

async function compareDocument(
  own: Model,
  memory: MemoryRecord,
  document: StoredDocument | undefined,
): Promise<Inconsistency[]> {
  const { id } = memory;
  const fault = (code: string, message: string): Inconsistency => ({ code, id, message });
  if (!document) return [fault('document_missing', 'the memory has no document')];
  if (document.isTombstone) return [fault('document_buried', 'the memory has only a tombstone')];
  const faults: Inconsistency[] = [];
  const { terms } = document;
  const isOld = terms !== null && isOutdatedAnalysis(terms);
  const differing = differingFacts(memory, document.facts).filter(
    (name) => !isOld || name !== 'speaker',
  );
  if (differing.length > 0) {
    faults.push(fault('document_differs', `its document has another ${differing.join(', ')}`));
  }
  if (isOld) {
    const message = 'its content was analysed by an earlier version';
    faults.push({ ...fault('analysis_outdated', message), isOutdated: true });
  } else if (terms !== (await analyseYielding(memory.content, referenceTimeOf(memory)))) {
    faults.push(fault('terms_differ', 'its terms are not those of its content'));
  }
  const vector = document.vectors.find(({ model }) => model === own.model);
  if (!vector) faults.push(fault('vector_missing', `it has no vector of ${own.model}`));
  else if (!isCompleteVector(vector, own)) {
    const message = `its vector has ${vector.bytes} numbers for ${own.dimensions} dimensions`;
    faults.push(fault('vector_malformed', message));
  }
  return faults;
}

function differingFacts(memory: MemoryRecord, stored: FactsWithoutSalience): string[] {
  const { salience: _, salienceAt: __, ...facts } = toDocumentFacts(memory);
  const names = Object.keys(facts) as (keyof FactsWithoutSalience)[];
  return names.filter((name) => !isDeepStrictEqual(facts[name], stored[name]));
}

const orphanRows = 1_000;

/** Each document has its memory. */
export const orphanDocumentCheck: ConsistencyCheck = {
  name: 'strays',
  expectedRows: expectedMemories,
  async read({ actor: { accountId } }, tx, after) {
    const ids = await liveDocumentIds(tx, accountId, 'memory', after, orphanRows);
    const present = await findUnerasedIds(tx, accountId, ids);
    const message = 'there is no such memory';
    return {
      rows: ids.length,
      next: ids.length < orphanRows ? null : (ids.at(-1) ?? null),
      compare: () =>
        ids.filter((id) => !present.has(id)).map((id) => ({ code: 'document_stray', id, message })),
    };
  },
  repair: (ctx, faults) => removeOrphanDocuments(ctx, inconsistentIds(faults)),
};

/** The counter that the plan's cap is held by. Counted in one statement: it must be exact. */
export const memoryCounterCheck: ConsistencyCheck = createSingleStepCheck(
  'memories',
  async ({ actor }, tx) =>
    compareCounter(
      'memories',
      await readResourceCount(tx, actor.accountId, 'memories'),
      await countMemories(tx, actor.accountId),
    ),
);
