import { type Page, paginate, type RecordOf } from '@mneme/sdk';

type PageQuery = Parameters<Parameters<typeof paginate>[0]>[0] & { readonly limit: number };

/** Reads all records of a list in pages of 100. */
export async function readAllPages<P extends Page>(
  read: (query: PageQuery) => Promise<P>,
): Promise<readonly RecordOf<P>[]> {
  const all: RecordOf<P>[] = [];
  for await (const record of paginate((position) => read({ ...position, limit: 100 }))) {
    all.push(record);
  }
  return all;
}
