import type { EventType, Relationship } from '@mneme/contract';
import type { TxCtx } from '../ctx.ts';
import type { MemoryEnd } from '../memories/index.ts';
import type { RelationshipRecord } from './model.ts';

/** The memories at both ends. */
export interface Ends {
  readonly source: MemoryEnd;
  readonly target: MemoryEnd;
}

/** The ends out of those that were read; undefined where one is gone. */
export function endsOf(
  { source_id, target_id }: Pick<RelationshipRecord, 'source_id' | 'target_id'>,
  known: ReadonlyMap<string, MemoryEnd>,
): Ends | undefined {
  const [source, target] = [known.get(source_id), known.get(target_id)];
  return source && target ? { source, target } : undefined;
}

type RelationshipEvent = Extract<EventType, `relationship.${string}`>;

/** An event of the source's space; of two spaces, only for who may see both. */
function tell(
  { journal, actor }: TxCtx,
  { source, target }: Ends,
  type: RelationshipEvent,
  rest: { data: Record<string, unknown>; previousData?: Relationship; changes?: string[] },
): void {
  const [spaceId, other] = [source.space_id, target.space_id];
  journal.event({
    accountId: actor.accountId,
    type,
    spaceId,
    ...(other === spaceId ? {} : { secondSpaceId: other }),
    ...rest,
  });
}

export const tellCreated = (inTx: TxCtx, ends: Ends, data: Relationship): void =>
  tell(inTx, ends, 'relationship.created', { data });

export const tellUpdated = (
  inTx: TxCtx,
  ends: Ends,
  { before, after, changes }: { before: Relationship; after: Relationship; changes: string[] },
): void => tell(inTx, ends, 'relationship.updated', { data: after, previousData: before, changes });

export function tellDeleted(inTx: TxCtx, ends: Ends, record: RelationshipRecord): void {
  const { id, source_id, target_id, type } = record;
  const data = { id, source_id, target_id, relationship_type: type, type };
  tell(inTx, ends, 'relationship.deleted', { data });
}
