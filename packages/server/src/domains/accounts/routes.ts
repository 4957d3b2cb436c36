import { routes } from '@mneme/contract';
import { handle } from '../handle.ts';
import { listAudit } from './audit.ts';
import { createKey, createKeyFor, listKeys, revokeKey, rotateKey } from './keys.ts';
import { createAccount, deleteAccount, getAccount, listAccounts, updateAccount } from './manage.ts';
import { getOwnAccount, updateOwnAccount } from './own.ts';
import { createToken, listTokens, revokeToken } from './tokens.ts';

export const accountHandlers = [
  handle(routes.account.get, (ctx) => getOwnAccount(ctx)),
  handle(routes.account.update, (ctx, { body }) => updateOwnAccount(ctx, body)),
  handle(routes.account.audit, (ctx, { query }) => listAudit(ctx, query)),
  handle(routes.auth.createToken, (ctx, { body }) => createToken(ctx, body)),
  handle(routes.auth.listTokens, (ctx, { query }) => listTokens(ctx, query)),
  handle(routes.auth.revokeToken, (ctx, { params }) => revokeToken(ctx, params.id)),
  handle(routes.keys.create, (ctx, { body }) => createKey(ctx, body)),
  handle(routes.keys.list, (ctx, { query }) => listKeys(ctx, query)),
  handle(routes.keys.revoke, (ctx, { params }) => revokeKey(ctx, params.id)),
  handle(routes.keys.rotate, (ctx, { params, body }) =>
    rotateKey(ctx, params.id, body.grace_seconds),
  ),
  handle(routes.admin.createAccount, (ctx, { body }) => createAccount(ctx, body)),
  handle(routes.admin.listAccounts, (ctx, { query }) => listAccounts(ctx, query)),
  handle(routes.admin.getAccount, (ctx, { params }) => getAccount(ctx, params.id)),
  handle(routes.admin.updateAccount, (ctx, { params, body }) =>
    updateAccount(ctx, params.id, body),
  ),
  handle(routes.admin.deleteAccount, (ctx, { params, query }) =>
    deleteAccount(ctx, params.id, query.confirm),
  ),
  handle(routes.admin.createKey, (ctx, { params, body }) => createKeyFor(ctx, params.id, body)),
];
