import { createHmac, timingSafeEqual } from 'node:crypto';
import type { routes, ValidatedRequest } from '@mneme/contract';
import { deriveKey } from '../../../kernel/encryption.ts';
import { AppError } from '../../../kernel/errors.ts';
import { escapeHtml } from '../../../text/html.ts';
import { lockAccountForShare } from '../../accounts/index.ts';
import { type App, type Ctx, systemCtx, withTransaction } from '../../ctx.ts';
import { Reply } from '../../handler.ts';
import { unsubscribeAddressOf } from '../signed-addresses.ts';
import { suppress } from './queue.ts';

const purpose = 'unsubscribe links';
const path = '/v1/email/unsubscribe';

type Link = ValidatedRequest<typeof routes.email.unsubscribe>['query'];

function sign({ secretKey }: App, accountId: string, email: string): string {
  const signed = `${accountId}\n${email.toLowerCase()}`;
  return createHmac('sha256', deriveKey(secretKey, purpose)).update(signed).digest('base64url');
}

/** A link in a mail must be whole: without MNEME_PUBLIC_URL it leads to where we listen. */
const baseUrl = ({ config: { publicUrl, host, port } }: App): string =>
  publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** By which a recipient gets no more of an account's digests and reactions; it never expires. */
export function unsubscribeUrl(ctx: Ctx, email: string): string {
  const account = ctx.actor.accountId;
  const query = new URLSearchParams({ account, email, signature: sign(ctx, account, email) });
  return `${baseUrl(ctx)}${path}?${query}`;
}

/**
 * Of what is written by itself: that it is (RFC 3834), how it ends (RFC 2369) and, for the one
 * click of mail programs, RFC 8058.
 */
export function bulkMailHeaders(ctx: Ctx, email: string): Record<string, string> {
  const address = unsubscribeAddressOf(ctx, ctx.actor.accountId, email);
  const byMail = `mailto:${address}?subject=unsubscribe`;
  return {
    'List-Unsubscribe': `<${unsubscribeUrl(ctx, email)}>, <${byMail}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    Precedence: 'bulk',
    'Auto-Submitted': 'auto-generated',
  };
}

/** Throws 403 insufficient_permissions for a link that we did not make. */
function requireValidSignature(app: App, { account, email, signature }: Link): void {
  const right = Buffer.from(sign(app, account, email));
  const given = Buffer.from(signature);
  if (right.length === given.length && timingSafeEqual(right, given)) return;
  throw new AppError('insufficient_permissions', { message: 'The link is not one of ours.' });
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

/** Asks, and changes nothing: programs follow the links of mails. */
export async function unsubscribePage(ctx: Ctx, link: Link): Promise<Reply<undefined>> {
  requireValidSignature(ctx, link);
  return htmlPage(`<form method="post">
<p>Send no more digests and reactions of this account to ${escapeHtml(link.email)}?</p>
<button>Send no more</button></form>`);
}

/** One click, with nothing more to be asked; twice is as good as once. */
export async function unsubscribe(ctx: Ctx, link: Link): Promise<Reply<undefined>> {
  requireValidSignature(ctx, link);
  const { account, email } = link;
  await withTransaction(systemCtx(ctx, account), async (inTx) => {
    if (!(await lockAccountForShare(inTx.tx, account))) return;
    await suppress(inTx, { email, reason: 'unsubscribe', detail: null });
  });
  return htmlPage(`<p>${escapeHtml(email)} gets no more of these.</p>`);
}
