/**
 * The call of a list: a promise of the first page, and an iterable over the records of this and all
 * following pages, which are read on demand.
 */
export interface ListCall<Result, Item> extends Promise<Result>, AsyncIterable<Item> {}

/** Adds the iteration over all records to the promise of the first page. */
export const createListCall = <Result, Item>(
  firstPage: Promise<Result>,
  iterate: (firstPage: Promise<Result>) => AsyncIterator<Item>,
): ListCall<Result, Item> =>
  Object.assign(firstPage, { [Symbol.asyncIterator]: () => iterate(firstPage) });
