import { openText, sealText } from '../../kernel/sealed.ts';
import type { App } from '../ctx.ts';

type Sealing = Pick<App, 'secretKey' | 'ids'>;

/** A row's id in it: what is sealed for one webhook opens in no other's row. */
const labelOf = (webhookId: string, field: 'secret' | 'headers'): string =>
  `webhook ${webhookId} ${field}`;

const nonceBytes = 12;

/** As it stands in `webhooks.secret`, `former_secret` (field `secret`) and `headers`. */
export const sealField = (
  app: Sealing,
  webhookId: string,
  field: 'secret' | 'headers',
  text: string,
): Uint8Array =>
  Buffer.from(
    sealText(text, app.secretKey, labelOf(webhookId, field), app.ids.bytes(nonceBytes)),
    'utf8',
  );

/** Throws when it was sealed with another secret key. */
export const openField = (
  app: Pick<App, 'secretKey'>,
  webhookId: string,
  field: 'secret' | 'headers',
  sealed: Uint8Array,
): string =>
  openText(Buffer.from(sealed).toString('utf8'), app.secretKey, labelOf(webhookId, field));

export const sealHeaders = (
  app: Sealing,
  webhookId: string,
  headers: Readonly<Record<string, string>>,
): Uint8Array => sealField(app, webhookId, 'headers', JSON.stringify(headers));

export const openHeaders = (
  app: Pick<App, 'secretKey'>,
  webhookId: string,
  sealed: Uint8Array,
): Record<string, string> =>
  JSON.parse(openField(app, webhookId, 'headers', sealed)) as Record<string, string>;
