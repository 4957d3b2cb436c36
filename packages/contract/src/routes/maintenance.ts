import { defineRoute } from '../route.ts';
import { sampleAccount, sampleAt, sampleJob } from '../samples.ts';
import { plainParams } from '../schemas/common.ts';
import { queued, reembedding, startVerification, verification } from '../schemas/maintenance.ts';

const notFound = 'not_found';
const params = { id: sampleJob.id };

/** What an operator does to a running installation. */
export const maintenanceRoutes = {
  startVerification: defineRoute({
    id: 'admin.startVerification',
    method: 'POST',
    path: '/admin/verifications',
    summary: 'Check everything that is derived or counted against what it comes from',
    description: 'A job does it in small steps, beside live traffic.',
    access: 'operator',
    body: startVerification,
    bodyOptional: true,
    answers: { 202: queued },
    idempotent: true,
    errors: ['not_found'],
    example: {
      body: { account_id: sampleAccount.id, repair: false },
      answer: { job_id: sampleJob.id },
    },
  }),
  getVerification: defineRoute({
    id: 'admin.getVerification',
    method: 'GET',
    path: '/admin/verifications/:id',
    summary: 'Read how far a verification is and what it has found, for 7 days',
    access: 'operator',
    params: plainParams,
    notFound,
    answers: { 200: verification },
    errors: [],
    example: {
      params,
      answer: {
        id: sampleJob.id,
        status: 'completed',
        progress: 1,
        error: null,
        account_id: sampleAccount.id,
        repair: false,
        accounts: 1,
        checked: {
          documents: 412,
          strays: 412,
          tombstones: 0,
          accounts: 1,
          memories: 412,
          spaces: 2,
          relationships: 96,
          facts: 120,
          sessions: 8,
          'session names': 8,
          positions: 1_024,
          webhooks: 1,
        },
        outdated: 0,
        repaired: 0,
        faults_total: 0,
        faults_left: 0,
        faults: [],
        created_at: sampleAt,
        finished_at: sampleAt,
      },
    },
  }),
  startReembedding: defineRoute({
    id: 'admin.startReembedding',
    method: 'POST',
    path: '/admin/reembeddings',
    summary: 'Change every account to the configured embedding model',
    description:
      'A job embeds all memories, beside live traffic, and changes account by account. Where one ' +
      'runs already its id is told. A vector that a caller gave is left for one of the content.',
    access: 'operator',
    answers: { 202: queued },
    idempotent: true,
    errors: [],
    example: { answer: { job_id: sampleJob.id } },
  }),
  getReembedding: defineRoute({
    id: 'admin.getReembedding',
    method: 'GET',
    path: '/admin/reembeddings/:id',
    summary: 'Read how far a change of embedding model is, for 7 days',
    access: 'operator',
    params: plainParams,
    notFound,
    answers: { 200: reembedding },
    errors: [],
    example: {
      params,
      answer: {
        id: sampleJob.id,
        status: 'completed',
        progress: 1,
        error: null,
        model: 'static-en-192@1',
        dimensions: 192,
        accounts: 2,
        embedded: 412,
        refused: 0,
        erased: 412,
        created_at: sampleAt,
        finished_at: sampleAt,
      },
    },
  }),
} as const;
