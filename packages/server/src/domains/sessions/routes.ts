import { routes } from '@mneme/contract';
import { handle } from '../handle.ts';
import { exportActivation } from './activation/export.ts';
import {
  activationMemories,
  activeActivations,
  getActivation,
  listActivations,
} from './activation/read.ts';
import { reportActivation } from './activation/report.ts';
import { removeSession } from './erase.ts';
import {
  activeSessions,
  createSession,
  getSession,
  listSessions,
  moveSession,
  sessionStats,
  updateSession,
} from './lifecycle.ts';
import { postMessages, sessionMemories } from './memories.ts';

const { cliSessions: cli, sessions: activation } = routes;

export const sessionHandlers = [
  handle(cli.create, (ctx, { body }) => createSession(ctx, body)),
  handle(cli.list, (ctx, { query }) => listSessions(ctx, query)),
  handle(cli.active, (ctx, { query }) => activeSessions(ctx, query)),
  handle(cli.stats, (ctx) => sessionStats(ctx)),
  handle(cli.get, (ctx, { params }) => getSession(ctx, params.id)),
  handle(cli.update, (ctx, { params, body }) => updateSession(ctx, params.id, body)),
  handle(cli.remove, (ctx, { params, query }) => removeSession(ctx, params.id, query.confirm)),
  handle(cli.pause, (ctx, { params }) => moveSession(ctx, params.id, 'pause')),
  handle(cli.resume, (ctx, { params }) => moveSession(ctx, params.id, 'resume')),
  handle(cli.complete, (ctx, { params, body }) =>
    moveSession(ctx, params.id, 'complete', body.summary),
  ),
  handle(cli.archive, (ctx, { params }) => moveSession(ctx, params.id, 'archive')),
  handle(cli.memories, (ctx, { params, query }) => sessionMemories(ctx, params.id, query)),
  handle(activation.list, (ctx, { query }) => listActivations(ctx, query)),
  handle(activation.active, (ctx, { query }) => activeActivations(ctx, query)),
  handle(activation.get, (ctx, { params }) => getActivation(ctx, params.id)),
  handle(activation.memories, (ctx, { params, query }) =>
    activationMemories(ctx, params.id, query),
  ),
  handle(activation.export, (ctx, { params, query }) =>
    exportActivation(ctx, params.id, query.format),
  ),
  handle(activation.report, (ctx, { params, query }) =>
    reportActivation(ctx, params.id, query.include_relationships),
  ),
  handle(cli.postMessages, (ctx, { params, body }) => postMessages(ctx, params.id, body)),
];
