/** Fields that can contain the records of a page: `data`, and those of earlier services. */
const recordFields = ['data', 'memories', 'entities', 'entries', 'facts', 'relationships'] as const;
type RecordField = (typeof recordFields)[number];

/** How a page refers to the next one. */
interface EnvelopePage {
  readonly pagination: {
    readonly limit: number | null;
    readonly offset: number | null;
    readonly has_more: boolean;
    readonly next_cursor: string | null;
  };
}
/** Pages of earlier services, and of functions of your own. */
interface CursorPage {
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}
interface OffsetPage {
  readonly pagination: { readonly offset: number; readonly has_more: boolean };
}
interface CountedPage {
  readonly total: number;
}

/** A page with records in one of `recordFields`. */
export type Page = (EnvelopePage | CursorPage | OffsetPage | CountedPage) & {
  readonly [field in RecordField]?: readonly unknown[];
};

type FirstRecordField<P, Fields extends readonly string[]> = Fields extends readonly [
  infer Field extends string,
  ...infer Others extends readonly string[],
]
  ? P extends { readonly [field in Field]: readonly (infer T)[] }
    ? T
    : FirstRecordField<P, Others>
  : never;

/** One record of a page. */
export type PageRecord<P> = FirstRecordField<P, typeof recordFields>;

/** With a cursor, an offset that the first page had is undefined. */
interface PagePosition {
  readonly cursor?: string;
  readonly offset?: number | undefined;
}

/**
 * Iterates over every record of a paginated list, and reads pages on demand. Throws what `read`
 * throws, and an Error if a page returns its own cursor as the next one.
 *
 * @param start the offset of the first page, for lists that return only a `total`
 *
 * ```ts
 * const read = (position) => mneme.memories.list({ query: { ...position } });
 * for await (const memory of paginate(read)) …
 * ```
 */
export async function* paginate<P extends Page>(
  read: (position: PagePosition) => Promise<P>,
  start = 0,
): AsyncGenerator<PageRecord<P>, void> {
  let position: PagePosition = {};
  let end = start;
  for (;;) {
    const page = await read(position);
    const records = recordsOf(page);
    yield* records as readonly PageRecord<P>[];
    end += records.length;
    const next = isEnvelope(page)
      ? positionAfter(page, records.length)
      : positionAfterEarlierPage(page, records.length, end);
    if (next === null) return;
    if (next.cursor !== undefined && next.cursor === position.cursor)
      throw new Error('The list returned the same cursor twice.');
    position = next;
  }
}

const isEnvelope = (page: Page): page is Page & EnvelopePage =>
  'pagination' in page && 'next_cursor' in page.pagination;

function positionAfter({ pagination }: EnvelopePage, count: number): PagePosition | null {
  const { has_more, next_cursor, offset, limit } = pagination;
  if (!has_more) return null;
  if (next_cursor !== null) return { cursor: next_cursor, offset: undefined };
  return offset === null || count === 0 ? null : { offset: offset + (limit ?? count) };
}

function positionAfterEarlierPage(
  page: CursorPage | OffsetPage | CountedPage,
  count: number,
  end: number,
): PagePosition | null {
  // Offset first: a page can have both, and the caller may have started at an offset.
  if ('pagination' in page) {
    const { offset, has_more } = page.pagination;
    return has_more && count > 0 ? { offset: offset + count } : null;
  }
  if ('next_cursor' in page) {
    return page.has_more && page.next_cursor !== null ? { cursor: page.next_cursor } : null;
  }
  return end < page.total && count > 0 ? { offset: end } : null;
}

const recordsOf = (page: Page): readonly unknown[] => {
  const field = recordFields.find((name) => Array.isArray(page[name]));
  return (field && page[field]) ?? [];
};
