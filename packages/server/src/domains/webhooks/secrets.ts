import type { Ctx } from '../ctx.ts';
import { hintOf, type WebhookRecord } from './model.ts';
import { openField, sealField, sealHeaders } from './sealed.ts';

type Sealing = Pick<Ctx, 'secretKey' | 'ids'>;

const secretBytes = 32;
const formerMs = 24 * 3_600_000;

export const makeSecret = ({ ids }: Pick<Ctx, 'ids'>): string =>
  Buffer.from(ids.bytes(secretBytes)).toString('base64url');

export const secretFields = (
  ctx: Sealing,
  id: string,
  secret: string,
): Pick<WebhookRecord, 'secret' | 'secret_hint'> => ({
  secret: sealField(ctx, id, 'secret', secret),
  secret_hint: hintOf(secret),
});

export const headerFields = (
  ctx: Sealing,
  id: string,
  headers: Readonly<Record<string, string>>,
): Pick<WebhookRecord, 'headers' | 'header_names'> => ({
  headers: sealHeaders(ctx, id, headers),
  header_names: Object.keys(headers),
});

/** A new secret; the one before signs as well for 24 hours. */
export const rotateSecret = (ctx: Sealing, record: WebhookRecord, secret: string, now: Date) => ({
  ...secretFields(ctx, record.id, secret),
  former_secret: record.secret,
  former_secret_until: new Date(now.getTime() + formerMs),
});

/** Whether the webhook signs with this already; one that cannot be opened is another. */
export function isPresentSecret(
  ctx: Pick<Ctx, 'secretKey'>,
  record: WebhookRecord,
  secret: string,
): boolean {
  try {
    return openField(ctx, record.id, 'secret', record.secret) === secret;
  } catch {
    // Sealed with another secret key: a new secret is just what heals it.
    return false;
  }
}
