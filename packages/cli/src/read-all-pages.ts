import { type Page, type PageRecord, paginate } from '@mneme/sdk';

type PageQuery = Parameters<Parameters<typeof paginate>[0]>[0] & { readonly limit: number };

/** Reads all records of a list in pages of 100. */
export async function readAllPages<P extends Page>(
  read: (query: PageQuery) => Promise<P>,
): Promise<readonly PageRecord<P>[]> {
  const all: PageRecord<P>[] = [];
  for await (const record of paginate((position) => read({ ...position, limit: 100 }))) {
    all.push(record);
  }
  return all;
}
