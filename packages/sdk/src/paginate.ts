/** The field of a page that holds its records; the first that is there. */
const recordFields = ['data', 'memories', 'entities', 'entries', 'facts', 'relationships'] as const;
type RecordField = (typeof recordFields)[number];

/** What a page says of the next one. */
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

/** A page of records in one of the fields above. */
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

/** A record of a page. */
export type RecordOf<P> = FirstRecordField<P, typeof recordFields>;

interface PagePosition {
  readonly cursor?: string;
  readonly offset?: number;
}

/**
 * Every record of a list by cursor or offset, page after page as they are needed. Throws what
 * `read` throws, and an Error when a page names itself as the next one.
 *
 * @param start the offset of the first page, where pages have no more than a `total`
 *
 * ```ts
 * for await (const memory of paginate((place) => mneme.memories.list({ query: { ...place } }))) …
 * ```
 */
export async function* paginate<P extends Page>(
  read: (place: PagePosition) => Promise<P>,
  start = 0,
): AsyncGenerator<RecordOf<P>, void> {
  let place: PagePosition = {};
  let end = start;
  for (;;) {
    const page = await read(place);
    const records = recordsOf(page);
    yield* records as readonly RecordOf<P>[];
    end += records.length;
    // By offset first: a page may have both, and the caller may have begun at an offset.
    if ('pagination' in page) {
      if (!page.pagination.has_more || records.length === 0) return;
      place = { offset: page.pagination.offset + records.length };
    } else if ('next_cursor' in page) {
      if (!page.has_more || page.next_cursor === null) return;
      if (page.next_cursor === place.cursor) throw new Error('The list does not move on.');
      place = { cursor: page.next_cursor };
    } else {
      if (end >= page.total || records.length === 0) return;
      place = { offset: end };
    }
  }
}

const recordsOf = (page: Page): readonly unknown[] => {
  const field = recordFields.find((name) => Array.isArray(page[name]));
  return (field && page[field]) ?? [];
};
