import { decryptText, encryptText } from '../../kernel/encryption.ts';
import type { App } from '../ctx.ts';
import { maskSecret, type WebhookRecord } from './model.ts';

type EncryptionDeps = Pick<App, 'secretKey' | 'ids'>;
type DecryptionDeps = Pick<App, 'secretKey'>;
type WebhookRowId = Pick<WebhookRecord, 'account_id' | 'id'>;
type EncryptedSecrets = WebhookRowId &
  Pick<WebhookRecord, 'secret' | 'previous_secret' | 'previous_secret_expires_at'>;

const secretBytes = 32;
const nonceBytes = 12;
const previousSecretMs = 24 * 3_600_000;

/** Binds the ciphertext to its row: it cannot be decrypted in another row. */
const encryptionLabel = (use: 'secret' | 'headers', { account_id, id }: WebhookRowId): string =>
  `webhook ${use} ${account_id} ${id}`;

function encryptForRow(app: EncryptionDeps, label: string, text: string): Uint8Array {
  const ciphertext = encryptText(text, app.secretKey, label, app.ids.bytes(nonceBytes));
  return new Uint8Array(Buffer.from(ciphertext, 'base64url'));
}

const decryptForRow = (
  { secretKey }: DecryptionDeps,
  label: string,
  ciphertext: Uint8Array,
): string => decryptText(Buffer.from(ciphertext).toString('base64url'), secretKey, label);

export const generateSecret = ({ ids }: Pick<App, 'ids'>): string =>
  Buffer.from(ids.bytes(secretBytes)).toString('base64url');

export const encryptSecret = (
  app: EncryptionDeps,
  rowId: WebhookRowId,
  secret: string,
): Pick<WebhookRecord, 'secret' | 'secret_hint'> => ({
  secret: encryptForRow(app, encryptionLabel('secret', rowId), secret),
  secret_hint: maskSecret(secret),
});

export const encryptHeaders = (
  app: EncryptionDeps,
  rowId: WebhookRowId,
  headers: Readonly<Record<string, string>>,
): Pick<WebhookRecord, 'headers' | 'header_names'> => ({
  headers: encryptForRow(app, encryptionLabel('headers', rowId), JSON.stringify(headers)),
  header_names: Object.keys(headers),
});

/** Sets a new secret; the previous one also signs for 24 hours, if it can be decrypted. */
export const rotateSecret = (
  app: EncryptionDeps,
  record: WebhookRecord,
  secret: string,
  now: Date,
) => ({
  ...encryptSecret(app, record, secret),
  ...(tryDecryptSecret(app, record) === null
    ? { previous_secret: null, previous_secret_expires_at: null }
    : {
        previous_secret: record.secret,
        previous_secret_expires_at: new Date(now.getTime() + previousSecretMs),
      }),
});

/** Null if another secret key encrypted it; a new secret repairs that. */
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

/** The secrets that sign at `now`, current first. Throws if another key encrypted them. */
export function decryptSecrets(
  app: DecryptionDeps,
  record: EncryptedSecrets,
  now: Date,
): [string, ...string[]] {
  const label = encryptionLabel('secret', record);
  const { previous_secret: previous, previous_secret_expires_at: expiresAt } = record;
  const valid = previous !== null && expiresAt !== null && expiresAt > now ? [previous] : [];
  return [
    decryptForRow(app, label, record.secret),
    ...valid.map((ciphertext) => decryptForRow(app, label, ciphertext)),
  ];
}

/** The custom headers of the owner. Throws if another key encrypted them. */
export function decryptHeaders(
  app: DecryptionDeps,
  record: WebhookRowId & Pick<WebhookRecord, 'headers' | 'header_names'>,
): Record<string, string> {
  if (record.header_names.length === 0) return {};
  return JSON.parse(decryptForRow(app, encryptionLabel('headers', record), record.headers));
}

/** Whether the webhook already signs with this secret; false if it cannot be decrypted. */
export const isCurrentSecret = (
  app: DecryptionDeps,
  record: WebhookRecord,
  secret: string,
): boolean => tryDecryptSecret(app, record) === secret;
