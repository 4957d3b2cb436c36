import type { ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { toPagination } from '../../kernel/pagination.ts';
import { recordAuditEntry } from '../accounts/index.ts';
import {
  type App,
  type Ctx,
  systemCtx,
  type TxCtx,
  visibleSpaces,
  withTransaction,
} from '../ctx.ts';
import { OAuthError } from './errors.ts';
import { hashSecret } from './secrets.ts';
import {
  type GrantRecord,
  listGrantRows,
  lockGrant,
  lockVisibleGrant,
  updateGrant,
} from './store/grants.ts';
import { deleteToken, findToken } from './store/tokens.ts';

const presentGrant = (grant: GrantRecord) => ({
  id: grant.id,
  client_id: grant.client_id,
  client_name: grant.client_name,
  key_id: grant.key_id,
  resource: grant.resource,
  scopes: grant.scopes,
  space_ids: grant.space_ids,
  user_id: grant.user_id,
  created_at: grant.created_at.toISOString(),
  expires_at: grant.expires_at.toISOString(),
});

/** A key that is limited to spaces sees only grants limited to a subset of its spaces. */
export async function listGrants(
  ctx: Ctx,
  query: ValidatedRequest<typeof routes.grants.list>['query'],
): Promise<ResponseBody<typeof routes.grants.list>> {
  const { actor, clock, engine } = ctx;
  const { grants, total } = await listGrantRows(engine.db, actor.accountId, visibleSpaces(actor), {
    ...query,
    now: clock.now(),
  });
  return { data: grants.map(presentGrant), pagination: toPagination(query, total, grants.length) };
}

/** Ends all tokens of the grant at once, in every process. Throws 404 not_found. */
export async function revokeGrant(ctx: Ctx, id: string): Promise<void> {
  await withTransaction(ctx, async (inTx) => {
    const { tx, actor } = inTx;
    const grant = await lockVisibleGrant(tx, actor.accountId, visibleSpaces(actor), id);
    if (!grant) throw new AppError('not_found');
    await revokeGrantRow(inTx, grant, 'requested');
  });
}

/** Why a grant was revoked, in the audit log. */
type RevocationReason = 'requested' | 'revoked_by_client' | 'code_reused' | 'refresh_token_reused';

/** Revokes a locked grant, once. */
export async function revokeGrantRow(
  inTx: TxCtx,
  grant: GrantRecord,
  reason: RevocationReason,
): Promise<void> {
  if (grant.revoked_at !== null) return;
  const { account_id: accountId, id: targetId, client_id, client_name } = grant;
  await updateGrant(inTx.tx, grant, { revoked_at: inTx.clock.now() });
  const details = { client_id, client_name, reason };
  // A client acts without a key.
  const author = reason === 'requested' ? inTx : { ...inTx, actor: null };
  await recordAuditEntry(author, { action: 'grant.revoked', accountId, targetId, details });
}

/** Acts for the account of a grant, whose client has no key. */
export const systemAuthor = (
  app: App & { readonly requestId: string },
  accountId: string,
): Ctx => ({
  ...systemCtx(app, accountId),
  requestId: app.requestId,
});

/**
 * Revokes a token as its client asks (RFC 7009): a refresh token with its grant, an access token
 * alone. Unknown tokens are revoked already. Throws OAuthError invalid_client for a token of
 * another client.
 */
export async function revokeToken(
  app: App & { readonly requestId: string },
  { token: secret, client_id: clientId }: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  if (!secret) throw new OAuthError('invalid_request', 'token is required.');
  if (!clientId) throw new OAuthError('invalid_client', 'client_id is required.', { status: 401 });
  const token = await findToken(app.engine.db, hashSecret(secret));
  if (!token) return;
  await withTransaction(systemAuthor(app, token.account_id), async (inTx) => {
    const grant = await lockGrant(inTx.tx, token.account_id, token.grant_id);
    if (!grant) return;
    if (grant.client_id !== clientId) {
      throw new OAuthError('invalid_client', 'The token was issued to another client.');
    }
    if (token.kind === 'refresh') await revokeGrantRow(inTx, grant, 'revoked_by_client');
    else await deleteToken(inTx.tx, token);
  });
}
