import type { EventType, Relationship } from '@mneme/contract';
import { sharedOwner } from '../../events/shared-owner.ts';
import type { TxCtx } from '../ctx.ts';
import type { LinkTarget } from '../memories/index.ts';
import type { RelationshipRecord } from './model.ts';

/** The two memories of a relationship. */
export interface LinkedMemories {
  readonly source: LinkTarget;
  readonly target: LinkTarget;
}

/** Looks up both memories; undefined if one does not exist. */
export function findLinkedMemories(
  { source_id, target_id }: Pick<RelationshipRecord, 'source_id' | 'target_id'>,
  targetsById: ReadonlyMap<string, LinkTarget>,
): LinkedMemories | undefined {
  const [source, target] = [targetsById.get(source_id), targetsById.get(target_id)];
  return source && target ? { source, target } : undefined;
}

type RelationshipEvent = Extract<EventType, `relationship.${string}`>;
type PublishCtx = Pick<TxCtx, 'journal' | 'actor'>;

/** Publishes in the source's space; with two spaces, only to listeners with access to both. */
function publish(
  { journal, actor }: PublishCtx,
  { source, target }: LinkedMemories,
  type: RelationshipEvent | 'memory.superseded',
  rest: { data: Record<string, unknown>; previousData?: Relationship; changes?: string[] },
): void {
  const [spaceId, targetSpaceId] = [source.space_id, target.space_id];
  journal.addEvent({
    accountId: actor.accountId,
    type,
    spaceId,
    owner: sharedOwner([source, target]),
    ...(targetSpaceId === spaceId ? {} : { secondSpaceId: targetSpaceId }),
    ...rest,
  });
}

/** In the space of the older memory, which is the target. */
export const publishSuperseded = (inTx: PublishCtx, { source, target }: LinkedMemories): void =>
  publish(inTx, { source: target, target: source }, 'memory.superseded', {
    data: { id: target.id, superseded_by: source.id },
  });

export const publishRelationshipCreated = (
  inTx: PublishCtx,
  memories: LinkedMemories,
  data: Relationship,
): void => publish(inTx, memories, 'relationship.created', { data });

export const publishRelationshipUpdated = (
  inTx: TxCtx,
  memories: LinkedMemories,
  { before, after, changes }: { before: Relationship; after: Relationship; changes: string[] },
): void =>
  publish(inTx, memories, 'relationship.updated', { data: after, previousData: before, changes });

export function publishRelationshipDeleted(
  inTx: TxCtx,
  memories: LinkedMemories,
  record: RelationshipRecord,
): void {
  const { id, source_id, target_id, type } = record;
  const data = { id, source_id, target_id, relationship_type: type, type };
  publish(inTx, memories, 'relationship.deleted', { data });
}
