import { lastEventPosition } from '../../events/outbox.ts';
import {
  type ConsistencyCheck,
  createSingleStepCheck,
  type Inconsistency,
} from '../consistency-check.ts';
import { withTransaction } from '../ctx.ts';
import { hasSeveralPassages, passageRangesOf } from './analysis.ts';
import { passageVectorCount } from './passage-vectors.ts';
import { findNonEmptyTombstones, readIndexProgress, type VectorInfo } from './store/checks.ts';
import { removeDocuments } from './write.ts';

export {
  type AttributesWithoutSalience,
  liveDocumentIds,
  readDocuments,
  type StoredDocument,
} from './store/checks.ts';

/** Whether a vector is of this model and complete. */
export const isCompleteVector = (
  { model, dimensions, bytes }: VectorInfo,
  own: { readonly model: string; readonly dimensions: number },
): boolean => model === own.model && dimensions === own.dimensions && bytes === own.dimensions;

/** Whether it has a vector for each passage of its document, or none yet. */
export function hasFittingPassages(
  { dimensions, passage_bytes: bytes }: VectorInfo,
  terms: string,
): boolean {
  if (bytes === null) return true;
  const passages = hasSeveralPassages(terms) ? passageRangesOf(terms).length : 0;
  return bytes === passageVectorCount(passages) * dimensions && passages > 0;
}

/** A position beyond the account's own is invisible to processes that have caught up already. */
export const positionCheck: ConsistencyCheck = createSingleStepCheck(
  'positions',
  async ({ actor }, tx) => {
    const progress = await readIndexProgress(tx, actor.accountId);
    if (progress === null) return []; // reported by the check of the accounts
    const { position, index_position, compaction_cursor, last_document } = progress;
    const lastEvent = await lastEventPosition(tx, actor.accountId);
    const ahead = (name: string, at: number, of: string, limit: number): Inconsistency[] =>
      at <= limit
        ? []
        : [
            {
              code: 'position_ahead',
              id: null,
              message: `${name} ${at} is greater than ${of} ${limit}`,
            },
          ];
    return [
      ...ahead('the last event', lastEvent, 'the position', position),
      ...ahead('the last document', last_document, 'index_position', index_position),
      ...ahead('index_position', index_position, 'the position', position),
      ...ahead('compaction_cursor', compaction_cursor, 'index_position', index_position),
    ];
  },
);

const batchRows = 1_000;

/** Tombstones are empty: erased content is gone. */
export const tombstoneCheck: ConsistencyCheck = {
  name: 'tombstones',
  async read({ actor }, tx, after) {
    const ids = await findNonEmptyTombstones(tx, actor.accountId, after, batchRows);
    const message = 'the tombstone has terms or vectors';
    return {
      rows: ids.length,
      next: ids.length < batchRows ? null : (ids.at(-1) ?? null),
      compare: () => ids.map((id) => ({ code: 'tombstone_not_empty', id, message })),
    };
  },
  repair: async (ctx, inconsistencies) => {
    const ids = inconsistencies.flatMap(({ id }) => id ?? []);
    await withTransaction(ctx, async (inTx) => removeDocuments(inTx, ids));
    return new Set(ids);
  },
};
