import { defineRoute } from '../route.ts';
import { sampleSearch } from '../samples.ts';
import { searchBatchAnswer, searchBatchBody } from '../schemas/searches.ts';

const errorForm = 'nested';

export const moreSearchRoutes = {
  batch: defineRoute({
    id: 'search.batch',
    method: 'POST',
    path: '/search/batch',
    summary: 'Up to 20 searches, each on its own',
    description:
      'A faulty query has its error in its place, and the others are answered. Each one that is ' +
      'answered counts one search; when the quota ends between them, the rest are refused, and ' +
      'the whole request where not one of them could run.',
    access: 'search:read',
    errorForm,
    body: searchBatchBody,
    answers: { 200: searchBatchAnswer },
    errors: ['quota_exceeded'],
    example: {
      body: { queries: [{ q: 'what does Ana drink?', limit: 5 }, { q: '' }] },
      answer: {
        results: [
          { query: 'what does Ana drink?', ...sampleSearch },
          {
            query: '',
            error: {
              code: 'validation_error',
              message: 'Some fields are not valid.',
              details: {
                fields: {
                  q: {
                    code: 'invalid_range',
                    message: 'must have at least 1 character',
                    received: '',
                    min: 1,
                  },
                },
              },
            },
          },
        ],
      },
    },
  }),
} as const;
