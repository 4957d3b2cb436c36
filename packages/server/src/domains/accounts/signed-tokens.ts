import { jwtVerify, SignJWT } from 'jose';
import { JWTExpired } from 'jose/errors';
import { deriveKey } from '../../kernel/encryption.ts';
import { perApp } from '../../kernel/per-app.ts';
import type { App } from '../ctx.ts';
import { unauthorizedError } from './errors.ts';

const issuer = 'mneme';
const algorithm = 'HS256';

/** A separate key signs tokens: a leak of it does not decrypt stored secrets. */
const signingKey = perApp<App, Uint8Array>(({ config, secretKey }) =>
  deriveKey(config.tokenSecret ?? secretKey, 'session tokens'),
);

export interface TokenClaims {
  readonly tokenId: string;
  readonly accountId: string;
  readonly keyId: string | null;
  /** Of the secret that the token was created with. */
  readonly secretFingerprint: string | undefined;
  /** Seconds since 1970. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** The token as clients send it (RFC 7519). */
export const signToken = (app: App, claims: TokenClaims): Promise<string> =>
  new SignJWT({ key: claims.keyId, mark: claims.secretFingerprint })
    .setProtectedHeader({ alg: algorithm })
    .setIssuer(issuer)
    .setSubject(claims.accountId)
    .setJti(claims.tokenId)
    .setIssuedAt(claims.issuedAt)
    .setExpirationTime(claims.expiresAt)
    .sign(signingKey.of(app));

/** Claims of a verified token. */
export interface VerifiedToken {
  readonly tokenId: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly secretFingerprint: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/** Three parts of base64url: cannot be a key, may be a token. */
export const looksLikeToken = (text: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text);

const isId = (claim: unknown): claim is string =>
  typeof claim === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(claim);

/** The last character of a signature has two unused bits: accept only one spelling of a token. */
function isCanonical(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}

/**
 * Checks signature and time, not whether the token was revoked. Throws 401 expired_token,
 * invalid_api_key.
 *
 * @param expiredSecondsMax how long ago the token may have expired
 */
export async function verifyToken(
  app: App,
  token: string,
  expiredSecondsMax = 0,
): Promise<VerifiedToken> {
  if (!isCanonical(token)) throw unauthorizedError('invalid_api_key');
  try {
    const { payload } = await jwtVerify<{ key: unknown; mark: unknown }>(
      token,
      signingKey.of(app),
      {
        algorithms: [algorithm],
        issuer,
        currentDate: app.clock.now(),
        clockTolerance: expiredSecondsMax,
        requiredClaims: ['sub', 'iat', 'exp', 'jti', 'key', 'mark'],
      },
    );
    const { sub, jti, iat = 0, exp = 0, key, mark } = payload;
    if (isId(sub) && isId(jti) && isId(key) && typeof mark === 'string') {
      const [issuedAt, expiresAt] = [new Date(iat * 1_000), new Date(exp * 1_000)];
      const holder = { accountId: sub, keyId: key, secretFingerprint: mark };
      return { ...holder, tokenId: jti, issuedAt, expiresAt };
    }
  } catch (error) {
    if (error instanceof JWTExpired) throw unauthorizedError('expired_token');
  }
  throw unauthorizedError('invalid_api_key');
}
