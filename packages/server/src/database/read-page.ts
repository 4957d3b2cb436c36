import type { SelectQueryBuilder } from 'kysely';
import type { Tables } from './tables.ts';

/** Returns one page of an ordered query and the total number of rows. */
export async function readPage<T extends keyof Tables, O>(
  query: SelectQueryBuilder<Tables, T, O>,
  page: { limit: number; offset: number },
): Promise<{ rows: O[]; total: number }> {
  const rows = (await query.limit(page.limit).offset(page.offset).execute()) as O[];
  const { total } = await query
    .clearSelect()
    .clearOrderBy()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { rows, total };
}
