import { routes } from '@mneme/contract';
import { createHandler } from '../handler.ts';
import { exportActivation } from './activation/export.ts';
import {
  getActivation,
  listActivationMemories,
  listActivations,
  listActiveActivations,
} from './activation/read.ts';
import { streamActivationReport } from './activation/report.ts';
import { removeSession } from './erase.ts';
import {
  createSession,
  getSession,
  getSessionStats,
  listActiveSessions,
  listSessions,
  transitionSession,
  updateSession,
} from './lifecycle.ts';
import { listMemoriesOfSession, postMessages } from './memories.ts';

const { cliSessions: cli, sessions: activation } = routes;

export const sessionRouteHandlers = [
  createHandler(cli.create, (ctx, { body }) => createSession(ctx, body)),
  createHandler(cli.list, (ctx, { query }) => listSessions(ctx, query)),
  createHandler(cli.active, (ctx, { query }) => listActiveSessions(ctx, query)),
  createHandler(cli.stats, (ctx) => getSessionStats(ctx)),
  createHandler(cli.get, (ctx, { params }) => getSession(ctx, params.id)),
  createHandler(cli.update, (ctx, { params, body }) => updateSession(ctx, params.id, body)),
  createHandler(cli.remove, (ctx, { params, query }) =>
    removeSession(ctx, params.id, query.confirm),
  ),
  createHandler(cli.pause, (ctx, { params }) => transitionSession(ctx, params.id, 'pause')),
  createHandler(cli.resume, (ctx, { params }) => transitionSession(ctx, params.id, 'resume')),
  createHandler(cli.complete, (ctx, { params, body }) =>
    transitionSession(ctx, params.id, 'complete', body.summary),
  ),
  createHandler(cli.archive, (ctx, { params }) => transitionSession(ctx, params.id, 'archive')),
  createHandler(cli.memories, (ctx, { params, query }) =>
    listMemoriesOfSession(ctx, params.id, query),
  ),
  createHandler(activation.list, (ctx, { query }) => listActivations(ctx, query)),
  createHandler(activation.active, (ctx, { query }) => listActiveActivations(ctx, query)),
  createHandler(activation.get, (ctx, { params }) => getActivation(ctx, params.id)),
  createHandler(activation.memories, (ctx, { params, query }) =>
    listActivationMemories(ctx, params.id, query),
  ),
  createHandler(activation.export, (ctx, { params, query }) =>
    exportActivation(ctx, params.id, query.format),
  ),
  createHandler(activation.report, (ctx, { params, query }) =>
    streamActivationReport(ctx, params.id, query.include_relationships),
  ),
  createHandler(cli.postMessages, (ctx, { params, body }) => postMessages(ctx, params.id, body)),
];
