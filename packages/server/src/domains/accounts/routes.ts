import { routes } from '@mneme/contract';
import { createHandler } from '../handler.ts';
import { listAudit } from './audit.ts';
import { createKey, createKeyForAccount, listKeys, revokeKey, rotateKey } from './keys.ts';
import { createAccount, deleteAccount, getAccount, listAccounts, updateAccount } from './manage.ts';
import { getOwnAccount, updateOwnAccount } from './own-account.ts';
import { createToken, listTokens, renewToken, revokeToken } from './tokens.ts';

export const accountRouteHandlers = [
  createHandler(routes.account.get, (ctx) => getOwnAccount(ctx)),
  createHandler(routes.account.update, (ctx, { body }) => updateOwnAccount(ctx, body)),
  createHandler(routes.account.audit, (ctx, { query }) => listAudit(ctx, query)),
  createHandler(routes.auth.createToken, (ctx, { body }) => createToken(ctx, body)),
  createHandler(routes.auth.renewToken, (ctx, { body }) => renewToken(ctx, body)),
  createHandler(routes.auth.listTokens, (ctx, { query }) => listTokens(ctx, query)),
  createHandler(routes.auth.revokeToken, (ctx, { params }) => revokeToken(ctx, params.id)),
  createHandler(routes.keys.create, (ctx, { body }) => createKey(ctx, body)),
  createHandler(routes.keys.list, (ctx, { query }) => listKeys(ctx, query)),
  createHandler(routes.keys.revoke, (ctx, { params }) => revokeKey(ctx, params.id)),
  createHandler(routes.keys.rotate, (ctx, { params, body }) =>
    rotateKey(ctx, params.id, body.grace_seconds),
  ),
  createHandler(routes.admin.createAccount, (ctx, { body }) => createAccount(ctx, body)),
  createHandler(routes.admin.listAccounts, (ctx, { query }) => listAccounts(ctx, query)),
  createHandler(routes.admin.getAccount, (ctx, { params }) => getAccount(ctx, params.id)),
  createHandler(routes.admin.updateAccount, (ctx, { params, body }) =>
    updateAccount(ctx, params.id, body),
  ),
  createHandler(routes.admin.deleteAccount, (ctx, { params, query }) =>
    deleteAccount(ctx, params.id, query.confirm),
  ),
  createHandler(routes.admin.createKey, (ctx, { params, body }) =>
    createKeyForAccount(ctx, params.id, body),
  ),
];
