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
  type AttributesWithoutSalience,
  analyseTextYielding,
  hasFittingPassages,
  isCompleteVector,
  isFormerFormat,
  isOutdatedAnalysis,
  liveDocumentIds,
  readDocuments,
  readModelInSnapshot,
  type StoredDocument,
} from '../search-index/index.ts';
import { type MemoryRecord, referenceTimeOf, toDocumentAttributes } from './model.ts';
import { reindexMemories, removeOrphanDocuments } from './reindex.ts';
import { countMemories, findUnerasedIds, listMemoriesAfter } from './store/checks.ts';

const page = { rows: 200, bytes: 1_048_576 };
/** Yields to the event loop after this much text, so that other requests proceed. */
const yieldCharacters = 20_000;

const expectedMemories = ({ engine, actor }: Ctx): Promise<number> =>
  readResourceCount(engine.db, actor.accountId, 'memories');

type Model = Awaited<ReturnType<typeof readModelInSnapshot>>;

/** Checks that each memory has exactly the document derived from it, with a vector of the model. */
export const documentCheck: ConsistencyCheck = {
  name: 'documents',
  expectedRows: expectedMemories,
  async read(ctx, tx, after) {
    const { accountId } = ctx.actor;
    const memories = await listMemoriesAfter(tx, accountId, after, page);
    const ids = memories.map(({ id }) => id);
    const documents = await readDocuments(tx, accountId, ids);
    const model = await readModelInSnapshot(ctx, tx);
    return {
      rows: memories.length,
      next: ids.at(-1) ?? null,
      compare: () => compareDocuments(model, memories, documents),
    };
  },
  repair: (ctx, inconsistencies) => reindexMemories(ctx, inconsistentIds(inconsistencies)),
};

const inconsistentIds = (inconsistencies: readonly Inconsistency[]): string[] => [
  ...new Set(inconsistencies.flatMap(({ id }) => id ?? [])),
];

async function compareDocuments(
  model: Model,
  memories: readonly MemoryRecord[],
  documents: ReadonlyMap<string, StoredDocument>,
): Promise<Inconsistency[]> {
  const inconsistencies: Inconsistency[] = [];
  let characters = 0;
  for (const memory of memories) {
    inconsistencies.push(...(await compareDocument(model, memory, documents.get(memory.id))));
    characters += memory.content.length;
    if (characters < yieldCharacters) continue;
    characters = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return inconsistencies;
}

async function compareDocument(
  accountModel: Model,
  memory: MemoryRecord,
  document: StoredDocument | undefined,
): Promise<Inconsistency[]> {
  const { id } = memory;
  const inconsistency = (code: string, message: string): Inconsistency => ({ code, id, message });
  if (!document) return [inconsistency('document_missing', 'the memory has no document')];
  if (document.isTombstone)
    return [inconsistency('document_buried', 'the memory has only a tombstone')];
  const inconsistencies: Inconsistency[] = [];
  const { terms } = document;
  const isOld = terms !== null && isFormerFormat(terms);
  const differing = differingAttributes(memory, document.attributes).filter(
    (name) => !isOld || name !== 'speaker',
  );
  if (differing.length > 0) {
    inconsistencies.push(
      inconsistency('document_differs', `the document differs in ${differing.join(', ')}`),
    );
  }
  const current = await analyseTextYielding(memory.content, referenceTimeOf(memory));
  if (terms !== null && isOutdatedAnalysis(terms, current)) {
    const message = 'the content was analysed by an earlier version';
    inconsistencies.push({ ...inconsistency('analysis_outdated', message), isOutdated: true });
  } else if (terms !== current) {
    const message = 'the terms of the document do not match the content';
    inconsistencies.push(inconsistency('terms_differ', message));
  }
  const vector = document.vectors.find(({ model }) => model === accountModel.model);
  if (!vector)
    inconsistencies.push(inconsistency('vector_missing', `no vector of ${accountModel.model}`));
  else if (!isCompleteVector(vector, accountModel)) {
    const { dimensions } = accountModel;
    const message = `the vector has ${vector.bytes} numbers for ${dimensions} dimensions`;
    inconsistencies.push(inconsistency('vector_malformed', message));
  } else if (terms !== null && !hasFittingPassages(vector, terms)) {
    const message = 'the vectors of its passages are not as many as its passages';
    inconsistencies.push(inconsistency('passages_malformed', message));
  }
  return inconsistencies;
}

function differingAttributes(memory: MemoryRecord, stored: AttributesWithoutSalience): string[] {
  const { salience: _, salienceAt: __, ...attributes } = toDocumentAttributes(memory);
  const names = Object.keys(attributes) as (keyof AttributesWithoutSalience)[];
  return names.filter((name) => !isDeepStrictEqual(attributes[name], stored[name]));
}

const orphanRows = 1_000;

/** Checks that the memory of each document exists. */
export const orphanDocumentCheck: ConsistencyCheck = {
  name: 'strays',
  expectedRows: expectedMemories,
  async read({ actor: { accountId } }, tx, after) {
    const ids = await liveDocumentIds(tx, accountId, 'memory', after, orphanRows);
    const present = await findUnerasedIds(tx, accountId, ids);
    const message = 'the memory does not exist';
    return {
      rows: ids.length,
      next: ids.length < orphanRows ? null : (ids.at(-1) ?? null),
      compare: () =>
        ids.filter((id) => !present.has(id)).map((id) => ({ code: 'document_stray', id, message })),
    };
  },
  repair: (ctx, inconsistencies) => removeOrphanDocuments(ctx, inconsistentIds(inconsistencies)),
};

/** Checks the counter that enforces the plan's limit, in one statement to be exact. */
export const memoryCounterCheck: ConsistencyCheck = createSingleStepCheck(
  'memories',
  async ({ actor }, tx) =>
    compareCounter(
      'memories',
      await readResourceCount(tx, actor.accountId, 'memories'),
      await countMemories(tx, actor.accountId),
    ),
);
