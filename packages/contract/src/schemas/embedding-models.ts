import { z } from 'zod';
import { idInput, idOutput, storableText, timestampOutput } from '../fields.ts';
import { listEnvelope } from '../list-envelope.ts';
import { jobStatuses, waitingReason } from './jobs.ts';

const nameMax = 200;
/** Schema of the name of an embedding model in a request. */
export const modelName = storableText({ min: 1, max: nameMax });
const dimensionsInput = z.int().min(1).max(8_192);

export const modelParams = z.strictObject({ name: modelName });

const embeddingModel = z.object({
  name: z.string().meta({ description: 'The name for `models install` and `models use`.' }),
  provider: z.enum(['static', 'encoder', 'openai', 'transformers']),
  state: z.enum(['shipped', 'installed', 'available']).meta({
    description:
      '`available`: it can be installed, or is behind an endpoint and needs no installation.',
  }),
  is_current: z.boolean(),
  dimensions: z.int().nullable(),
  tokens_max: z.int().nullable().meta({ description: 'Longer texts are truncated.' }),
  licence: z.string().nullable(),
  languages: z.string().nullable(),
  download_megabytes: z
    .int()
    .nullable()
    .meta({ description: 'About, with 8-bit weights; null: nothing to download.' }),
  installed_bytes: z.int().nullable(),
});

export const embeddingModelList = listEnvelope(
  z
    .object({
      current: z.object({
        name: z.string().meta({ description: '`configured`: the model of the settings.' }),
        model: z.string().meta({ description: 'The name that is stored with vectors.' }),
        dimensions: z.int(),
      }),
      change: z
        .object({ name: z.string(), model: z.string(), job_id: idOutput })
        .nullable()
        .meta({ description: 'The change that is in progress.' }),
      models: z.array(embeddingModel),
    })
    .meta({ id: 'EmbeddingModels' }),
  { records: ['models'], paging: 'all' },
);

export const removedModel = z.object({ name: z.string(), bytes: z.int() });

export const startModelTestBody = z.strictObject({
  model: modelName.meta({ description: 'The model to test, as for a change.' }),
  against: modelName
    .optional()
    .meta({ description: 'The model to compare it with; default: the current one.' }),
  dimensions: dimensionsInput.optional().meta({ description: 'Of the vectors of `model`.' }),
  account_id: idInput('other')
    .optional()
    .meta({ description: 'The account whose memories are used; default: that of the key.' }),
});

const testedModel = z.object({
  name: z.string(),
  model: z.string(),
  dimensions: z.int(),
  recall_1: z.number().meta({ description: 'Share of questions with the answer in first place.' }),
  recall_5: z.number().meta({ description: 'Share of questions with the answer in the top five.' }),
  mrr: z.number().meta({ description: 'Mean reciprocal rank of the first answer.' }),
  query_ms: z.number().meta({ description: 'Mean time for one question, in milliseconds.' }),
  memory_ms: z.number().meta({ description: 'Mean time for one memory, in milliseconds.' }),
  vector_bytes: z.int().meta({ description: 'Stored bytes of one vector.' }),
});

export const modelTest = z
  .object({
    id: idOutput.meta({ description: 'The id of the job.' }),
    status: z.enum(jobStatuses),
    progress: z.number().min(0).max(1),
    waiting_reason: waitingReason,
    error: z.string().nullable(),
    questions: z
      .object({
        feedback: z.int().meta({ description: 'Queries of helpful feedback.' }),
        sessions: z.int().meta({ description: 'Questions of users with the reply that follows.' }),
        updates: z.int().meta({ description: 'Memories that replace an older one.' }),
      })
      .nullable(),
    memories: z.int().nullable().meta({ description: 'Number of memories searched.' }),
    models: z
      .array(testedModel)
      .meta({ description: 'First the tested one; empty until the end.' }),
    created_at: timestampOutput,
    finished_at: timestampOutput.nullable(),
  })
  .meta({ id: 'ModelTest' });

export type EmbeddingModelList = z.output<typeof embeddingModelList>;
export type ModelTest = z.output<typeof modelTest>;
