import { authenticateKeyHolder } from '../accounts/index.ts';
import { type App, withTransaction } from '../ctx.ts';
import { isKeyRejection } from './browser-sessions.ts';
import { OAuthError } from './errors.ts';
import { revokeGrantRow, systemAuthor } from './grants.ts';
import { parseResource } from './issuer.ts';
import { grantableScopesOf, isOAuthScope, type OAuthScope, parseScopes } from './scopes.ts';
import { generateSecret, hashSecret, matchesChallenge } from './secrets.ts';
import {
  findGrant,
  findGrantByCode,
  type GrantRecord,
  lockGrant,
  updateGrant,
} from './store/grants.ts';
import { findToken, insertTokens, type OAuthTokenRecord, useToken } from './store/tokens.ts';

const accessSeconds = 3_600;
/** Since its last exchange. */
const refreshSeconds = 30 * 86_400;

/** The fields of a token request, each sent once. */
export type TokenRequest = Readonly<Record<string, string | undefined>>;

export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

type RequestApp = App & { readonly requestId: string };

/** Throws OAuthError. */
export async function exchangeForTokens(
  app: RequestApp,
  issuer: string,
  request: TokenRequest,
): Promise<TokenResponse> {
  switch (request.grant_type) {
    case 'authorization_code':
      return exchangeCode(app, issuer, request);
    case 'refresh_token':
      return exchangeRefreshToken(app, issuer, request);
    case undefined:
      throw new OAuthError('invalid_request', 'grant_type is required.');
    default: {
      const description = 'grant_type must be authorization_code or refresh_token.';
      throw new OAuthError('unsupported_grant_type', description);
    }
  }
}

async function exchangeCode(
  app: RequestApp,
  issuer: string,
  request: TokenRequest,
): Promise<TokenResponse> {
  const code = required(request, 'code');
  const clientId = required(request, 'client_id');
  const verifier = required(request, 'code_verifier');
  const grant = await findGrantByCode(app.engine.db, hashSecret(code));
  if (!grant) throw invalidGrant('The code is unknown or has expired.');
  if (grant.redeemed_at !== null) return rejectReuse(app, grant, 'code_reused');
  requireClient(grant, clientId);
  if (request.redirect_uri !== grant.redirect_uri) {
    throw invalidGrant('redirect_uri must be that of the authorization request.');
  }
  requireResource(issuer, grant, request);
  if (!matchesChallenge(verifier, grant.code_challenge)) {
    throw invalidGrant('code_verifier does not match code_challenge.');
  }
  await requireCurrentKey(app, grant);
  const response = await inTransactionOf(app, grant, async (inTx, locked) => {
    if (locked.redeemed_at !== null) return null;
    const now = inTx.clock.now();
    if (locked.code_expires_at <= now || locked.revoked_at !== null) {
      throw invalidGrant('The code is unknown or has expired.');
    }
    return issueTokens(inTx, locked, locked.scopes.filter(isOAuthScope));
  });
  return response ?? rejectReuse(app, grant, 'code_reused');
}

async function exchangeRefreshToken(
  app: RequestApp,
  issuer: string,
  request: TokenRequest,
): Promise<TokenResponse> {
  const secret = required(request, 'refresh_token');
  const clientId = required(request, 'client_id');
  const token = await findToken(app.engine.db, hashSecret(secret));
  const grant = token && (await findGrant(app.engine.db, token.account_id, token.grant_id));
  if (!grant || token.kind !== 'refresh' || hasEnded(app, token, grant)) {
    throw invalidGrant('The refresh token is unknown, revoked or has expired.');
  }
  requireClient(grant, clientId);
  if (token.used_at !== null) return rejectReuse(app, grant, 'refresh_token_reused');
  requireResource(issuer, grant, request);
  const scopes = request.scope === undefined ? grant.scopes : request.scope.split(' ');
  if (scopes.some((scope) => !grant.scopes.includes(scope))) {
    throw new OAuthError('invalid_scope', 'scope must not exceed what was allowed.');
  }
  await requireCurrentKey(app, grant);
  const response = await inTransactionOf(app, grant, async (inTx, locked) => {
    if (locked.revoked_at !== null) throw invalidGrant('The grant was revoked.');
    const isFirst = await useToken(inTx.tx, token, inTx.clock.now());
    return isFirst ? issueTokens(inTx, locked, parseScopes(scopes.join(' '))) : null;
  });
  return response ?? rejectReuse(app, grant, 'refresh_token_reused');
}

