import { openText, sealText } from '../../kernel/sealed.ts';
import type { App } from '../ctx.ts';
import { hintOf, type WebhookRecord } from './model.ts';

type Sealing = Pick<App, 'secretKey' | 'ids'>;
type Opening = Pick<App, 'secretKey'>;
type Place = Pick<WebhookRecord, 'account_id' | 'id'>;
type Sealed = Place & Pick<WebhookRecord, 'secret' | 'former_secret' | 'former_secret_until'>;

const secretBytes = 32;
const nonceBytes = 12;
const formerMs = 24 * 3_600_000;

/** Bound to its row: what is copied to another webhook opens nothing there. */
const labelOf = (use: 'secret' | 'headers', { account_id, id }: Place): string =>
  `webhook ${use} ${account_id} ${id}`;

function seal(app: Sealing, label: string, text: string): Uint8Array {
  const sealed = sealText(text, app.secretKey, label, app.ids.bytes(nonceBytes));
  return new Uint8Array(Buffer.from(sealed, 'base64url'));
}

const open = ({ secretKey }: Opening, label: string, sealed: Uint8Array): string =>
  openText(Buffer.from(sealed).toString('base64url'), secretKey, label);

export const makeSecret = ({ ids }: Pick<App, 'ids'>): string =>
  Buffer.from(ids.bytes(secretBytes)).toString('base64url');

export const sealSecret = (
  app: Sealing,
  place: Place,
  secret: string,
): Pick<WebhookRecord, 'secret' | 'secret_hint'> => ({
  secret: seal(app, labelOf('secret', place), secret),
  secret_hint: hintOf(secret),
});

export const sealHeaders = (
  app: Sealing,
  place: Place,
  headers: Readonly<Record<string, string>>,
): Pick<WebhookRecord, 'headers' | 'header_names'> => ({
  headers: seal(app, labelOf('headers', place), JSON.stringify(headers)),
  header_names: Object.keys(headers),
});

/** A new secret; the one before signs as well for 24 hours, where it can still be opened. */
export const rotateSecret = (app: Sealing, record: WebhookRecord, secret: string, now: Date) => ({
  ...sealSecret(app, record, secret),
  ...(presentSecret(app, record) === null
    ? { former_secret: null, former_secret_until: null }
    : { former_secret: record.secret, former_secret_until: new Date(now.getTime() + formerMs) }),
});

/** Null where another secret key sealed it: a new secret heals that. */
function presentSecret(app: Opening, record: Place & Pick<WebhookRecord, 'secret'>): string | null {
  try {
    return open(app, labelOf('secret', record), record.secret);
  } catch {
    return null;
  }
}

/** The secrets that sign at `now`, the present one first. Throws where another key sealed them. */
export function openSecrets(app: Opening, record: Sealed, now: Date): [string, ...string[]] {
  const label = labelOf('secret', record);
  const { former_secret: former, former_secret_until: until } = record;
  const live = former !== null && until !== null && until > now ? [former] : [];
  return [open(app, label, record.secret), ...live.map((sealed) => open(app, label, sealed))];
}

/** The headers that its owner added. Throws where another key sealed them. */
export function openHeaders(
  app: Opening,
  record: Place & Pick<WebhookRecord, 'headers' | 'header_names'>,
): Record<string, string> {
  if (record.header_names.length === 0) return {};
  return JSON.parse(open(app, labelOf('headers', record), record.headers));
}

/** Whether the webhook signs with this already; one that cannot be opened is another. */
export const isPresentSecret = (app: Opening, record: WebhookRecord, secret: string): boolean =>
  presentSecret(app, record) === secret;
