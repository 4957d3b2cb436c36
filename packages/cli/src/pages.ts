import { paginate } from '@mneme/sdk';

type ReadPage<T> = Parameters<typeof paginate<T>>[0];
type Place = Parameters<ReadPage<unknown>>[0] & { readonly limit: number };

/** All records of a list, in few and large pages. */
export async function readAll<T>(
  read: (place: Place) => ReturnType<ReadPage<T>>,
): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const record of paginate<T>((place) => read({ ...place, limit: 100 }))) {
    all.push(record);
  }
  return all;
}
