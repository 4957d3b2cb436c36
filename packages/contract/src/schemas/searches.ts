import { z } from 'zod';
import { limits } from '../limits.ts';
import { sessionKey } from './activation.ts';
import {
  eachOnItsOwn,
  idOf,
  idOut,
  itemError,
  limitField,
  ratio,
  spaceFilter,
  text,
} from './common.ts';
import { memory } from './memories.ts';
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

const pageLimit = limitField({ max: limits.pageMax, fallback: limits.pageDefault });

export const similarParams = z.strictObject({ memoryId: idOf('memory') });
export const similarQuery = z.strictObject({
  limit: pageLimit,
  threshold: ratio.default(0).meta({ description: 'Cuts on the similarity.' }),
  space_id: spaceFilter.optional(),
  session: sessionKey.optional(),
});
export const similarAnswer = z.object({
  memory_id: idOut,
  results: z.array(
    z.object({
      memory,
      similarity: z.number().min(0).max(1).meta({
        description: 'Cosine of the two embeddings, 0 where it is negative.',
      }),
    }),
  ),
});

export const topicQuery = z.strictObject({
  topic: text({ min: 1, max: limits.topicCharactersMax }).meta({
    description: 'A tag, exactly as it is stored.',
  }),
  limit: pageLimit,
  session: sessionKey.optional(),
});
export const topicAnswer = z.object({
  memories: z.array(
    memory
      .pick({
        id: true,
        content: true,
        content_type: true,
        tags: true,
        metadata: true,
        priority: true,
        created_at: true,
      })
      .extend({
        topic_relevance: z.number().min(0).max(1).meta({ description: '1 for an exact tag.' }),
      })
      .meta({ id: 'TopicMemory' }),
  ),
  total: z.int().meta({ description: 'All that match, not only those shown.' }),
});
