import type { ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { toPagination } from '../../kernel/pagination.ts';
import { type Actor, type Ctx, visibleSpaces, withTransaction } from '../ctx.ts';
import { recordAuditEntry } from './audit.ts';
import { clearKeyCache } from './authenticate.ts';
import { hasScope } from './scopes.ts';
import { signToken } from './signed-tokens.ts';
import {
  insertToken,
  listTokenRows,
  lockToken,
  revokeTokenRow,
  type TokenFilter,
  type TokenRecord,
} from './store/tokens.ts';

type Issued = ResponseBody<typeof routes.auth.createToken>;

/**
 * Creates a token with the rights of the caller's key, for everybody's memories or one user's; it
 * ends with the key or its secret. Throws 403 insufficient_permissions for a token: a stolen one
 * could renew itself forever.
 */
export async function createToken(
  ctx: Ctx,
  body: ValidatedRequest<typeof routes.auth.createToken>['body'],
): Promise<Issued> {
  const { actor, clock, ids } = ctx;
  const { accountId, keyId } = actor;
  if (keyId === null || actor.token !== undefined) {
    const message = 'A session token cannot create tokens: use an API key.';
    throw new AppError('insufficient_permissions', { message });
  }
  const issuedAt = Math.floor(clock.now().getTime() / 1_000);
  const expiresAt = issuedAt + body.expires_in;
  const id = ids.uuid();
  const claims = {
    tokenId: id,
    accountId,
    keyId,
    secretFingerprint: actor.secretFingerprint,
    issuedAt,
    expiresAt,
  };
  const token = await signToken(ctx, claims);
  const record: TokenRecord = {
    account_id: accountId,
    id,
    key_id: keyId,
    user_id: body.user_id ?? null,
    created_at: clock.now(),
    expires_at: new Date(expiresAt * 1_000),
    revoked_at: null,
  };
  return withTransaction(ctx, async ({ tx }) => {
    await insertToken(tx, record);
    return { ...presentToken(record), token, token_type: 'Bearer' } as const;
  });
}

const presentToken = ({ id, key_id, user_id, created_at, expires_at }: TokenRecord) => ({
  id,
  key_id,
  user_id,
  created_at: created_at.toISOString(),
  expires_at: expires_at.toISOString(),
});

/**
 * With `admin`, tokens of keys within the caller's spaces; otherwise those of the caller's key. A
 * token that is limited to a user sees only itself.
 */
const visibleTokensOf = (actor: Actor): TokenFilter => {
  if (actor.user !== null) return { tokenId: actor.token?.id };
  return hasScope(actor.scopes, 'admin')
    ? { spaces: visibleSpaces(actor) }
    : { keyId: actor.keyId };
};

/** Tokens that are neither expired nor revoked, newest first. */
export async function listTokens(
  ctx: Ctx,
  query: ValidatedRequest<typeof routes.auth.listTokens>['query'],
): Promise<ResponseBody<typeof routes.auth.listTokens>> {
  const { actor, clock, engine } = ctx;
  const page = { ...query, now: clock.now() };
  const { tokens, total } = await listTokenRows(
    engine.db,
    actor.accountId,
    visibleTokensOf(actor),
    page,
  );
  return { data: tokens.map(presentToken), pagination: toPagination(query, total, tokens.length) };
}

/** Takes effect here at once, in other processes within 10 s. Throws 404 not_found. */
export async function revokeToken(ctx: Ctx, id: string): Promise<void> {
  await withTransaction(ctx, async (inTx) => {
    const { tx, actor, clock } = inTx;
    const { accountId } = actor;
    const token = await lockToken(tx, accountId, visibleTokensOf(actor), id);
    if (!token) throw new AppError('not_found');
    if (token.revoked_at) return;
    await revokeTokenRow(tx, token, clock.now());
    const details = { key_id: token.key_id };
    await recordAuditEntry(inTx, { action: 'token.revoked', accountId, targetId: id, details });
  });
  clearKeyCache(ctx);
}
