/** Fields that can contain the records of a page; the first one present is used. */
const recordFields = ['data', 'memories', 'entities', 'entries', 'facts', 'relationships'] as const;
type RecordField = (typeof recordFields)[number];

/** How a page refers to the next one. */
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
export type Page = (CursorPage | OffsetPage | CountedPage) & {
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

interface PagePosition {
  readonly cursor?: string;
  readonly offset?: number;
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
    // Offset first: a page can have both, and the caller may have started at an offset.
    if ('pagination' in page) {
      if (!page.pagination.has_more || records.length === 0) return;
      position = { offset: page.pagination.offset + records.length };
    } else if ('next_cursor' in page) {
      if (!page.has_more || page.next_cursor === null) return;
      if (page.next_cursor === position.cursor)
        throw new Error('The list returned the same cursor twice.');
      position = { cursor: page.next_cursor };
    } else {
      if (end >= page.total || records.length === 0) return;
      position = { offset: end };
    }
  }
}

const recordsOf = (page: Page): readonly unknown[] => {
  const field = recordFields.find((name) => Array.isArray(page[name]));
  return (field && page[field]) ?? [];
};
