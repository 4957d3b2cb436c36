import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '../../kernel/config.ts';
import { deriveKey } from '../../kernel/encryption.ts';
import type { App } from '../ctx.ts';

/**
 * Signed addresses: mail to them is accepted from any sender, because only the service can create
 * them.
 *
 *   bounce-<outbound mail, last day, signature>@…    the return path of one mail
 *   unsub-<account, recipient, signature>@…          unsubscribes one recipient
 *
 * Base 32, because a local part has at most 64 characters and servers may change its case.
 */
export type SignedAddress =
  | { readonly purpose: 'bounce'; readonly outboundId: string }
  | { readonly purpose: 'unsubscribe'; readonly accountId: string; readonly recipientTag: string };

type Secret = Pick<App, 'secretKey'>;

const prefixes = { bounce: 'bounce-', unsubscribe: 'unsub-' } as const;
type Purpose = keyof typeof prefixes;
const noReply = 'no-reply';
const dayMs = 86_400_000;
/** We retry a mail for two days, and servers behind ours for up to five. */
const bounceDays = 14;
const idBytes = 16;
const tagBytes = 8;
const signatureBytes = 10;

/** The sender of all mail; it receives none. */
export const noReplyAddress = ({ config }: { readonly config: Config }): string =>
  `${noReply}@${config.email.domain}`;

/** The address for bounces of a mail; valid for two weeks. */
export function returnPathOf(
  app: Secret & { readonly config: Config },
  outboundId: string,
  leftAt: Date,
): string {
  const lastDay = Buffer.alloc(2);
  lastDay.writeUInt16BE(Math.floor(leftAt.getTime() / dayMs) + bounceDays);
  const signed = signPayload(app, 'bounce', Buffer.concat([bytesOf(outboundId), lastDay]));
  return `${prefixes.bounce}${signed}@${app.config.email.domain}`;
}

/** Mail to this address from any sender unsubscribes `email`; it never expires. */
export function createUnsubscribeAddress(
  app: Secret & { readonly config: Config },
  accountId: string,
  email: string,
): string {
  const tag = Buffer.from(recipientTagOf(app, accountId, email), 'hex');
  const signed = signPayload(app, 'unsubscribe', Buffer.concat([bytesOf(accountId), tag]));
  return `${prefixes.unsubscribe}${signed}@${app.config.email.domain}`;
}

/** A hash of the recipient in hex: the email address itself would not fit in a local part. */
export const recipientTagOf = (app: Secret, accountId: string, email: string): string =>
  hmac(app, `recipient\n${accountId}\n${email.toLowerCase()}`)
    .subarray(0, tagBytes)
    .toString('hex');

/** Returns null if the address is not signed, invalid or expired. */
export function parseSignedAddress(
  app: Secret,
  localPart: string,
  now: Date,
): SignedAddress | null {
  for (const purpose of ['bounce', 'unsubscribe'] as const) {
    const prefix = prefixes[purpose];
    if (!localPart.startsWith(prefix)) continue;
    const payload = verifyPayload(app, purpose, localPart.slice(prefix.length));
    if (payload === null) return null;
    const id = uuidOf(payload.subarray(0, idBytes));
    const rest = payload.subarray(idBytes);
    if (purpose === 'unsubscribe') {
      return { purpose, accountId: id, recipientTag: rest.toString('hex') };
    }
    return rest.readUInt16BE() < Math.floor(now.getTime() / dayMs)
      ? null
      : { purpose, outboundId: id };
  }
  return null;
}

/** Whether the address belongs to the service itself and not to an account. */
export const isServiceAddress = (
  { config }: { readonly config: Config },
  { localPart, domain }: { readonly localPart: string; readonly domain: string },
): boolean =>
  domain === config.email.domain.toLowerCase() &&
  (localPart === noReply || Object.values(prefixes).some((prefix) => localPart.startsWith(prefix)));

const payloadBytes: Readonly<Record<Purpose, number>> = {
  bounce: idBytes + 2,
  unsubscribe: idBytes + tagBytes,
};

function signPayload(app: Secret, purpose: Purpose, payload: Buffer): string {
  const signature = signatureOf(app, purpose, payload);
  return toBase32(Buffer.concat([payload, signature]));
}

function verifyPayload(app: Secret, purpose: Purpose, text: string): Buffer | null {
  const bytes = fromBase32(text);
  const length = payloadBytes[purpose];
  if (bytes?.length !== length + signatureBytes) return null;
  const payload = bytes.subarray(0, length);
  const isValid = timingSafeEqual(bytes.subarray(length), signatureOf(app, purpose, payload));
  return isValid ? payload : null;
}

const signatureOf = (app: Secret, purpose: Purpose, payload: Buffer): Buffer =>
  hmac(app, `${purpose}\n${payload.toString('hex')}`).subarray(0, signatureBytes);

const hmac = ({ secretKey }: Secret, text: string): Buffer =>
  createHmac('sha256', deriveKey(secretKey, 'signed mail addresses')).update(text).digest();

const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex');

const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

function toBase32(bytes: Buffer): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((group) => alphabet.charAt(Number.parseInt(group.padEnd(5, '0'), 2)))
    .join('');
}

/** Returns null for a character outside the alphabet. */
function fromBase32(text: string): Buffer | null {
  let bits = '';
  for (const letter of text) {
    const value = alphabet.indexOf(letter);
    if (value < 0) return null;
    bits += value.toString(2).padStart(5, '0');
  }
  const bytes = bits.match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}
