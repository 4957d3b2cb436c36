import { type Page, paginate, type RecordOf } from '@mneme/sdk';

type PageQuery = Parameters<Parameters<typeof paginate>[0]>[0] & { readonly limit: number };

/** All records of a list, in few and large pages. */
export async function readAllPages<P extends Page>(
  read: (place: PageQuery) => Promise<P>,
): Promise<readonly RecordOf<P>[]> {
  const all: RecordOf<P>[] = [];
  for await (const record of paginate((place) => read({ ...place, limit: 100 }))) {
    all.push(record);
  }
  return all;
}
