import { createHmac, timingSafeEqual } from 'node:crypto';
import type { routes, ValidatedRequest } from '@mneme/contract';
import { escapeHtml } from '@mneme/text';
import { deriveKey } from '../../../kernel/encryption.ts';
import { AppError } from '../../../kernel/errors.ts';
import { lockAccountForShare } from '../../accounts/index.ts';
import { type App, type Ctx, systemCtx, withTransaction } from '../../ctx.ts';
import { Reply } from '../../handler.ts';
import { createUnsubscribeAddress } from '../signed-addresses.ts';
import { suppressRecipient } from './queue.ts';

const purpose = 'unsubscribe links';
const path = '/v1/email/unsubscribe';

type Link = ValidatedRequest<typeof routes.email.unsubscribe>['query'];

function sign({ secretKey }: App, accountId: string, email: string): string {
  const signed = `${accountId}\n${email.toLowerCase()}`;
  return createHmac('sha256', deriveKey(secretKey, purpose)).update(signed).digest('base64url');
}

/** Links in mails must be absolute: without MNEME_PUBLIC_URL, uses the listening address. */
const baseUrl = ({ config: { publicUrl, host, port } }: App): string =>
  publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Unsubscribes a recipient from an account's digests and reactions; it never expires. */
export function unsubscribeUrl(ctx: Ctx, email: string): string {
  const account = ctx.actor.accountId;
  const query = new URLSearchParams({ account, email, signature: sign(ctx, account, email) });
  return `${baseUrl(ctx)}${path}?${query}`;
}

/**
 * Headers of automatic mail (RFC 3834) with unsubscribe links (RFC 2369), also for one-click
 * unsubscription in mail programs (RFC 8058).
 */
export function bulkMailHeaders(ctx: Ctx, email: string): Record<string, string> {
  const address = createUnsubscribeAddress(ctx, ctx.actor.accountId, email);
  const byMail = `mailto:${address}?subject=unsubscribe`;
  return {
    'List-Unsubscribe': `<${unsubscribeUrl(ctx, email)}>, <${byMail}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    Precedence: 'bulk',
    'Auto-Submitted': 'auto-generated',
  };
}

/** Throws 403 insufficient_permissions for an invalid signature. */
function requireValidSignature(app: App, { account, email, signature }: Link): void {
  const expected = Buffer.from(sign(app, account, email));
  const actual = Buffer.from(signature);
  if (expected.length === actual.length && timingSafeEqual(expected, actual)) return;
  throw new AppError('insufficient_permissions', { message: 'The unsubscribe link is invalid.' });
}

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

async function* htmlStream(body: string): AsyncGenerator<string> {
  yield `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Unsubscribe</title></head>
<body>${body}</body></html>
`;
}

const htmlPage = (body: string): Reply<undefined> =>
  new Reply<undefined>(htmlStream(body), { headers });

/** Shows a confirmation form: GET must not unsubscribe, since programs follow links in mails. */
export async function unsubscribePage(ctx: Ctx, link: Link): Promise<Reply<undefined>> {
  requireValidSignature(ctx, link);
  return htmlPage(`<form method="post">
<p>Unsubscribe ${escapeHtml(link.email)} from the digests and reactions of this account?</p>
<button>Unsubscribe</button></form>`);
}

/** Unsubscribes with one click; idempotent. */
export async function unsubscribe(ctx: Ctx, link: Link): Promise<Reply<undefined>> {
  requireValidSignature(ctx, link);
  const { account, email } = link;
  await withTransaction(systemCtx(ctx, account), async (inTx) => {
    if (!(await lockAccountForShare(inTx.tx, account))) return;
    await suppressRecipient(inTx, { email, reason: 'unsubscribe', detail: null });
  });
  return htmlPage(`<p>${escapeHtml(email)} is unsubscribed.</p>`);
}
