import { decryptText, encryptText } from '../../kernel/encryption.ts';
import type { App } from '../ctx.ts';
import { maskSecret, type WebhookRecord } from './model.ts';

type EncryptionDeps = Pick<App, 'secretKey' | 'ids'>;
type DecryptionDeps = Pick<App, 'secretKey'>;
type WebhookRowId = Pick<WebhookRecord, 'account_id' | 'id'>;
type EncryptedSecrets = WebhookRowId &
  Pick<WebhookRecord, 'secret' | 'former_secret' | 'former_secret_until'>;

const secretBytes = 32;
const nonceBytes = 12;
const previousSecretMs = 24 * 3_600_000;

/** Bound to its row: what is copied to another webhook opens nothing there. */
const encryptionLabel = (use: 'secret' | 'headers', { account_id, id }: WebhookRowId): string =>
  `webhook ${use} ${account_id} ${id}`;

function encryptForRow(app: EncryptionDeps, label: string, text: string): Uint8Array {
  const sealed = encryptText(text, app.secretKey, label, app.ids.bytes(nonceBytes));
  return new Uint8Array(Buffer.from(sealed, 'base64url'));
}

const decryptForRow = ({ secretKey }: DecryptionDeps, label: string, sealed: Uint8Array): string =>
  decryptText(Buffer.from(sealed).toString('base64url'), secretKey, label);

export const generateSecret = ({ ids }: Pick<App, 'ids'>): string =>
  Buffer.from(ids.bytes(secretBytes)).toString('base64url');

export const encryptSecret = (
  app: EncryptionDeps,
  place: WebhookRowId,
  secret: string,
): Pick<WebhookRecord, 'secret' | 'secret_hint'> => ({
  secret: encryptForRow(app, encryptionLabel('secret', place), secret),
  secret_hint: maskSecret(secret),
});

export const encryptHeaders = (
  app: EncryptionDeps,
  place: WebhookRowId,
  headers: Readonly<Record<string, string>>,
): Pick<WebhookRecord, 'headers' | 'header_names'> => ({
  headers: encryptForRow(app, encryptionLabel('headers', place), JSON.stringify(headers)),
  header_names: Object.keys(headers),
});

/** A new secret; the one before signs as well for 24 hours, where it can still be opened. */
export const rotateSecret = (
  app: EncryptionDeps,
  record: WebhookRecord,
  secret: string,
  now: Date,
) => ({
  ...encryptSecret(app, record, secret),
  ...(tryDecryptSecret(app, record) === null
    ? { former_secret: null, former_secret_until: null }
    : {
        former_secret: record.secret,
        former_secret_until: new Date(now.getTime() + previousSecretMs),
      }),
});

/** Null where another secret key sealed it: a new secret heals that. */
function tryDecryptSecret(
  app: DecryptionDeps,
  record: WebhookRowId & Pick<WebhookRecord, 'secret'>,
): string | null {
  try {
    return decryptForRow(app, encryptionLabel('secret', record), record.secret);
  } catch {
    return null;
  }
}

/** The secrets that sign at `now`, the present one first. Throws where another key sealed them. */
export function decryptSecrets(
  app: DecryptionDeps,
  record: EncryptedSecrets,
  now: Date,
): [string, ...string[]] {
  const label = encryptionLabel('secret', record);
  const { former_secret: former, former_secret_until: until } = record;
  const live = former !== null && until !== null && until > now ? [former] : [];
  return [
    decryptForRow(app, label, record.secret),
    ...live.map((sealed) => decryptForRow(app, label, sealed)),
  ];
}

/** The headers that its owner added. Throws where another key sealed them. */
export function decryptHeaders(
  app: DecryptionDeps,
  record: WebhookRowId & Pick<WebhookRecord, 'headers' | 'header_names'>,
): Record<string, string> {
  if (record.header_names.length === 0) return {};
  return JSON.parse(decryptForRow(app, encryptionLabel('headers', record), record.headers));
}

/** Whether the webhook signs with this already; one that cannot be opened is another. */
export const isCurrentSecret = (
  app: DecryptionDeps,
  record: WebhookRecord,
  secret: string,
): boolean => tryDecryptSecret(app, record) === secret;
