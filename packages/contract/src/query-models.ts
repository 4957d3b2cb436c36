import { z } from 'zod';

/** Asks the language model for other texts of the query. */
export const rewriteField = z
  .boolean()
  .default(false)
  .meta({
    description:
      'Searches also with up to three texts that the language model of the service makes of the ' +
      'query: the same question in other words, or the questions that it consists of. `rewrite` ' +
      'of the response says whether it did; without a model, or if it fails, the results are ' +
      'those of the query alone.',
  });

export const rerankField = z
  .boolean()
  .optional()
  .meta({
    description:
      'Whether the reranker of the service reorders the best results; by default if there is ' +
      'one. `rerank` of the response says whether it did.',
  });

export const rewriteReport = z
  .object({
    status: z
      .enum(['applied', 'no_rewrites', 'timeout', 'failed', 'paused', 'not_configured'])
      .meta({
        description:
          'no_rewrites: the model has none; timeout: it did not answer in time; failed: there ' +
          'was no usable answer; paused: it failed several times in a row and is not called for ' +
          'some seconds; not_configured: the service has no language model.',
      }),
    queries: z.array(z.string()).meta({ description: 'The texts, without the query itself.' }),
    model: z.string().nullable(),
  })
  .meta({ id: 'RewriteReport' });

export const rerankReport = z
  .object({
    status: z
      .enum(['applied', 'not_needed', 'timeout', 'failed', 'paused', 'not_configured'])
      .meta({
        description:
          'not_needed: fewer than two results could change places. The others are as in ' +
          '`rewrite`, and leave the order as it was.',
      }),
    model: z.string().nullable(),
    candidates: z.int().meta({ description: 'Number of results that the reranker compared.' }),
  })
  .meta({ id: 'RerankReport' });

export const rewriteOutput = rewriteReport
  .optional()
  .meta({ description: 'For requests with `rewrite`.' });

export const rerankOutput = rerankReport.optional().meta({
  description: 'For requests with `rerank`, and for all others if the service has a reranker.',
});

export const foundByOutput = z
  .string()
  .optional()
  .meta({
    description:
      'The rewritten text that found this result, if the query itself does not have it among its ' +
      'best results.',
  });

export type RewriteReport = z.output<typeof rewriteReport>;
export type RerankReport = z.output<typeof rerankReport>;
