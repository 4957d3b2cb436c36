import { createHash } from 'node:crypto';
import { type MemoryItem, type Owner, type SkippedItem, skipped } from '../items.ts';
import { isObject, type Json, toDate, toId, toText } from '../json-value.ts';

/** What a field of a memory is called in files of others, the first that a row has. */
const fieldNames = {
  id: ['id', 'uuid', '_id', 'key', 'source_id'],
  content: ['content', 'text', 'memory', 'note', 'body', 'message', 'value'],
  title: ['title', 'name', 'subject'],
  tags: ['tags', 'labels', 'categories', 'keywords'],
  created_at: ['created_at', 'created', 'timestamp', 'date', 'time'],
  updated_at: ['updated_at', 'updated', 'modified_at', 'modified'],
  occurred_at: ['occurred_at'],
  expires_at: ['expires_at', 'expiration_date'],
  priority: ['priority'],
  user_id: ['user_id', 'user'],
  agent_id: ['agent_id', 'agent'],
  run_id: ['run_id'],
  metadata: ['metadata'],
} as const;

type Field = keyof typeof fieldNames;
export const rowFields = Object.keys(fieldNames) as Field[];
export const isRowField = (name: string): name is Field => Object.hasOwn(fieldNames, name);

/** `createdAt` and `Created at` are `created_at`. */
const normalize = (name: string): string =>
  name
    .trim()
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[\s-]+/g, '_')
    .toLowerCase();

export type Columns = Partial<Record<Field, string>>;

/** The column of each field, by the names of the columns and what the user says. */
export function findColumns(
  names: readonly string[],
  map: Readonly<Record<string, string>>,
): Columns {
  const byName = new Map<string, string>();
  for (const name of names) if (!byName.has(normalize(name))) byName.set(normalize(name), name);
  const mapped = new Set(Object.values(map));
  const columns: Columns = {};
  for (const field of rowFields) {
    const known = fieldNames[field]
      .map((name) => byName.get(name))
      .find((name) => name !== undefined && !mapped.has(name));
    const column = map[field] ?? known;
    if (column !== undefined) columns[field] = column;
  }
  return columns;
}

interface RowPlace {
  readonly place: string;
  readonly modifiedAt: Date;
  readonly format: 'text' | 'markdown';
}

/** A row as a memory. What is no field of one becomes metadata. */
export function readRow(
  row: Json,
  columns: Columns,
  { place, modifiedAt, format }: RowPlace,
): MemoryItem | SkippedItem {
  const used = new Set<string>();
  const read = <T>(field: Field, convert: (value: unknown) => T | null): T | null => {
    const column = columns[field];
    if (column === undefined || !Object.hasOwn(row, column)) return null;
    const value = convert(row[column]);
    // A value that is not understood stays visible, in the metadata.
    if (value !== null) used.add(column);
    return value;
  };
  const content = read('content', toText);
  if (content === null) return skipped('content_missing', place);
  const owner: Owner = {
    ...ownerOf('user_id', read('user_id', toOwner)),
    ...ownerOf('agent_id', read('agent_id', toOwner)),
    ...ownerOf('run_id', read('run_id', toOwner)),
  };
  const createdAt = read('created_at', toDate);
  const id = read('id', toId) ?? hashRow(content, owner);
  const expiresAt = read('expires_at', toDate);
  const priority = read('priority', toPriority);
  const title = read('title', toText);
  const nested = read('metadata', toMetadata) ?? {};
  const occurredAt = read('occurred_at', toDate) ?? createdAt;
  const updatedAt = read('updated_at', toDate) ?? modifiedAt;
  const tags = read('tags', toTags) ?? [];
  const rest = Object.entries(row).filter(
    ([name, value]) => !used.has(name) && value !== '' && value !== null,
  );
  return {
    type: 'memory',
    id,
    content,
    contentType: format,
    occurredAt,
    createdAt,
    updatedAt,
    ...(expiresAt === null ? {} : { expiresAt }),
    ...(priority === null ? {} : { priority }),
    tags,
    metadata: { ...(title === null ? {} : { title }), ...nested, ...Object.fromEntries(rest) },
    owner,
    place,
  };
}

/** Rows without an id are known by their content. */
const hashRow = (content: string, owner: Owner): string =>
  createHash('sha256')
    .update(JSON.stringify([content, owner]))
    .digest('hex');

const ownerOf = (field: keyof Owner, value: string | null): Owner =>
  value === null ? {} : { [field]: value };

/** The form of an owner in the API; other names stay in the metadata. */
export const toOwner = (value: unknown): string | null => {
  const text = toId(value)?.trim() ?? null;
  return text !== null && /^[\w.:@/-]{1,128}$/.test(text) ? text : null;
};

function toPriority(value: unknown): number | null {
  const number = value === '' || value === null ? Number.NaN : Number(value);
  return Number.isInteger(number) && number >= 0 && number <= 10 ? number : null;
}

/** A list, a JSON list as text, or names with commas or semicolons. */
export function toTags(value: unknown): string[] | null {
  if (typeof value === 'string') {
    const list = value.trim().startsWith('[') ? parseJson(value) : null;
    return Array.isArray(list) ? toTags(list) : toTags(value.split(/[,;]/));
  }
  if (!Array.isArray(value)) return null;
  return value.flatMap((one) => toId(one)?.trim() ?? []);
}

function toMetadata(value: unknown): Json | null {
  if (isObject(value)) return value;
  const parsed = typeof value === 'string' ? parseJson(value) : null;
  return isObject(parsed) ? parsed : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Text that only looks like JSON.
    return null;
  }
}
