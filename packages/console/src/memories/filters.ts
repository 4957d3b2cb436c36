import type { MemoriesListInput } from '@mneme/sdk';

type ListQuery = NonNullable<MemoriesListInput['query']>;

/** The filters of the list, as they are in the address of the page. */
export interface MemoryFilters {
  /** The id of a space, or `default` for memories without one. */
  readonly space?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly type?: ContentType | undefined;
  readonly age?: Age | undefined;
  readonly priority?: number | undefined;
  readonly pinned?: boolean | undefined;
  readonly deleted?: boolean | undefined;
  readonly sort?: Sort | undefined;
  /** The memory that is open. */
  readonly id?: string | undefined;
}

export const contentTypes = ['text', 'markdown', 'url', 'audio', 'image', 'video'] as const;
export type ContentType = (typeof contentTypes)[number];

export const contentTypeName = (type: ContentType): string =>
  `${type.charAt(0).toUpperCase()}${type.slice(1)}`;

const ages = { day: 1, week: 7, month: 30, year: 365 } as const;
export type Age = keyof typeof ages;
export const ageNames: Readonly<Record<Age, string>> = {
  day: 'Last 24 hours',
  week: 'Last 7 days',
  month: 'Last 30 days',
  year: 'Last year',
};

/** Choices of the least priority. */
export const leastPriorities = [3, 5, 7, 9] as const;

export const sorts = ['created_at', 'updated_at', 'occurred_at', 'priority', 'salience'] as const;
export type Sort = (typeof sorts)[number];

const oneOf = <T extends string>(values: readonly T[], value: unknown): T | undefined =>
  values.find((item) => item === value);

/** The filters that a search has in common with the list. */
export function readCommonFilters(query: Readonly<Record<string, unknown>>) {
  const priority = Number(query.priority);
  return {
    type: oneOf(contentTypes, query.type),
    age: oneOf(Object.keys(ages) as Age[], query.age),
    priority: priority >= 1 && priority <= 10 ? Math.floor(priority) : undefined,
  };
}
const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Reads the query of the address; what is not valid is left out. */
export function readFilters(query: Readonly<Record<string, unknown>>): MemoryFilters {
  const tags = Array.isArray(query.tags) ? query.tags.filter((tag) => text(tag)) : [];
  return withoutUndefined({
    space: text(query.space),
    tags: tags.length > 0 ? (tags as string[]) : undefined,
    ...readCommonFilters(query),
    pinned: query.pinned === true || undefined,
    deleted: query.deleted === true || undefined,
    sort: oneOf(sorts, query.sort),
    id: text(query.id),
  });
}

const withoutUndefined = <T extends object>(record: T): T =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;

const dayMs = 86_400_000;

export const createdAfter = (age: Age | undefined, nowMs: number): string | undefined =>
  age && new Date(nowMs - ages[age] * dayMs).toISOString();

/** The query of GET /memories. */
export function toListQuery(filters: MemoryFilters, nowMs: number): ListQuery {
  const { space, tags, type, age, priority, pinned, deleted, sort } = filters;
  return withoutUndefined({
    space_id: space,
    tags: tags && [...tags],
    content_type: type,
    created_after: createdAfter(age, nowMs),
    min_priority: priority,
    is_pinned: pinned,
    include_deleted: deleted,
    sort,
    limit: 100,
  });
}

/** The query of GET /memories/facets. */
export function toFacetsQuery(filters: MemoryFilters, nowMs: number) {
  const { sort: _sort, limit: _limit, ...query } = toListQuery(filters, nowMs);
  return query;
}

/** The filter of POST /bulk-changes. */
export function toChangeFilter(filters: MemoryFilters, nowMs: number) {
  const { include_deleted: _deleted, ...filter } = toFacetsQuery(filters, nowMs);
  return filter;
}

/** How many filters are set, besides the order. */
export const countFilters = ({ id: _id, sort: _sort, ...filters }: MemoryFilters): number =>
  Object.values(filters).filter((value) => value !== undefined).length;
