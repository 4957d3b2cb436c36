import { lastEventPosition } from '../../events/outbox.ts';
import {
  type ConsistencyCheck,
  createSingleStepCheck,
  type Inconsistency,
} from '../consistency-check.ts';
import { withTransaction } from '../ctx.ts';
import { findNonEmptyTombstones, readIndexProgress, type VectorInfo } from './store/checks.ts';
import { removeDocuments } from './write.ts';

export {
  type FactsWithoutSalience,
  liveDocumentIds,
  readDocuments,
  type StoredDocument,
} from './store/checks.ts';

/** Terms of before a text's dates and questions stood with them; they are searched without. */
export const isOutdatedAnalysis = (terms: string): boolean => !terms.startsWith('@');

/** Whether a vector is one of this model, and of its length. */
export const isCompleteVector = (
  { model, dimensions, bytes }: VectorInfo,
  own: { readonly model: string; readonly dimensions: number },
): boolean => model === own.model && dimensions === own.dimensions && bytes === own.dimensions;

/** What has a position beyond the account's own is found by nobody who came before. */
export const positionCheck: ConsistencyCheck = createSingleStepCheck(
  'positions',
  async ({ actor }, tx) => {
    const progress = await readIndexProgress(tx, actor.accountId);
    if (progress === null) return []; // which the accounts' own check tells
    const { position, indexed_to, compacted_to, last_document } = progress;
    const lastEvent = await lastEventPosition(tx, actor.accountId);
    const ahead = (what: string, at: number, of: string, limit: number): Inconsistency[] =>
      at <= limit
        ? []
        : [{ code: 'position_ahead', id: null, message: `${what} ${at} is past ${of} ${limit}` }];
    return [
      ...ahead('the last event', lastEvent, 'the position', position),
      ...ahead('the last document', last_document, 'indexed_to', indexed_to),
      ...ahead('indexed_to', indexed_to, 'the position', position),
      ...ahead('compacted_to', compacted_to, 'indexed_to', indexed_to),
    ];
  },
);

const batchRows = 1_000;

/** Tombstones are empty: what was erased is gone. */
export const tombstoneCheck: ConsistencyCheck = {
  name: 'tombstones',
  async read({ actor }, tx, after) {
    const ids = await findNonEmptyTombstones(tx, actor.accountId, after, batchRows);
    const message = 'its tombstone has terms or vectors';
    return {
      rows: ids.length,
      next: ids.length < batchRows ? null : (ids.at(-1) ?? null),
      compare: () => ids.map((id) => ({ code: 'tombstone_not_empty', id, message })),
    };
  },
  repair: async (ctx, faults) => {
    const ids = faults.flatMap(({ id }) => id ?? []);
    await withTransaction(ctx, async (inTx) => removeDocuments(inTx, ids));
    return new Set(ids);
  },
};
