import { isDeepStrictEqual } from 'node:util';
import { countedOf } from '../accounts/index.ts';
import { type Check, counterFault, type Fault, oneStep } from '../check.ts';
import type { Ctx } from '../ctx.ts';
import {
  analyseInTurns,
  isOutdated,
  isWhole,
  liveDocumentIds,
  modelInSnapshot,
  readDocuments,
  type SteadyFacts,
  type StoredDocument,
} from '../index/index.ts';
import { factsOf, type MemoryRecord, saidAt } from './model.ts';
import { buryStrays, reindexMemories } from './reindex.ts';
import { countMemories, memoriesAfter, unerasedIds } from './store/checks.ts';

const page = { rows: 200, bytes: 1_048_576 };
/** A turn of the event loop after so much text, so that others are answered meanwhile. */
const turnCharacters = 20_000;

const held = ({ engine, actor }: Ctx): Promise<number> =>
  countedOf(engine.db, actor.accountId, 'memories');

type Model = Awaited<ReturnType<typeof modelInSnapshot>>;

/** Each memory has the one document that follows from it, and a vector of the account's model. */
export const documentCheck: Check = {
  name: 'documents',
  expectedRows: held,
  async read(ctx, tx, after) {
    const { accountId } = ctx.actor;
    const memories = await memoriesAfter(tx, accountId, after, page);
    const ids = memories.map(({ id }) => id);
    const documents = await readDocuments(tx, accountId, ids);
    const own = await modelInSnapshot(ctx, tx);
    return {
      rows: memories.length,
      next: ids.at(-1) ?? null,
      judge: () => documentFaults(own, memories, documents),
    };
  },
  repair: (ctx, faults) => reindexMemories(ctx, faultyIds(faults)),
};

const faultyIds = (faults: readonly Fault[]): string[] => [
  ...new Set(faults.flatMap(({ id }) => id ?? [])),
];

async function documentFaults(
  own: Model,
  memories: readonly MemoryRecord[],
  documents: ReadonlyMap<string, StoredDocument>,
): Promise<Fault[]> {
  const faults: Fault[] = [];
  let characters = 0;
  for (const memory of memories) {
    faults.push(...(await faultsOf(own, memory, documents.get(memory.id))));
    characters += memory.content.length;
    if (characters < turnCharacters) continue;
    characters = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return faults;
}

async function faultsOf(
  own: Model,
  memory: MemoryRecord,
  document: StoredDocument | undefined,
): Promise<Fault[]> {
  const { id } = memory;
  const fault = (code: string, message: string): Fault => ({ code, id, message });
  if (!document) return [fault('document_missing', 'the memory has no document')];
  if (document.isBuried) return [fault('document_buried', 'the memory has only a tombstone')];
  const faults: Fault[] = [];
  const { terms } = document;
  const isOld = terms !== null && isOutdated(terms);
  const differing = differingFacts(memory, document.facts).filter(
    (name) => !isOld || name !== 'speaker',
  );
  if (differing.length > 0) {
    faults.push(fault('document_differs', `its document has another ${differing.join(', ')}`));
  }
  if (isOld) {
    const message = 'its content was analysed by an earlier version';
    faults.push({ ...fault('analysis_outdated', message), isOutdated: true });
  } else if (terms !== (await analyseInTurns(memory.content, saidAt(memory)))) {
    faults.push(fault('terms_differ', 'its terms are not those of its content'));
  }
  const vector = document.vectors.find(({ model }) => model === own.model);
  if (!vector) faults.push(fault('vector_missing', `it has no vector of ${own.model}`));
  else if (!isWhole(vector, own)) {
    const message = `its vector has ${vector.bytes} numbers for ${own.dimensions} dimensions`;
    faults.push(fault('vector_malformed', message));
  }
  return faults;
}

function differingFacts(memory: MemoryRecord, stored: SteadyFacts): string[] {
  const { salience: _, salienceAt: __, ...facts } = factsOf(memory);
  const names = Object.keys(facts) as (keyof SteadyFacts)[];
  return names.filter((name) => !isDeepStrictEqual(facts[name], stored[name]));
}

const strayRows = 1_000;

/** Each document has its memory. */
export const strayCheck: Check = {
  name: 'strays',
  expectedRows: held,
  async read({ actor: { accountId } }, tx, after) {
    const ids = await liveDocumentIds(tx, accountId, 'memory', after, strayRows);
    const present = await unerasedIds(tx, accountId, ids);
    const message = 'there is no such memory';
    return {
      rows: ids.length,
      next: ids.length < strayRows ? null : (ids.at(-1) ?? null),
      judge: () =>
        ids.filter((id) => !present.has(id)).map((id) => ({ code: 'document_stray', id, message })),
    };
  },
  repair: (ctx, faults) => buryStrays(ctx, faultyIds(faults)),
};

/** The counter that the plan's cap is held by. Counted in one statement: it must be exact. */
export const memoryCounterCheck: Check = oneStep('memories', async ({ actor }, tx) =>
  counterFault(
    'memories',
    await countedOf(tx, actor.accountId, 'memories'),
    await countMemories(tx, actor.accountId),
  ),
);
