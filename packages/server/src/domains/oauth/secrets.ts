import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '../../kernel/encryption.ts';
import type { Ids } from '../../kernel/ids.ts';
import { perApp } from '../../kernel/per-app.ts';
import type { App } from '../ctx.ts';

const secretBytes = 32;
const prefixes = { access: 'mno_', refresh: 'mnr_', session: 'mns_', code: '' } as const;

/** A random secret of 256 bits; its prefix says what it is for. */
export const generateSecret = (ids: Ids, kind: keyof typeof prefixes): string =>
  prefixes[kind] + Buffer.from(ids.bytes(secretBytes)).toString('base64url');

export const isAccessToken = (text: string): boolean => text.startsWith(prefixes.access);

/** Only the hash is stored, and found by: comparison of the secret itself takes no time. */
export const hashSecret = (secret: string): Uint8Array =>
  createHash('sha256').update(secret).digest();

const formKey = perApp<App, Uint8Array>(({ secretKey }) => deriveKey(secretKey, 'page forms'));

/** A token for a form of one browser and one request, which no other page knows. */
export const formTokenOf = (app: App, ...parts: readonly string[]): string =>
  createHmac('sha256', formKey.of(app)).update(JSON.stringify(parts)).digest('base64url');

/** Constant time. */
export function isFormToken(app: App, sent: string, ...parts: readonly string[]): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(formTokenOf(app, ...parts))];
  return a.length === b.length && timingSafeEqual(a, b);
}

const verifierPattern = /^[A-Za-z0-9._~-]{43,128}$/;
const challengePattern = /^[A-Za-z0-9_-]{43}$/;

export const isChallenge = (text: string): boolean => challengePattern.test(text);

/** Whether the verifier is that of the challenge, by S256 (RFC 7636). */
export const matchesChallenge = (verifier: string, challenge: string): boolean =>
  verifierPattern.test(verifier) &&
  createHash('sha256').update(verifier).digest('base64url') === challenge;
