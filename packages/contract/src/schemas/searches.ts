import { z } from 'zod';
import { limits } from '../limits.ts';
import { sessionKey } from './activation.ts';
import { eachOnItsOwn, itemError } from './common.ts';
import { searchAnswer, searchBody } from './search.ts';

export const searchBatchBody = z
  .strictObject({
    queries: z.array(eachOnItsOwn(searchBody)).min(1).max(limits.searchBatchMax),
    session: sessionKey.optional().meta({ description: 'Of queries that name none themselves.' }),
  })
  .meta({ id: 'SearchBatchRequest' });

export const searchBatchAnswer = z.object({
  results: z
    .array(
      z.union([
        searchAnswer.extend({ query: z.string() }),
        z.object({
          query: z.string().nullable().meta({ description: 'Null where it is no text for a q.' }),
          error: itemError,
        }),
      ]),
    )
    .meta({ description: 'One for each query, in their order.' }),
});
