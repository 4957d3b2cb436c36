import type { Answer, Checked, routes } from '@mneme/contract';
import { jwtVerify, SignJWT } from 'jose';
import { JWTExpired } from 'jose/errors';
import { deriveKey } from '../../kernel/sealed.ts';
import { service } from '../../kernel/service.ts';
import { type App, type Ctx, withTransaction } from '../ctx.ts';
import { refused } from './refusals.ts';

const issuer = 'mneme';
const algorithm = 'HS256';

/** Tokens are signed with a key of their own: a leak of it opens nothing that is sealed. */
const signingKey = service<App, Uint8Array>(({ config, secretKey }) =>
  deriveKey(config.tokenSecret ?? secretKey, 'session tokens'),
);

type Issued = Answer<typeof routes.auth.createToken>;

/** A token for the key of the caller: it has the key's rights, and ends with it or its secret. */
export async function createToken(
  ctx: Ctx,
  body: Checked<typeof routes.auth.createToken>['body'],
): Promise<Issued> {
  const issuedAt = Math.floor(ctx.clock.now().getTime() / 1_000);
  const expiresAt = issuedAt + body.expires_in;
  const token = await new SignJWT({ key: ctx.actor.keyId, mark: ctx.actor.secretMark })
    .setProtectedHeader({ alg: algorithm })
    .setIssuer(issuer)
    .setSubject(ctx.actor.accountId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(signingKey.of(ctx));
  const issued: Issued = {
    token,
    token_type: 'Bearer',
    expires_at: new Date(expiresAt * 1_000).toISOString(),
  };
  // Nothing is written but the outcome, where the request has an Idempotency-Key.
  return withTransaction(ctx, async () => issued);
}

export interface TokenKey {
  readonly accountId: string;
  readonly keyId: string;
  /** Of the secret that it was made with. */
  readonly mark: string;
}

/** Three parts of base64url: what cannot be a key and may be a token. */
export const looksLikeToken = (text: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text);

const isId = (claim: unknown): claim is string =>
  typeof claim === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(claim);

/** The last letter of a signature has two bits that say nothing: one token is one text only. */
function isCanonical(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}

/** The key that a token stands for. Throws 401 expired_token, invalid_api_key. */
export async function readToken(app: App, token: string): Promise<TokenKey> {
  if (!isCanonical(token)) throw refused('invalid_api_key');
  try {
    const { payload } = await jwtVerify<{ key: unknown; mark: unknown }>(
      token,
      signingKey.of(app),
      {
        algorithms: [algorithm],
        issuer,
        currentDate: app.clock.now(),
        requiredClaims: ['sub', 'exp', 'key', 'mark'],
      },
    );
    const { sub, key, mark } = payload;
    if (isId(sub) && isId(key) && typeof mark === 'string') {
      return { accountId: sub, keyId: key, mark };
    }
  } catch (error) {
    if (error instanceof JWTExpired) throw refused('expired_token');
  }
  throw refused('invalid_api_key');
}
