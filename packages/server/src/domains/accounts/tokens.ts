import { limits, type ResponseBody, type routes, type ValidatedRequest } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { toPagination } from '../../kernel/pagination.ts';
import { type Actor, type App, type Ctx, visibleSpaces, withTransaction } from '../ctx.ts';
import { recordAuditEntry } from './audit.ts';
import { authenticateKeyHolder, clearKeyCache } from './authenticate.ts';
import { unauthorizedError } from './errors.ts';
import { hasScope } from './scopes.ts';
import { signToken, verifyToken } from './signed-tokens.ts';
import {
  extendTokenRow,
  insertToken,
  listTokenRows,
  lockToken,
  revokeTokenRow,
  type TokenFilter,
  type TokenRecord,
} from './store/tokens.ts';

type Issued = ResponseBody<typeof routes.auth.createToken>;

/**
 * Creates a token with the rights of the caller's key, or some of its scopes, for everybody's
 * memories or one user's; it ends with the key or its secret. Throws 403 insufficient_permissions
 * for a token: a stolen one could renew itself forever.
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
  const now = clock.now();
  const { user_id = null, renewable_for, single_use, scopes = null } = body;
  const record: TokenRecord = {
    account_id: accountId,
    id: ids.uuid(),
    key_id: keyId,
    user_id,
    created_at: now,
    expires_at: addSeconds(toWholeSeconds(now), body.expires_in),
    renewable_until:
      renewable_for === undefined ? null : addSeconds(toWholeSeconds(now), renewable_for),
    single_use,
    scopes,
    revoked_at: null,
  };
  const token = await signRecord(ctx, record, actor.secretFingerprint);
  return withTransaction(ctx, async ({ tx }) => {
    await insertToken(tx, record);
    return { ...presentToken(record), token, token_type: 'Bearer' } as const;
  });
}

const toWholeSeconds = (date: Date): Date => new Date(Math.floor(date.getTime() / 1_000) * 1_000);
const addSeconds = (date: Date, seconds: number): Date =>
  new Date(date.getTime() + seconds * 1_000);
const toSeconds = (date: Date): number => Math.floor(date.getTime() / 1_000);

/** Signs a token that is valid from now on until its record expires. */
const signRecord = (
  app: App,
  { id, account_id, key_id, expires_at }: TokenRecord,
  secretFingerprint: string | undefined,
): Promise<string> =>
  signToken(app, {
    tokenId: id,
    accountId: account_id,
    keyId: key_id,
    secretFingerprint,
    issuedAt: toSeconds(app.clock.now()),
    expiresAt: toSeconds(expires_at),
  });

/**
 * Extends a renewable token by the time for which it was valid, or replaces a single-use one. Two
 * renewals at the same time both succeed, except of a single-use token. Throws 401 expired_token
 * if it cannot be renewed, and what `authenticateKeyHolder` throws.
 */
export async function renewToken(
  ctx: Ctx,
  { token }: ValidatedRequest<typeof routes.auth.renewToken>['body'],
): Promise<Issued> {
  const claims = await verifyToken(ctx, token, limits.tokenRenewalSecondsMax);
  const { actor } = await authenticateKeyHolder(ctx, claims);
  const issued = await withTransaction({ ...ctx, actor }, async ({ tx, clock, ids }) => {
    const filter = { tokenId: claims.tokenId };
    const record = await lockToken(tx, claims.accountId, filter, claims.tokenId);
    const now = clock.now();
    if (!record?.renewable_until || !isRenewable(record, now)) {
      throw unauthorizedError('expired_token', 'The session has ended: sign in again.');
    }
    const seconds = toSeconds(claims.expiresAt) - toSeconds(claims.issuedAt);
    const wanted = addSeconds(toWholeSeconds(now), seconds).getTime();
    const expires_at = new Date(Math.min(wanted, record.renewable_until.getTime()));
    const renewed = { ...record, expires_at, single_use: false };
    if (record.single_use) {
      const replacement = { ...renewed, id: ids.uuid(), created_at: now };
      await revokeTokenRow(tx, record, now);
      await insertToken(tx, replacement);
      return replacement;
    }
    await extendTokenRow(tx, record, expires_at);
    return renewed;
  });
  clearKeyCache(ctx);
  const signed = await signRecord(ctx, issued, claims.secretFingerprint);
  return { ...presentToken(issued), token: signed, token_type: 'Bearer' };
}

/** A single-use token only until it expires: the link that contains it may be lying around. */
const isRenewable = (
  { revoked_at, renewable_until, single_use, expires_at }: TokenRecord,
  now: Date,
): boolean =>
  revoked_at === null &&
  renewable_until !== null &&
  renewable_until > now &&
  (!single_use || expires_at > now);

const presentToken = (record: TokenRecord) => ({
  id: record.id,
  key_id: record.key_id,
  user_id: record.user_id,
  created_at: record.created_at.toISOString(),
  expires_at: record.expires_at.toISOString(),
  renewable_until: record.renewable_until?.toISOString() ?? null,
  single_use: record.single_use,
  scopes: record.scopes as Issued['scopes'],
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

/** Tokens that are valid or can be renewed, newest first. */
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
