import type { ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import { type Ctx, requireAccountWideAccess } from '../../ctx.ts';
import { toOwner } from '../owner.ts';
import { acceptMail, type RawMail, storeRawMail } from './accept-mail.ts';
import { enforceMailboxRateLimits, type Mailbox, resolveMailbox } from './mailbox.ts';

/**
 * Accepts a raw mail from a relay. Throws 404 not_found if no recipient is an address of the
 * account (an operator can submit for all accounts), 413 payload_too_large, 403 space_access_denied
 * for an API key that is limited to spaces, since mail commands reach every space.
 */
export async function submitInboundMail(
  ctx: Ctx,
  query: ValidatedRequest<typeof routes.email.inbound>['query'],
  bytes: AsyncIterable<Uint8Array>,
): Promise<ResponseBody<typeof routes.email.inbound>> {
  requireAccountWideAccess(ctx.actor);
  const sender = query.sender ?? null;
  const recipientMailbox =
    query.recipient === undefined ? null : await requireOwnMailbox(ctx, query.recipient, sender);
  const raw = await storeRawMail(ctx, bytes);
  try {
    const mailbox = recipientMailbox ?? (await findOwnMailbox(ctx, raw, sender));
    const envelope = {
      sender: sender ?? raw.head.from[0] ?? '',
      ip: query.ip ?? null,
      helo: query.helo ?? null,
      isRelayAuthenticated: query.verified,
      owner: toOwner(query),
    };
    const isOverLimit = await exceedsRateLimit(ctx, mailbox);
    const accepted = await acceptMail(ctx, mailbox, { raw, envelope, isOverLimit });
    if (!accepted.isNew) await ctx.blobs.remove(raw.blob.name);
    return { history_id: accepted.id, status: accepted.status };
  } catch (error) {
    await ctx.blobs.remove(raw.blob.name);
    throw error;
  }
}

async function requireOwnMailbox(
  ctx: Ctx,
  recipient: string,
  sender: string | null,
): Promise<Mailbox> {
  const mailbox = await resolveMailbox(ctx, recipient, sender);
  const { accountId, scopes } = ctx.actor;
  if (mailbox.accountId === accountId || scopes.has('operator')) return mailbox;
  throw new AppError('not_found', { message: `The address ${recipient} accepts no mail.` });
}

async function findOwnMailbox(
  ctx: Ctx,
  { head }: RawMail,
  sender: string | null,
): Promise<Mailbox> {
  for (const recipient of head.to.slice(0, recipientsTriedMax)) {
    const mailbox = await requireOwnMailbox(ctx, recipient, sender).catch(nullIfUnknown);
    if (mailbox) return mailbox;
  }
  throw new AppError('not_found', {
    message: 'No recipient of the mail is an address that accepts mail.',
  });
}

const recipientsTriedMax = 100;

function nullIfUnknown(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null;
  throw error;
}

async function exceedsRateLimit(ctx: Ctx, mailbox: Mailbox): Promise<boolean> {
  try {
    await enforceMailboxRateLimits(ctx, mailbox);
    return false;
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limit_exceeded') return true;
    throw error;
  }
}
