import type { EventType, Memory, Owner } from '@mneme/contract';
import { sharedOwner } from '../../events/shared-owner.ts';
import type { TxCtx } from '../ctx.ts';
import { changedFields, type MemoryRecord, presentCurrentMemory } from './model.ts';
import { presentEventMemories } from './present.ts';

interface PublishedChange {
  readonly before: MemoryRecord;
  readonly after: MemoryRecord;
}

type PlacedMemory = Pick<MemoryRecord, 'id' | 'space_id' | keyof Owner>;

/** Publishes the events of changes, and memory.reinforced where the priority rose. */
export async function publishMemoryChanges(
  inTx: TxCtx,
  changes: readonly PublishedChange[],
  type: EventType,
): Promise<void> {
  const records = changes.map(({ after }) => after);
  if (type === 'memory.deleted') {
    publishDeletions(inTx, records, true);
    return;
  }
  const memories = await presentEventMemories(inTx, records);
  for (const [at, change] of changes.entries())
    publishMemoryChange(inTx, change, memories[at] as Memory, type);
}

function publishMemoryChange(
  { journal, actor, clock }: TxCtx,
  { before, after }: PublishedChange,
  data: Memory,
  type: EventType,
): void {
  const base = { accountId: actor.accountId, spaceId: after.space_id, owner: sharedOwner([after]) };
  if (type !== 'memory.updated') {
    journal.addEvent({ ...base, type, data });
    return;
  }
  const { outdated_by } = data;
  const previousData = { ...presentCurrentMemory(before, clock.now()), outdated_by };
  const changes = changedFields(before, after);
  const [from, to] = [before.space_id, after.space_id];
  if (from === to) journal.addEvent({ ...base, type, data, previousData, changes });
  else {
    // Complete only for listeners of both spaces; others learn nothing of the other space.
    const deletedData = { id: after.id, soft: false };
    const sourceSpaceEvent = { ...base, spaceId: from, hiddenFromSpaceId: to };
    journal.addEvent({ ...sourceSpaceEvent, type: 'memory.deleted', data: deletedData });
    journal.addEvent({ ...base, hiddenFromSpaceId: from, type: 'memory.created', data });
    journal.addEvent({ ...base, type, data, previousData, changes, secondSpaceId: from });
  }
  if (after.priority > before.priority) {
    const reinforced = { id: after.id, priority: after.priority };
    journal.addEvent({ ...base, type: 'memory.reinforced', data: reinforced });
  }
}

/** Publishes memory.deleted for erased memories. */
export const publishMemoriesDeleted = (inTx: TxCtx, removed: readonly PlacedMemory[]): void =>
  publishDeletions(inTx, removed, false);

function publishDeletions(
  { journal, actor: { accountId }, client }: TxCtx,
  removed: readonly PlacedMemory[],
  soft: boolean,
): void {
  const sentBy = client === undefined ? {} : { client };
  for (const memory of removed) {
    const base = { accountId, spaceId: memory.space_id, owner: sharedOwner([memory]) };
    journal.addEvent({ ...base, type: 'memory.deleted', data: { id: memory.id, soft, ...sentBy } });
  }
}

type BulkEvent =
  | 'memory.bulk_created'
  | 'memory.bulk_updated'
  | 'memory.bulk_deleted'
  | 'memory.bulk_tags_updated';

/** One event per space, so that listeners of a space do not learn ids of other spaces. */
export function publishBulkEvents(
  { journal, actor }: TxCtx,
  type: BulkEvent,
  records: readonly PlacedMemory[],
): void {
  for (const [spaceId, group] of Map.groupBy(records, (record) => record.space_id)) {
    const data = { ids: group.map(({ id }) => id), count: group.length };
    const base = { accountId: actor.accountId, spaceId, owner: sharedOwner(group) };
    journal.addEvent({ ...base, type, data });
  }
}
