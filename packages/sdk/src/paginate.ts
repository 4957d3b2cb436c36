interface CursorPage<T> {
  readonly data: readonly T[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

interface OffsetPage<T> {
  readonly data: readonly T[];
  readonly pagination: { readonly offset: number; readonly has_more: boolean };
}

interface Place {
  readonly cursor?: string;
  readonly offset?: number;
}

/**
 * Every record of a list, page after page as they are needed:
 *
 * ```ts
 * for await (const memory of paginate((place) => mneme.memories.list({ query: { ...place } }))) …
 * ```
 */
export async function* paginate<T>(
  read: (place: Place) => Promise<CursorPage<T> | OffsetPage<T>>,
): AsyncGenerator<T> {
  let place: Place = {};
  for (;;) {
    const page = await read(place);
    yield* page.data;
    if ('pagination' in page) {
      if (!page.pagination.has_more || page.data.length === 0) return;
      place = { offset: page.pagination.offset + page.data.length };
    } else {
      if (!page.has_more || page.next_cursor === null) return;
      place = { cursor: page.next_cursor };
    }
  }
}
