import { type BulkAction, type Memory, tags as tagsSchema } from '@mneme/contract';
import { validate } from '../../../kernel/validate.ts';
import {
  type MemoryRecord,
  requireActiveMemory,
  requireUnprotected,
  salienceAt,
  uniqueTags,
} from '../model.ts';

/** The fields that an action may change. */
const fieldsOf = {
  tag: ['tags'],
  move: ['space_id'],
  pin: ['is_pinned'],
  unpin: ['is_pinned'],
  protect: ['protection_level', 'expires_at'],
  delete: ['deleted_at'],
  restore: ['deleted_at'],
} as const satisfies Record<BulkAction['type'], readonly (keyof MemoryRecord)[]>;

/** The field whose value decides whether somebody has changed the memory since. */
const decisiveField = (type: BulkAction['type']): keyof MemoryRecord => fieldsOf[type][0];

/** Deleted memories are restored; all others change active ones. */
export const changesDeleted = ({ type }: BulkAction): boolean => type === 'restore';

export const eventOf = {
  tag: 'memory.updated',
  move: 'memory.updated',
  pin: 'memory.updated',
  unpin: 'memory.updated',
  protect: 'memory.updated',
  delete: 'memory.deleted',
  restore: 'memory.restored',
} as const satisfies Record<BulkAction['type'], string>;

/** The action that an undo has the effect of. */
export const inverseOf = (type: BulkAction['type']): BulkAction['type'] =>
  type === 'delete' ? 'restore' : type === 'restore' ? 'delete' : type;

export const bulkEventOf = (type: BulkAction['type']) =>
  type === 'tag'
    ? 'memory.bulk_tags_updated'
    : type === 'delete'
      ? 'memory.bulk_deleted'
      : 'memory.bulk_updated';

/**
 * Returns the same record if nothing changes. Throws memory_protected, confirmation_required,
 * conflict, and validation_error for too many tags.
 */
export function applyAction(
  before: MemoryRecord,
  action: BulkAction,
  { confirmed, now }: { readonly confirmed: boolean; readonly now: Date },
): MemoryRecord {
  const { type } = action;
  if (type === 'restore')
    return before.deleted_at === null ? before : { ...before, deleted_at: null };
  requireActiveMemory(before);
  if (type === 'protect') return withProtection(before, action.protection_level ?? 'none');
  requireUnprotected(before, confirmed);
  switch (type) {
    case 'tag':
      return withTags(before, action);
    case 'move': {
      const space_id = action.space_id ?? null;
      return before.space_id === space_id ? before : { ...before, space_id };
    }
    case 'pin':
    case 'unpin':
      return withPin(before, type === 'pin', now);
    case 'delete':
      return { ...before, deleted_at: now };
  }
}

function withTags(before: MemoryRecord, { add = [], remove = [] }: BulkAction): MemoryRecord {
  const removed = new Set(remove);
  const remaining = before.tags.filter((tag) => !removed.has(tag));
  const tags = validate(tagsSchema, uniqueTags([...remaining, ...add]), 'tags');
  return isSame(tags, before.tags) ? before : { ...before, tags };
}

function withProtection(before: MemoryRecord, level: Memory['protection_level']): MemoryRecord {
  if (before.protection_level === level) return before;
  const expires_at = level === 'hard' ? null : before.expires_at;
  return { ...before, protection_level: level, expires_at };
}

function withPin(before: MemoryRecord, is_pinned: boolean, now: Date): MemoryRecord {
  if (before.is_pinned === is_pinned) return before;
  const salience = salienceAt(before, now);
  return { ...before, is_pinned, salience, salience_at: salience === null ? null : now };
}

type Fields = Readonly<Record<string, unknown>>;

/** The fields of an action as JSON, which a change stores to be undone. */
export const fieldsAsJson = (record: MemoryRecord, type: BulkAction['type']): Fields =>
  JSON.parse(
    JSON.stringify(Object.fromEntries(fieldsOf[type].map((field) => [field, record[field]]))),
  );

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const times: ReadonlySet<string> = new Set(['deleted_at', 'expires_at']);

/**
 * The memory as it was before an action; null: the field was changed since.
 * @param item the stored fields
 */
export function undoAction(
  record: MemoryRecord,
  type: BulkAction['type'],
  item: { readonly before: Fields; readonly after: Fields },
  now: Date,
): MemoryRecord | null {
  const field = decisiveField(type);
  if (!isSame(fieldsAsJson(record, type)[field], item.after[field])) return null;
  if (field === 'is_pinned') return withPin(record, item.before.is_pinned === true, now);
  const former = Object.entries(item.before).map(([name, value]) => [
    name,
    times.has(name) && typeof value === 'string' ? new Date(value) : value,
  ]);
  return { ...record, ...(Object.fromEntries(former) as Partial<MemoryRecord>) };
}