type InTx = Parameters<Parameters<typeof withTransaction<unknown>>[1]>[0];

/** Runs `fn` with the locked grant. */
const inTransactionOf = <T>(
  app: RequestApp,
  { account_id, id }: GrantRecord,
  fn: (inTx: InTx, locked: GrantRecord) => Promise<T>,
): Promise<T> =>
  withTransaction(systemAuthor(app, account_id), async (inTx) => {
    const locked = await lockGrant(inTx.tx, account_id, id);
    if (!locked) throw invalidGrant('The grant has ended.');
    return fn(inTx, locked);
  });

async function issueTokens(
  { tx, ids, clock }: InTx,
  grant: GrantRecord,
  scopes: readonly OAuthScope[],
): Promise<TokenResponse> {
  const now = clock.now();
  const [access, refresh] = [generateSecret(ids, 'access'), generateSecret(ids, 'refresh')];
  const build = (
    kind: OAuthTokenRecord['kind'],
    secret: string,
    seconds: number,
    of: readonly string[],
  ): OAuthTokenRecord => ({
    account_id: grant.account_id,
    id: ids.uuid(),
    grant_id: grant.id,
    kind,
    token_hash: hashSecret(secret),
    scopes: [...of],
    created_at: now,
    expires_at: new Date(now.getTime() + seconds * 1_000),
    used_at: null,
  });
  const refreshToken = build('refresh', refresh, refreshSeconds, grant.scopes);
  await insertTokens(tx, [build('access', access, accessSeconds, scopes), refreshToken]);
  await updateGrant(tx, grant, {
    redeemed_at: grant.redeemed_at ?? now,
    expires_at: refreshToken.expires_at,
  });
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: accessSeconds,
    refresh_token: refresh,
    scope: scopes.join(' '),
  };
}

/** Whoever sends a secret twice is one of two who know it: nobody keeps tokens of this grant. */
async function rejectReuse(
  app: RequestApp,
  { account_id, id }: GrantRecord,
  reason: 'code_reused' | 'refresh_token_reused',
): Promise<never> {
  await withTransaction(systemAuthor(app, account_id), async (inTx) => {
    const grant = await lockGrant(inTx.tx, account_id, id);
    if (grant) await revokeGrantRow(inTx, grant, reason);
  });
  throw invalidGrant('It was used before. All tokens of the grant are revoked.');
}

const invalidGrant = (description: string): OAuthError =>
  new OAuthError('invalid_grant', description);

function required(request: TokenRequest, name: string): string {
  const value = request[name];
  if (value !== undefined && value !== '') return value;
  throw new OAuthError('invalid_request', `${name} is required.`);
}

const hasEnded = ({ clock }: App, token: OAuthTokenRecord, grant: GrantRecord): boolean =>
  token.expires_at <= clock.now() || grant.revoked_at !== null;

function requireClient(grant: GrantRecord, clientId: string): void {
  if (grant.client_id !== clientId) throw invalidGrant('It was issued to another client.');
}

/** A client need not repeat it. */
function requireResource(issuer: string, grant: GrantRecord, { resource }: TokenRequest): void {
  if (resource === undefined || parseResource(issuer, resource)?.url === grant.resource) return;
  throw new OAuthError('invalid_target', 'resource must be that of the authorization request.');
}

/** The key that consented must still be valid, with the same secret. */
async function requireCurrentKey(app: App, grant: GrantRecord): Promise<void> {
  const holder = {
    accountId: grant.account_id,
    keyId: grant.key_id,
    secretFingerprint: grant.key_fingerprint,
  };
  try {
    const { actor } = await authenticateKeyHolder(app, holder);
    if (grantableScopesOf(actor, grant.scopes.filter(isOAuthScope)).length > 0) return;
  } catch (error) {
    if (!isKeyRejection(error)) throw error;
  }
  throw invalidGrant('The API key that allowed it is not valid any more.');
}
