import { routes } from '@mneme/contract';
import { createHandler } from '../handler.ts';
import { exportAnyAccount, exportOwnAccount } from './export/requests.ts';
import { getAnyImport, getOwnImport } from './import/read.ts';
import { startImport, startOperatorImport } from './import/start.ts';

export const transferRouteHandlers = [
  createHandler(routes.transfers.export, (ctx, { query }) => exportOwnAccount(ctx, query)),
  createHandler(routes.transfers.import, (ctx, { query, bodyStream }) =>
    startImport(ctx, query, bodyStream),
  ),
  createHandler(routes.transfers.getImport, (ctx, { params }) => getOwnImport(ctx, params.id)),
  createHandler(routes.admin.export, (ctx, { query }) => exportAnyAccount(ctx, query)),
  createHandler(routes.admin.import, (ctx, { query, bodyStream }) =>
    startOperatorImport(ctx, query, bodyStream),
  ),
  createHandler(routes.admin.getImport, (ctx, { params }) => getAnyImport(ctx, params.id)),
];
