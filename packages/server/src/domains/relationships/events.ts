import type { EventType, Relationship } from '@mneme/contract';
import type { TxCtx } from '../ctx.ts';
import type { LinkTarget } from '../memories/index.ts';
import type { RelationshipRecord } from './model.ts';

/** The memories at both ends. */
export interface LinkedMemories {
  readonly source: LinkTarget;
  readonly target: LinkTarget;
}

/** The ends out of those that were read; undefined where one is gone. */
export function findLinkedMemories(
  { source_id, target_id }: Pick<RelationshipRecord, 'source_id' | 'target_id'>,
  known: ReadonlyMap<string, LinkTarget>,
): LinkedMemories | undefined {
  const [source, target] = [known.get(source_id), known.get(target_id)];
  return source && target ? { source, target } : undefined;
}

type RelationshipEvent = Extract<EventType, `relationship.${string}`>;

/** An event of the source's space; of two spaces, only for who may see both. */
function publish(
  { journal, actor }: TxCtx,
  { source, target }: LinkedMemories,
  type: RelationshipEvent,
  rest: { data: Record<string, unknown>; previousData?: Relationship; changes?: string[] },
): void {
  const [spaceId, other] = [source.space_id, target.space_id];
  journal.addEvent({
    accountId: actor.accountId,
    type,
    spaceId,
    ...(other === spaceId ? {} : { secondSpaceId: other }),
    ...rest,
  });
}

export const publishRelationshipCreated = (
  inTx: TxCtx,
  ends: LinkedMemories,
  data: Relationship,
): void => publish(inTx, ends, 'relationship.created', { data });

export const publishRelationshipUpdated = (
  inTx: TxCtx,
  ends: LinkedMemories,
  { before, after, changes }: { before: Relationship; after: Relationship; changes: string[] },
): void =>
  publish(inTx, ends, 'relationship.updated', { data: after, previousData: before, changes });

export function publishRelationshipDeleted(
  inTx: TxCtx,
  ends: LinkedMemories,
  record: RelationshipRecord,
): void {
  const { id, source_id, target_id, type } = record;
  const data = { id, source_id, target_id, relationship_type: type, type };
  publish(inTx, ends, 'relationship.deleted', { data });
}
