import { idParams } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { sampleJob, sampleTimestamp } from '../samples.ts';
import {
  embeddingModelList,
  modelParams,
  modelTest,
  removedModel,
  startModelTestBody,
} from '../schemas/embedding-models.ts';
import { queuedJob } from '../schemas/maintenance.ts';

const notFound = 'not_found';
/** Operator routes for the embedding models of an installation. */
export const embeddingModelRoutes = {
  listModels: defineRoute({
    id: 'admin.listModels',
    method: 'GET',
    path: '/admin/models',
    summary: 'List the known and the installed embedding models',
    access: 'operator',
    responses: { 200: embeddingModelList },
    errors: [],
    example: {
      response: {
        current: { name: 'configured', model: 'encoder-en-256@2', dimensions: 256 },
        change: null,
        models: [
          {
            name: 'encoder',
            provider: 'encoder',
            state: 'shipped',
            is_current: true,
            dimensions: 256,
            tokens_max: null,
            licence: null,
            languages: 'English',
            download_megabytes: null,
            installed_bytes: null,
          },
        ],
      },
    },
  }),
  removeModel: defineRoute({
    id: 'admin.removeModel',
    method: 'DELETE',
    path: '/admin/models/:name',
    summary: 'Remove an installed embedding model from the data folder of the server',
    description: 'A model that is in use is not removed.',
    access: 'operator',
    params: modelParams,
    notFound,
    responses: { 200: removedModel },
    errors: ['conflict'],
    example: {
      params: { name: 'bge-small-en-v1.5' },
      response: { name: 'bge-small-en-v1.5', bytes: 34_714_000 },
    },
  }),
  startModelTest: defineRoute({
    id: 'admin.startModelTest',
    method: 'POST',
    path: '/admin/model-tests',
    summary: 'Compare two embedding models on questions of an account',
    description:
      'A job collects questions with known answers: queries of helpful feedback, questions of ' +
      'users in sessions with the reply that follows, and memories that replace older ones. ' +
      'It searches for the answers among at most 2,000 other memories. Nothing is changed.',
    access: 'operator',
    body: startModelTestBody,
    responses: { 202: queuedJob },
    idempotent: true,
    errors: ['conflict', 'not_found'],
    example: { body: { model: 'static' }, response: { job_id: sampleJob.id } },
  }),
  getModelTest: defineRoute({
    id: 'admin.getModelTest',
    method: 'GET',
    path: '/admin/model-tests/:id',
    summary: 'Read the progress and the result of a comparison of models, for 7 days',
    access: 'operator',
    params: idParams,
    notFound,
    responses: { 200: modelTest },
    errors: [],
    example: {
      params: { id: sampleJob.id },
      response: {
        id: sampleJob.id,
        status: 'failed',
        progress: 0,
        waiting_reason: null,
        error:
          'A comparison needs at least 20 questions with answers. The account has 0 from helpful ' +
          'feedback with a query, 0 from questions of users in sessions, and 0 from memories ' +
          'that replace others.',
        questions: null,
        memories: null,
        models: [],
        created_at: sampleTimestamp,
        finished_at: sampleTimestamp,
      },
    },
  }),
} as const;
