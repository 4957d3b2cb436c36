import { z } from 'zod';
import { aliasOf } from './aliases.ts';
import { pagination } from './fields.ts';

/** What a list is, in addition to its published fields. */
export interface ListTraits {
  /** The published fields with the records, in the order of `data`. */
  readonly records: readonly string[];
  /**
   * How the next page is requested: `cursor`, `offset`, or by both; `all`: there is only one page,
   * with all records; `best`: there is only one page, with the first `limit` records.
   */
  readonly paging: 'cursor' | 'offset' | 'cursor or offset' | 'all' | 'best';
  /** Each page is a search of its own, so that clients do not read all pages by themselves. */
  readonly isRanked?: boolean;
}

const traitsBySchema = new WeakMap<z.core.$ZodType, ListTraits>();

/** The traits of a response that `listEnvelope` made; undefined for every other response. */
export const listTraitsOf = (response: z.ZodType | null | undefined): ListTraits | undefined =>
  response ? traitsBySchema.get(response) : undefined;

/** Whether clients read further pages of the list by themselves. */
export const hasFollowingPages = ({ paging, isRanked }: ListTraits): boolean =>
  isRanked !== true && paging !== 'all' && paging !== 'best';

const limit = z.int().meta({ description: 'The maximum number of records in a page.' });
const nextCursor = z.string().nullable().meta({
  description:
    'The `cursor` of the next page. A list that grows at its end has one after its last page, too.',
});
const noCursor = z.null().meta({ description: 'The next page is at `offset` + `limit`.' });

const cursorPagination = z
  .object({
    limit,
    total: z.null(),
    offset: z.null(),
    has_more: z.boolean(),
    next_cursor: nextCursor,
  })
  .meta({ id: 'CursorPagination', description: 'The number of records is not counted.' });
export const offsetPagination = pagination
  .extend({ next_cursor: noCursor })
  .meta({ id: 'OffsetPagination' });
const onePagePagination = z
  .object({
    limit: z.int().nullable().meta({ description: 'null: the list has no page size.' }),
    total: z.int().nullable().meta({ description: 'null: not counted.' }),
    offset: z.null(),
    has_more: z.literal(false),
    next_cursor: z.null(),
  })
  .meta({ id: 'OnePagePagination', description: 'There are no further pages to request.' });

/** Published fields of pages, by the path of their canonical name. */
const pageAliases: Readonly<Record<string, string>> = {
  total: 'pagination.total',
  limit: 'pagination.limit',
  offset: 'pagination.offset',
  has_more: 'pagination.has_more',
  next_cursor: 'pagination.next_cursor',
};

/**
 * The response of a list: its published fields, and `data` and `pagination` if it lacks them. The
 * server adds these, so the type is the one of handlers, which return the published fields only.
 */
export function listEnvelope<T extends z.ZodObject>(schema: T, traits: ListTraits): T {
  const shape: Record<string, z.core.$ZodType> = {};
  for (const [name, field] of Object.entries(schema.shape)) {
    const isRecords = traits.records.length === 1 && traits.records.includes(name);
    const canonical = isRecords ? 'data' : pageAliases[name];
    shape[name] = canonical === undefined || canonical === name ? field : aliasOf(canonical, field);
  }
  shape.data = schema.shape.data ?? z.array(recordOf(schema, traits));
  shape.pagination = paginationSchema(schema.shape.pagination as z.ZodObject | undefined, traits);
  const envelope = schema.clone({ ...schema._zod.def, shape } as never) as T;
  const meta = z.globalRegistry.get(schema);
  const named = meta ? envelope.meta(meta) : envelope;
  traitsBySchema.set(named, traits);
  return named;
}

function recordOf(schema: z.ZodObject, { records: [first = ''] }: ListTraits): z.core.$ZodType {
  let field = schema.shape[first] as z.core.$ZodTypes | undefined;
  while (field?._zod.def.type === 'optional') field = field._zod.def.innerType as z.core.$ZodTypes;
  if (field?._zod.def.type !== 'array') throw new Error(`${first} is no list of the response`);
  return field._zod.def.element;
}

function paginationSchema(published: z.ZodObject | undefined, { paging }: ListTraits): z.ZodObject {
  const isOffset = paging === 'offset';
  if (published === pagination || (published === undefined && isOffset)) {
    return isOffset ? offsetPagination : pagination.extend({ next_cursor: nextCursor });
  }
  if (published === offsetPagination) return offsetPagination;
  if (published) return published.extend({ next_cursor: isOffset ? noCursor : nextCursor });
  return paging === 'cursor' ? cursorPagination : onePagePagination;
}

/** Where a page of a list is, and where the next one is. */
export interface Pagination {
  readonly limit: number | null;
  /** The number of records of all pages; null if it is not counted. */
  readonly total: number | null;
  /** null if the pages have cursors only, or if there is only one. */
  readonly offset: number | null;
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

type PublishedPage = Partial<Pagination> & {
  readonly pagination?: Partial<Pagination>;
  readonly [field: string]: unknown;
};

/** The published page of a list with `data` and `pagination`. `sent` is the validated query. */
export function addListEnvelope(traits: ListTraits, body: object, sent: unknown): object {
  const page = body as PublishedPage;
  const lists = traits.records.flatMap((name) => (Array.isArray(page[name]) ? [page[name]] : []));
  const data: unknown[] = lists.length === 1 ? (lists[0] as unknown[]) : lists.flat();
  return {
    ...page,
    data,
    pagination: { ...page.pagination, ...toPagination(traits, page, data, sent) },
  };
}

function toPagination(
  { paging }: ListTraits,
  page: PublishedPage,
  data: readonly unknown[],
  sent: unknown,
): Pagination {
  const published = { ...(Object(sent) as Partial<Pagination>), ...page, ...page.pagination };
  const { limit = null, total = paging === 'all' ? data.length : null } = published;
  const isOffset = paging === 'offset' || paging === 'cursor or offset';
  const offset = isOffset ? (published.offset ?? 0) : null;
  const isFollowed = offset !== null && total !== null && offset + data.length < total;
  return {
    limit,
    total,
    offset,
    has_more: published.has_more ?? isFollowed,
    next_cursor: published.next_cursor ?? null,
  };
}

/** A page of a list by offset, with `data` and `pagination` as published. */
export const offsetPage = <T extends z.ZodType>(record: T) =>
  listEnvelope(z.object({ data: z.array(record), pagination }), {
    records: ['data'],
    paging: 'offset',
  });

/** A page of a list by cursor. */
export const cursorPage = <T extends z.ZodType>(record: T) =>
  listEnvelope(
    z.object({
      data: z.array(record),
      has_more: z.boolean(),
      next_cursor: z.string().nullable(),
    }),
    { records: ['data'], paging: 'cursor' },
  );
