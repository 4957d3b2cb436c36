interface CursorPage<T> {
  readonly data: readonly T[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

interface OffsetPage<T> {
  readonly data: readonly T[];
  readonly pagination: { readonly offset: number; readonly has_more: boolean };
}

export type Page<T> = CursorPage<T> | OffsetPage<T>;

interface Place {
  readonly cursor?: string;
  readonly offset?: number;
}

/**
 * Every record of a list by cursor or offset, page after page as they are needed. Throws what
 * `read` throws, and an Error when a page names itself as the next one.
 *
 * ```ts
 * for await (const memory of paginate((place) => mneme.memories.list({ query: { ...place } }))) …
 * ```
 */
export async function* paginate<T>(
  read: (place: Place) => Promise<Page<T>>,
): AsyncGenerator<T, void> {
  let place: Place = {};
  for (;;) {
    const page = await read(place);
    yield* page.data;
    if ('pagination' in page) {
      if (!page.pagination.has_more || page.data.length === 0) return;
      place = { offset: page.pagination.offset + page.data.length };
    } else {
      if (!page.has_more || page.next_cursor === null) return;
      if (page.next_cursor === place.cursor) throw new Error('The list does not move on.');
      place = { cursor: page.next_cursor };
    }
  }
}
